// Routing: checks that an endpoint or stub has the path and method; 404, 405 with Allow, or the answer to OPTIONS.
import { errorOf, type Failure } from '../failure.ts'
import { methodsOfPath } from '../../endpoints/routes.ts'
import type { Stage } from '../stage.ts'
import { stubsOf } from '../serve-stub.ts'

const unknownPath: Failure = {
  type: 'NOT_FOUND_ERROR',
  on: 'No operation has this path.',
  status: (assume) => assume('unknown_route_status'),
  restsOn: ['unlisted_operations', 'trailing_slash', 'routes_without_key'],
}

const wrongMethod: Failure = {
  type: 'METHOD_NOT_ALLOWED_ERROR',
  on: 'The path does not have this method.',
  headers: ['allow'],
  restsOn: ['routes_without_key'],
}

/** A path has the methods that its endpoints or stubs declare, and OPTIONS. */
export const matchRoute: Stage = {
  failures(endpoint, values) {
    if (endpoint) return []
    // A path that is checked before the key is also checked before a version is chosen.
    const isEarly = values.routes_without_key === 'not_found'
    return [unknownPath, wrongMethod].map((one) => (isEarly ? { ...one, version: 'sometimes' } : one))
  },
  run(call) {
    const { request, outcome, resolution, assume } = call
    const { endpoint, method, path } = request
    const stubs = request.allow === undefined ? stubsOf(call) : undefined
    const allow = request.allow ?? stubs?.allow
    const slash = path.length > 1 && path.endsWith('/') ? assume('trailing_slash') : undefined
    if (allow === undefined) {
      const hint = slash === 'unknown_route' ? ' Paths have no trailing slash.' : ''
      throw errorOf(unknownPath, call, { message: `No endpoint has this path.${hint}` })
    }
    if (method === 'OPTIONS') return outcome.answer(204, { allow }, null)
    resolution.stub = stubs?.matched
    if (!endpoint && !resolution.stub) {
      throw errorOf(wrongMethod, call, { message: methodsOfPath(allow), headers: { allow } })
    }
    resolution.matched = true
    return undefined
  },
}
