// Routing: checks that an endpoint or stub has the path and method; 404, 405 with Allow, or the answer to OPTIONS.
import { errorOf, type Failure } from '../failure.ts'
import { findRoute, methodsOfPath, routesOf } from '../../endpoints/routes.ts'
import { withoutBasePath } from '../path.ts'
import type { ServedCall } from '../served-call.ts'
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

/**
 * Names the option that serves an operation outside the contract, if a call means one that is not served. Where only the
 * methods of the path differ, the answer rests on the option, too.
 */
function notServed({ request: { method, path }, service, assume }: ServedCall): string {
  const own = withoutBasePath(path, service)
  const route = findRoute(own, routesOf())
  if (route?.allow === findRoute(own)?.allow || assume('unlisted_operations') === 'documented') return ''
  const unlisted = route?.byMethod.get(method)
  if (!unlisted) return ''
  return ` --assume unlisted_operations=documented serves ${unlisted.id}, which is outside the contract.`
}

/** A path has the methods that its endpoints or stubs declare, and OPTIONS. */
export const matchRoute: Stage = {
  failures: (endpoint) => (endpoint ? [] : [unknownPath, wrongMethod]),
  run(call) {
    const { request, outcome, resolution, assume } = call
    const { endpoint, method, path } = request
    const stubs = request.allow === undefined ? stubsOf(call) : undefined
    const allow = request.allow ?? stubs?.allow
    if (endpoint?.listed === false) assume('unlisted_operations')
    const hintOfUnlisted = endpoint || stubs?.matched ? '' : notServed(call)
    if (allow === undefined) {
      const hint = path.length > 1 && path.endsWith('/') ? ' Paths have no trailing slash.' : ''
      throw errorOf(unknownPath, call, { message: `No endpoint has this path.${hintOfUnlisted || hint}` })
    }
    if (method === 'OPTIONS') return outcome.answer(204, { allow }, null)
    resolution.stub = stubs?.matched
    if (!endpoint && !resolution.stub) {
      throw errorOf(wrongMethod, call, {
        message: methodsOfPath(allow) + hintOfUnlisted,
        headers: { allow },
      })
    }
    resolution.matched = true
    return undefined
  },
}
