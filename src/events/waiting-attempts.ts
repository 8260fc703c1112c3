// The attempts of a state that wait: finds, counts and skips them.
import { allEvents } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'

type Attempt = EventRow['deliveries'][number]

/** The events that have a waiting attempt, in the order of `attemptOrder`. */
export function waitingEvents(state: State): EventRow[] {
  return state.scan('events', 'waiting', allEvents)
}

/** How many attempts wait. */
export function countWaiting(state: State): number {
  const all = waitingEvents(state).flatMap(({ deliveries }) => deliveries)
  return all.filter((one) => one.state === 'waiting').length
}

/** The target of writes: a transaction, or a state that no workspace has yet. */
type Writable = { put(collection: 'events', row: EventRow): unknown }

/**
 * Skips the waiting attempts of a state.
 * @param isMeant which of them; by default all.
 */
export function skipWaiting(
  state: State,
  reason: string,
  into: Writable = state,
  isMeant: (one: Attempt) => boolean = () => true,
): void {
  const isSkipped = (one: Attempt): boolean => one.state === 'waiting' && isMeant(one)
  for (const event of waitingEvents(state)) {
    if (!event.deliveries.some(isSkipped)) continue
    const deliveries = event.deliveries.map((one) =>
      isSkipped(one) ? { ...one, state: 'skipped' as const, reason } : one,
    )
    into.put('events', { ...event, deliveries })
  }
}
