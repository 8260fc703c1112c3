import { ApiError } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { OpenExchange } from '../open-exchange.ts'

/**
 * Refuses a key that lacks the scope of the endpoint (contract: Authentication 4, 5, 7). Comes before validation
 * and lookup, so that a key without the scope cannot find out which ids exist.
 */
export function requireScope({ received, found }: OpenExchange): void {
  const scope = received.endpoint?.scope
  if (scope !== undefined && !found.scopes.includes(scope)) {
    throw new ApiError('FORBIDDEN_ERROR', { message: lackOf(scope) })
  }
  found.permitted = true
}

/** What a key is told that lacks a scope. */
export function lackOf(scope: Scope): string {
  return `The API key lacks the scope ${scope}.`
}
