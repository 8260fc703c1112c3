// The points that a receiver of webhook events can cover by its answers. They are no part of the contract: its
// percentage does not count them.
import type { AttemptFault } from '../contract/event-types.ts'
import type { EventRow } from '../store/rows.ts'
import { isSamePair } from './attempts.ts'

/** A point, as declared: some are for a fault that a receiver must refuse, or must accept. */
interface PointDeclaration {
  readonly id: string
  readonly sentence: string
  readonly refuses?: AttemptFault
  readonly accepts?: AttemptFault
}

/** The point of a fault that a receiver must refuse. */
const refused = <const Fault extends AttemptFault>(fault: Fault, sentence: string) =>
  ({ id: `${fault}_refused`, sentence, refuses: fault }) as const

/** The point of a fault that a receiver must accept. */
const accepted = <const Fault extends AttemptFault>(fault: Fault, sentence: string) =>
  ({ id: `${fault}_accepted`, sentence, accepts: fault }) as const

/** Every point, in the order of reports. */
export const receiverPoints = [
  { id: 'accepted', sentence: 'The receiver accepted an event.' },
  { id: 'duplicate_accepted', sentence: 'It accepted an event again that it had accepted before.' },
  {
    id: 'concurrent_accepted',
    sentence: 'It accepted an event, and accepted its duplicate at the same time or answered 409.',
  },
  { id: 'accepted_after_retry', sentence: 'It accepted an event after an attempt had failed.' },
  accepted('early', 'It accepted an event before the answer of the call that caused it.'),
  refused('bad_signature', 'It answered 4xx to a wrong signature.'),
  refused('no_signature', 'It answered 4xx to a request without a signature.'),
  refused('malformed_signature', 'It answered 4xx to a text that is no signature.'),
  refused('stale_timestamp', 'It answered 4xx to an old timestamp.'),
  refused('future_timestamp', 'It answered 4xx to a timestamp in the future.'),
  accepted('unknown_type', 'It accepted an event of an unknown type.'),
  accepted('unknown_fields', 'It accepted an event with unknown fields.'),
  accepted('same_json_other_bytes', 'It accepted an event whose JSON has other white space and escapes.'),
  accepted('large', 'It accepted an event of 300 kB with characters of several bytes.'),
] as const satisfies readonly PointDeclaration[]

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

const declarations: readonly (PointDeclaration & { readonly id: ReceiverPointId })[] = receiverPoints

/** The points of faults that a receiver must refuse. */
const refusals = declarations.filter(({ refuses }) => refuses !== undefined)

/** Every fault that can be the reason of a refusal. */
const reasons = new Set<AttemptFault>([
  'concurrent',
  ...declarations.flatMap(({ refuses, accepts }) => refuses ?? accepts ?? []),
])

/**
 * Returns the points that a recorded attempt covers.
 * @param event with the outcomes of all attempts so far. @param n the number of the attempt.
 */
export function receiverPointsOf({ deliveries }: Pick<EventRow, 'deliveries'>, n: number): ReceiverPointId[] {
  const made = deliveries.find((one) => one.n === n)
  if (!made) return []
  const isPairAccepted = isConcurrentAccepted(
    made,
    deliveries.filter((one) => isSamePair(one, made)),
  )
  if (made.state === 'failed') return isPairAccepted ? ['concurrent_accepted'] : refusedIn(made)
  // A forged request should have been refused.
  if (made.state !== 'delivered' || isForged(made)) return []
  const earlier = deliveries.filter(
    (one) => one.endpoint_id === made.endpoint_id && one.n < n && !isSamePair(one, made),
  )
  const isCovered: Partial<Record<ReceiverPointId, boolean>> = {
    accepted: true,
    duplicate_accepted: earlier.some((one) => one.state === 'delivered' && !isForged(one)),
    concurrent_accepted: isPairAccepted,
    accepted_after_retry: earlier.some(({ state }) => state === 'failed'),
  }
  return declarations.flatMap(({ id, accepts }) =>
    isCovered[id] || (accepts && made.faults?.includes(accepts)) ? [id] : [],
  )
}

const isForged = ({ faults = [] }: Attempt): boolean =>
  refusals.some(({ refuses }) => refuses && faults.includes(refuses))

/** The attempt that ends last covers the point. A receiver may answer 409 while it handles the event. */
const isConcurrentAccepted = (made: Attempt, pair: readonly Attempt[]): boolean =>
  !isForged(made) &&
  pair.some(({ state }) => state === 'delivered') &&
  pair.every(({ state, status }) => state === 'delivered' || status === 409)

/** A refusal covers a point only if the request had nothing else that could be its reason. */
function refusedIn({ faults = [], status }: Attempt): ReceiverPointId[] {
  if (status === null || status < 400 || status > 499) return []
  const [fault, ...others] = faults.filter((one) => reasons.has(one))
  if (others.length > 0) return []
  return refusals.flatMap(({ id, refuses }) => (refuses === fault ? [id] : []))
}
