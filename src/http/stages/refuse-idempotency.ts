import { ApiError } from '../../contract/errors.ts'
import type { OpenExchange } from '../open-exchange.ts'

/**
 * The contract knows no idempotency key. Ignoring one lets a repeated call create a second intent, which is what a
 * client must be ready for; refusing it is the alternative that shows who relies on it.
 */
export function refuseIdempotency({ received, assume }: OpenExchange): void {
  if (received.endpoint?.method !== 'POST' || received.headers['idempotency-key'] === undefined) return
  if (assume('idempotency_key') === 'refused') {
    throw new ApiError('BAD_REQUEST_ERROR', { message: 'The header Idempotency-Key is not supported.' })
  }
}
