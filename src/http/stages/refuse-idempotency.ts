// Idempotency-Key: ignored or refused with 400, as assumed.
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
 * The contract knows no idempotency key. Ignoring one lets a repeated call create a second intent, which is what a
 * client must be ready for; refusing it is the alternative that shows who relies on it.
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
