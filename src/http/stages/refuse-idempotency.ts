// Ignores the header Idempotency-Key, or refuses it with 400, as assumed.
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'

const carriesKey: Failure = {
  type: 'BAD_REQUEST_ERROR',
  name: 'idempotency_key',
  on: 'The call carries an Idempotency-Key.',
  message: 'The header Idempotency-Key is not supported.',
  restsOn: ['idempotency_key'],
}

/**
 * The contract has no idempotency keys. If the key is ignored, a repeated call creates a second intent, and clients
 * must be ready for that. If it is refused, clients that rely on it become visible.
 */
export const refuseIdempotency: Stage = {
  failures: (endpoint, values) =>
    endpoint?.method === 'POST' && values.idempotency_key === 'refused' ? [carriesKey] : [],
  run(call) {
    const { request, headers } = call
    if (request.endpoint?.method !== 'POST' || headers['idempotency-key'] === undefined) return
    if (call.assume('idempotency_key') === 'refused') throw errorOf(carriesKey, call)
  },
}
