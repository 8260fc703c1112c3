import { challenge, readCredential, unusableKey } from '../../contract/credentials.ts'
import { ApiError } from '../../contract/errors.ts'
import { credentialProblem } from '../../workspaces/credential-problem.ts'
import { identify, type Identity } from '../../workspaces/identify.ts'
import { TooManyWorkspacesError } from '../../workspaces/workspaces.ts'
import type { OpenExchange } from '../open-exchange.ts'
import { matchRoute } from './match-route.ts'

/**
 * Finds out whose call it is and in which workspace (contract: Authentication 1-3). Comes first: without a usable
 * key nothing is disclosed, neither the routes nor which versions there are.
 */
export function authenticate(exchange: OpenExchange): void {
  const credential = readCredential(exchange.received.headers.authorization, exchange.assume)
  if ('refusal' in credential) {
    exchange.found.credentialProblem = { kind: credential.missing ? 'missing' : 'malformed' }
    throw unauthenticated(exchange, credential.refusal)
  }
  const identity = identifyOrRefuse(exchange, credential)
  if (!identity) {
    const { service, caller } = exchange
    const { workspaces, environment } = service
    exchange.found.credentialProblem = credentialProblem(workspaces, credential, environment, caller.fixed)
    throw unauthenticated(exchange, unusableKey)
  }
  const { found } = exchange
  found.key = identity.key
  found.credentialForm = identity.form
  found.scopes = identity.key.scopes
  exchange.judgedBy = identity.workspace.state
  exchange.enter(identity.workspace)
}

function identifyOrRefuse(
  { service, caller, assume }: OpenExchange,
  credential: Parameters<typeof identify>[1],
): Identity | undefined {
  try {
    return identify(service.workspaces, credential, service.environment, assume, caller.fixed)
  } catch (error) {
    if (!(error instanceof TooManyWorkspacesError)) throw error
    throw new ApiError('SERVICE_UNAVAILABLE_ERROR', { message: error.message })
  }
}

function unauthenticated(exchange: OpenExchange, message: string): ApiError {
  const { allow, endpoint, method } = exchange.received
  // An answer rests on the assumption only where there is no such path or method.
  const exists = allow !== undefined && (method === 'OPTIONS' || endpoint !== undefined)
  if (!exists && exchange.assume('routes_without_key') === 'not_found') matchRoute(exchange)
  return new ApiError('UNAUTHORIZED_ERROR', { message, headers: { 'www-authenticate': challenge } })
}
