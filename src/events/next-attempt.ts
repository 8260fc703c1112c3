// Finds the attempt that is due next, among those that can be made now.
import { attemptOrder } from '../store/attempt-order.ts'
import { allEvents, earliestAttempt, earliestDue } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import { isSamePair, waitingEvents, type Attempt } from './attempts.ts'
import type { Endpoint } from './endpoints.ts'

/** A waiting attempt that can be made now. */
export interface FoundAttempt {
  readonly event: EventRow
  readonly attempt: Attempt
  readonly endpoint: Endpoint
  /** When it is due, on the clock of the sandbox (ms). */
  readonly due: number
  /** See `attemptOrder`. */
  readonly order: string
}

/** Returns the endpoint of an attempt if it can be made now. */
export type CanMake = (event: EventRow, attempt: Attempt) => Endpoint | undefined

/** Returns the earliest waiting attempt that can be made now, in the order of `attemptOrder`. */
export function nextAttempt(state: State, canMake: CanMake): FoundAttempt | undefined {
  const first = state.find('events', 'waiting', allEvents)
  if (!first) return undefined
  // Usually the first attempt of the first event is it, and then the others are not read.
  let best = earliestIn(first, canMake)
  if (best && best.order === earliestAttempt(first)) return best
  for (const event of waitingEvents(state)) {
    if (best && earliestDue(event.deliveries) > best.due) break
    const found = event.id === first.id ? undefined : earliestIn(event, canMake)
    if (found && (!best || found.order < best.order)) best = found
  }
  return best
}

/** Returns an attempt with those that a scenario makes at the same time: duplicates of a concurrent one. */
export function concurrentWith(found: FoundAttempt, canMake: CanMake): FoundAttempt[] {
  const { event, attempt } = found
  const isTogether = (one: Attempt): boolean =>
    one.n === attempt.n ||
    (one.state === 'waiting' && isSamePair(one, attempt) && canMake(event, one) !== undefined)
  return event.deliveries.filter(isTogether).map((one) => ({ ...found, attempt: one }))
}

function earliestIn(event: EventRow, canMake: CanMake): FoundAttempt | undefined {
  let best: FoundAttempt | undefined
  for (const attempt of event.deliveries) {
    const endpoint = attempt.state === 'waiting' ? canMake(event, attempt) : undefined
    if (!endpoint) continue
    const order = attemptOrder(event, attempt)
    if (!best || order < best.order) best = { event, attempt, endpoint, due: Date.parse(attempt.due), order }
  }
  return best
}
