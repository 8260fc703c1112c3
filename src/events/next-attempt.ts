// Finds the attempt that is due next, among those that this process can make.
import { allEvents, earliestDue } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import { waitingEvents, type Attempt } from './attempts.ts'
import type { Endpoint } from './endpoints.ts'

/** A waiting attempt that this process can make. */
export interface FoundAttempt {
  readonly event: EventRow
  readonly attempt: Attempt
  readonly endpoint: Endpoint
  /** When it is due, on the clock of the sandbox (ms). */
  readonly due: number
}

/** Returns the endpoint of an attempt if this process can make it now. */
export type CanMake = (event: EventRow, attempt: Attempt) => Endpoint | undefined

/** Returns the earliest waiting attempt that this process can make; of several with one due time, the first event's. */
export function nextAttempt(state: State, canMake: CanMake): FoundAttempt | undefined {
  const first = state.find('events', 'waiting', allEvents)
  if (!first) return undefined
  // Usually the first event has it, and then the others are not read.
  let best = earliestIn(first, canMake)
  if (best && best.due === earliestDue(first.deliveries)) return best
  for (const event of waitingEvents(state)) {
    if (best && earliestDue(event.deliveries) >= best.due) break
    const found = event.id === first.id ? undefined : earliestIn(event, canMake)
    if (found && (!best || found.due < best.due)) best = found
  }
  return best
}

function earliestIn(event: EventRow, canMake: CanMake): FoundAttempt | undefined {
  let best: FoundAttempt | undefined
  for (const attempt of event.deliveries) {
    if (attempt.state !== 'waiting') continue
    const due = Date.parse(attempt.due)
    if (best && due >= best.due) continue
    const endpoint = canMake(event, attempt)
    if (endpoint) best = { event, attempt, endpoint, due }
  }
  return best
}
