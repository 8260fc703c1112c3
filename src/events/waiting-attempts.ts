// The attempts of a state that wait: finds, counts and skips them.
import { allEvents } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { IndexPosition } from '../store/table.ts'

type Attempt = EventRow['deliveries'][number]

/** How many rows `waitingEvents` reads together: most callers need the first ones. */
const pageSize = 32

/** The events that have a waiting attempt, in the order of `attemptOrder`. A caller may write those that it has got. */
export function* waitingEvents(state: State): Generator<EventRow> {
  let after: IndexPosition | undefined
  for (;;) {
    const page = state.scan('events', 'waiting', allEvents, { after, limit: pageSize })
    const last = page.at(-1)
    after = last && state.positionOf('events', 'waiting', last)
    yield* page
    if (page.length < pageSize) return
  }
}

/** How many attempts wait. */
export function countWaiting(state: State): number {
  let count = 0
  for (const { deliveries } of waitingEvents(state))
    count += deliveries.filter((one) => one.state === 'waiting').length
  return count
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
