// The rules for which parts of a call count as coverage. The client's side counts wherever the sandbox examined it: the
// form of the key, version and product, parameters and fields at their limits, locales. The answer's side counts only
// when the sandbox produced the answer itself: successes, declared errors, scopes, pages, values. Any other answer
// shows that a client survives it, not that its requests cause it.
import { receivedStatus, type InFlightCall } from '../call/index.ts'

/**
 * Whether the client received an answer that the sandbox produced by the rules of the contract. It did not if a
 * scenario ended the call, rewrote the answer, or replaced it with one that the contract does not allow. HEAD does not
 * count, because its answer has no body. A scenario that only changes the conditions of a call (rows, scopes of the
 * key, page cuts, time) does not prevent it from counting.
 */
export function isOwnAnswer(call: InFlightCall): boolean {
  const { plan } = call.resolution
  if (call.request.method === 'HEAD' || receivedStatus(call) === null) return false
  if (plan === undefined) return true
  return plan.ending === undefined && !plan.rewritten && !plan.offContract
}

/**
 * Whether the parameters and body of a call count: the call reached the handler, validation refused it, or a scenario
 * ended it before the handler.
 */
export function countsAsSent({ resolution, outcome }: InFlightCall): boolean {
  return (
    resolution.asked || outcome.failure?.type === 'VALIDATION_ERROR' || resolution.plan?.ending !== undefined
  )
}
