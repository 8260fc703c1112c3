// Scope check: 403 for a key that lacks the scope of the endpoint.
import type { Scope } from '../../contract/scopes.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'

const lacksScope: Failure = {
  type: 'FORBIDDEN_ERROR',
  on: 'The API key lacks the scope that `x-scope` names.',
}

/**
 * Refuses a key that lacks the scope of the endpoint (contract: Authentication 4, 5, 7). It runs before validation and
 * lookup, so that a key without the scope cannot find out which ids exist.
 */
export const requireScope: Stage = {
  failures: (endpoint) => (endpoint?.scope === undefined ? [] : [lacksScope]),
  run(call) {
    const { request, resolution } = call
    const scope = request.endpoint?.scope ?? resolution.stub?.stub.scope
    if (scope !== undefined && !resolution.scopes.includes(scope)) {
      throw errorOf(lacksScope, call, { message: lackOf(scope) })
    }
    resolution.permitted = true
  },
}

/** The message for a key that lacks a scope. */
export function lackOf(scope: Scope): string {
  return `The API key lacks the scope ${scope}.`
}
