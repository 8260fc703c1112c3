// Routing: checks that an endpoint or stub has the path and method; 404, 405 with Allow, or the answer to OPTIONS.
import { errorOf, type Failure } from '../failure.ts'
import { methodsOfPath } from '../../endpoints/routes.ts'
import type { Stage } from '../stage.ts'
import { stubsOf } from '../serve-stub.ts'

const unknownPath: Failure = {
  type: 'NOT_FOUND_ERROR',
  on: 'No operation has this path.',
  restsOn: ['unlisted_operations'],
}

const wrongMethod: Failure = {
  type: 'METHOD_NOT_ALLOWED_ERROR',
  on: 'The path does not have this method.',
  headers: ['allow'],
}

/** A path has the methods that its endpoints or stubs declare, and OPTIONS. */
export const matchRoute: Stage = {
  failures: (endpoint) => (endpoint ? [] : [unknownPath, wrongMethod]),
  run(call) {
    const { request, outcome, resolution } = call
    const { endpoint, method, path } = request
    const stubs = request.allow === undefined ? stubsOf(call) : undefined
    const allow = request.allow ?? stubs?.allow
    if (allow === undefined) {
      const hint = path.length > 1 && path.endsWith('/') ? ' Paths have no trailing slash.' : ''
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
