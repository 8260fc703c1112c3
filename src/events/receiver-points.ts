// The points that a receiver of webhook events can cover by its answers. They are no part of the contract: its
// percentage does not count them.
import type { AttemptFault } from '../contract/event-types.ts'
import type { EventRow } from '../store/rows.ts'

/** Every point, in the order of reports. */
export const receiverPoints = [
  { id: 'accepted', sentence: 'The receiver accepted an event.' },
  { id: 'duplicate_accepted', sentence: 'It accepted an event again that it had accepted before.' },
  { id: 'accepted_after_retry', sentence: 'It accepted an event after an attempt had failed.' },
  { id: 'bad_signature_refused', sentence: 'It answered 4xx to a wrong signature.' },
  { id: 'stale_timestamp_refused', sentence: 'It answered 4xx to an old timestamp.' },
  { id: 'unknown_type_accepted', sentence: 'It accepted an event of an unknown type.' },
  { id: 'unknown_fields_accepted', sentence: 'It accepted an event with unknown fields.' },
] as const

/** The id of a point. */
export type ReceiverPointId = (typeof receiverPoints)[number]['id']

/** The ids of all points. */
export const receiverPointIds = receiverPoints.map(({ id }) => id)

/** A point with the number of attempts that covered it. */
export interface ReceiverPoint {
  id: ReceiverPointId
  sentence: string
  covered: boolean
  hits: number
}

/** Returns every point with its count. */
export function countedPoints(hitsOf: ReadonlyMap<ReceiverPointId, number>): ReceiverPoint[] {
  return receiverPoints.map(({ id, sentence }) => {
    const hits = hitsOf.get(id) ?? 0
    return { id, sentence, covered: hits > 0, hits }
  })
}

type Attempt = EventRow['deliveries'][number]

/** A receiver must refuse an attempt with one of them. */
const forged: readonly AttemptFault[] = ['bad_signature', 'stale_timestamp']

/** The faults that a receiver can see in the request itself. */
const visible: readonly AttemptFault[] = [...forged, 'unknown_type', 'unknown_fields']

/**
 * Returns the points that a recorded attempt covers.
 * @param event with the outcomes of all attempts so far. @param n the number of the attempt.
 */
export function receiverPointsOf({ deliveries }: Pick<EventRow, 'deliveries'>, n: number): ReceiverPointId[] {
  const made = deliveries.find((one) => one.n === n)
  if (!made) return []
  if (made.state === 'failed') return refusedIn(made)
  // A forged request should have been refused.
  if (made.state !== 'delivered' || isForged(made)) return []
  const earlier = deliveries.filter((one) => one.endpoint_id === made.endpoint_id && one.n < n)
  const has = (fault: AttemptFault): boolean => made.faults?.includes(fault) === true
  const isCovered: Partial<Record<ReceiverPointId, boolean>> = {
    accepted: true,
    duplicate_accepted: earlier.some((one) => one.state === 'delivered' && !isForged(one)),
    accepted_after_retry: earlier.some(({ state }) => state === 'failed'),
    unknown_type_accepted: has('unknown_type'),
    unknown_fields_accepted: has('unknown_fields'),
  }
  return receiverPoints.flatMap(({ id }) => (isCovered[id] ? [id] : []))
}

const isForged = ({ faults = [] }: Attempt): boolean => faults.some((fault) => forged.includes(fault))

/** A refusal covers a point only if the request had nothing else that could be its reason. */
function refusedIn({ faults = [], status }: Attempt): ReceiverPointId[] {
  if (status === null || status < 400 || status > 499) return []
  const [fault, ...others] = faults.filter((one) => visible.includes(one))
  if (others.length > 0) return []
  if (fault === 'bad_signature') return ['bad_signature_refused']
  return fault === 'stale_timestamp' ? ['stale_timestamp_refused'] : []
}
