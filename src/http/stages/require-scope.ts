// Scope check: 403 for a key that lacks the scope of the endpoint, or that is one for production.
import type { Scope } from '../../contract/scopes.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'

const lacksScope: Failure = {
  type: 'FORBIDDEN_ERROR',
  on: 'The API key lacks the scope that `x-scope` names.',
}

const inProduction: Failure = {
  type: 'FORBIDDEN_ERROR',
  on: 'The API key is one for production, where nothing can be simulated.',
}

/**
 * Refuses a key that lacks the scope of the endpoint (contract: Authentication 4, 5, 7). It runs before validation and
 * lookup, so that a key without the scope cannot find out which ids exist.
 */
export const requireScope: Stage = {
  failures: (endpoint) => [
    ...(endpoint?.scope === undefined ? [] : [lacksScope]),
    ...(endpoint?.sandboxOnly ? [inProduction] : []),
  ],
  run(call) {
    const { request, resolution, service } = call
    const scope = request.endpoint?.scope ?? resolution.stub?.stub.scope
    if (scope !== undefined && !resolution.scopes.includes(scope)) {
      throw errorOf(lacksScope, call, { message: lackOf(scope) })
    }
    if (request.endpoint?.sandboxOnly && service.environment === 'production') {
      throw errorOf(inProduction, call, { message: 'Only an API key of the sandbox can simulate.' })
    }
    resolution.permitted = true
  },
}

/** The message for a key that lacks a scope. */
export function lackOf(scope: Scope): string {
  return `The API key lacks the scope ${scope}.`
}
