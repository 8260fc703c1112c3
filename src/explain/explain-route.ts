// Explains an unknown route: the nearest endpoint, and the differences.
import type { Call } from '../call/index.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { servedEndpoints } from '../endpoints/index.ts'
import { findRoute, routesOf } from '../endpoints/routes.ts'
import { fact, type Part } from './explanation.ts'
import { nearestEndpoint } from './nearest-endpoint.ts'
import { onOneLine } from './quoted-values.ts'

export function explainRoute(
  { request, resolution, outcome }: Call,
  { basePath, assumptions }: ExplanationContext,
): Part {
  const { endpoint, method, path } = request
  // Its path was not looked up.
  if (outcome.failure?.about.beforeRequest) return { reason: outcome.failure.message }
  if (endpoint || method === 'OPTIONS') return {}
  if (resolution.stub) {
    const { stub } = resolution.stub
    const note = 'a stub of the state document answers: the contract does not list this operation'
    return { section: { about: 'route', facts: [fact('stub', `${stub.method} ${stub.path}`, note)] } }
  }
  const own = basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
  const called = `No endpoint is ${method} ${onOneLine(own)}`
  const unlisted = findRoute(own, routesOf())?.byMethod.get(method)
  if (unlisted?.listed === false) {
    const note = 'outside the contract: --assume unlisted_operations=documented serves it'
    return {
      section: { about: 'route', facts: [fact('not_served', unlisted.id, note)] },
      reason: `${called} in the contract; --assume unlisted_operations=documented serves ${unlisted.id}.`,
    }
  }
  const nearest = nearestEndpoint(method, own, servedEndpoints(assumptions))
  if (!nearest) {
    return {
      section: { about: 'route', facts: [fact('nearest', null, 'GET /_sandbox/openapi.json lists all')] },
      reason: `${called}, and none is similar.`,
    }
  }
  const { endpoint: like, differs } = nearest
  // A call without a usable key may be for an endpoint, as route matching did not run.
  if (differs.length === 0) return {}
  return {
    section: {
      about: 'route',
      facts: [fact('nearest', `${like.method} ${like.path}`, like.id), fact('differs', differs)],
    },
    reason: `${called}; the nearest is ${like.method} ${like.path}: ${differs.join('; ')}.`,
  }
}
