// What of a call counts as coverage. What a client sent counts wherever the sandbox came to look at it: how the key
// was sent, version and product, parameters and fields at their limits, locales. What it was answered counts only when
// the answer is the sandbox's own: successes, declared errors, scopes, pages, values. Any other answer shows that a
// client survives it, not that its requests bring it about.
import { receivedStatus, type InFlightCall } from '../call/index.ts'

/**
 * Whether the client saw an answer that the sandbox made by the rules of the contract. Not so where a scenario ended
 * the call, rewrote the answer, or made it one that the contract does not allow; nor for HEAD, which shows no body.
 * What a scenario only changes around a call (rows, scopes of the key, how a list is cut, time) leaves the answer the
 * sandbox's own.
 */
export function isOwnAnswer(call: InFlightCall): boolean {
  const { plan } = call.resolution
  if (call.request.method === 'HEAD' || receivedStatus(call) === null) return false
  if (plan === undefined) return true
  return plan.ending === undefined && !plan.rewritten && !plan.offContract
}

/**
 * Whether what the client sent as parameters and body counts: it was looked at, or a scenario ended a call that was
 * on its way there.
 */
export function countsAsSent({ resolution, outcome }: InFlightCall): boolean {
  return (
    resolution.asked || outcome.failure?.type === 'VALIDATION_ERROR' || resolution.plan?.ending !== undefined
  )
}
