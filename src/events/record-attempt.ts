// Records the outcome of an attempt: in the row of its event, at its endpoint, and in the points of the receiver.
import type { EventRow } from '../store/rows.ts'
import { recordOutcome, type Attempt, type AttemptOutcome } from './attempts.ts'
import { skipWaiting } from './waiting-attempts.ts'
import type { Endpoint } from './endpoints.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { receiverPointsOf } from './receiver-points.ts'
import { keptPart } from './response-body.ts'
import { retryAfterMs } from './retry-after.ts'

/** Records the outcome of an attempt, and disables its endpoint if the answer says so. */
export function recordAttempt(
  host: OutboxHost,
  event: EventRow,
  attempt: Attempt,
  { at, outcome, clock }: { at: string; outcome: AttemptOutcome; clock?: Endpoint['clock'] },
  { description, machineNow, hideBody }: Pick<OutboxContext, 'description' | 'machineNow' | 'hideBody'>,
): void {
  const now = clock === 'sandbox' ? host.clock.now() : machineNow()
  const wait = outcome.retryAfter === undefined ? 0 : retryAfterMs(outcome.retryAfter, now)
  const times = { at, now: host.clock.timestamp(), wait }
  const body = keptPart(hideBody(host, outcome.body ?? ''))
  host.write((tx) => {
    recordOutcome(tx, event, attempt, times, { ...outcome, body }, description)
    if (!outcome.disables) return
    const endpoint = tx.get('webhook_endpoints', attempt.endpoint_id ?? '')
    if (endpoint) tx.put('webhook_endpoints', { ...endpoint, enabled: false })
    const isMeant = ({ endpoint_id: id }: Attempt): boolean => id === attempt.endpoint_id
    skipWaiting(host.state, 'the endpoint was disabled', tx, isMeant)
  })
  const recorded = host.state.get('events', event.id)
  if (recorded) host.coverage.receiver.count(receiverPointsOf(recorded, attempt.n))
}
