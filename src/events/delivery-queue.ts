// The delivery queue of a workspace: which attempt is due next, and which are being made. Attempts to one endpoint begin
// in order, and a slow one does not hold up the next.
import { afterMachineTime } from '../runtime/machine-timers.ts'
import { attemptOrder } from '../store/attempt-order.ts'
import { allEvents, earliestAttempt, earliestDue } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import { isSamePair, type Attempt } from './attempts.ts'
import { waitingEvents } from './waiting-attempts.ts'
import type { Endpoint } from './endpoints.ts'
import type { WorkspaceEndpoints } from './workspace-endpoints.ts'
import type { OutboxHost } from './outbox-context.ts'

/** An attempt that takes longer (ms) does not hold up later ones to the same endpoint. */
const slowMs = 1_000

/** Maximum number of attempts that are being made at the same time. */
const maxInFlight = 100

/** A waiting attempt that may begin. */
export interface QueuedAttempt {
  readonly event: EventRow
  readonly attempt: Attempt
  readonly endpoint: Endpoint
}

/** An attempt that is being made. */
export interface StartedAttempt extends QueuedAttempt {
  /** When it began, on the clock of the sandbox. */
  readonly at: string
  /** Aborted when the attempt no longer matters. */
  readonly stop: AbortController
  /** Whether later attempts to its endpoint may begin before it ends. */
  isSlow: boolean
  cancelTimer(): void
}

/** The earliest attempt that may begin, with its position in the queue. */
interface Candidate extends QueuedAttempt {
  /** When it is due, on the clock of the sandbox (ms). */
  readonly due: number
  /** See `attemptOrder`. */
  readonly order: string
}

/** Returns the endpoint of an attempt if the attempt may begin. */
type FindEndpoint = (event: EventRow, attempt: Attempt) => Endpoint | undefined

export class DeliveryQueue {
  readonly #host: OutboxHost
  readonly #endpoints: WorkspaceEndpoints
  readonly #started = new Set<StartedAttempt>()

  constructor(host: OutboxHost, endpoints: WorkspaceEndpoints) {
    this.#host = host
    this.#endpoints = endpoints
  }

  /** Returns the earliest attempt that may begin. @param eventIds the events that count; by default all. */
  next(eventIds?: readonly string[]): Candidate | undefined {
    // A receiver that hangs must not make each call search the attempts that wait for it.
    if (this.#isFull || this.#endpoints.all.every(({ id }) => this.#isBusy(id))) return undefined
    const endpointFor: FindEndpoint = (event, attempt) => {
      if (eventIds?.includes(event.id) === false || !this.#isFree(event.id, attempt)) return undefined
      return this.#endpoints.find(attempt.endpoint_id)
    }
    const { state } = this.#host
    const first = state.find('events', 'waiting', allEvents)
    if (!first) return undefined
    // Usually the first attempt of the first event is it, and then the others are not read.
    let best = earliestIn(first, endpointFor)
    if (best && best.order === earliestAttempt(first)) return best
    for (const event of waitingEvents(state)) {
      if (best && earliestDue(event.deliveries) > best.due) break
      const found = event.id === first.id ? undefined : earliestIn(event, endpointFor)
      if (found && (!best || found.order < best.order)) best = found
    }
    return best
  }

  /**
   * Begins an attempt, with those that a scenario makes at the same time: duplicates of a concurrent one.
   * @param onSlow called when the next attempt to the endpoint may begin before the end of this one.
   */
  begin({ event, attempt, endpoint }: QueuedAttempt, onSlow: () => void): StartedAttempt[] {
    const isTogether = (one: Attempt): boolean =>
      one.n === attempt.n ||
      (one.state === 'waiting' && isSamePair(one, attempt) && this.#isFree(event.id, one))
    const together = event.deliveries.filter(isTogether)
    return together.map((one) => {
      const started: StartedAttempt = {
        event,
        attempt: one,
        endpoint,
        at: this.#host.clock.timestamp(),
        stop: new AbortController(),
        isSlow: false,
        cancelTimer: afterMachineTime(slowMs, () => {
          started.isSlow = true
          onSlow()
        }),
      }
      this.#started.add(started)
      return started
    })
  }

  /** Ends an attempt, so that later ones to its endpoint may begin. */
  end(started: StartedAttempt): void {
    started.cancelTimer()
    this.#started.delete(started)
  }

  /** Whether no attempt is being made. Canceled ones do not count. */
  get isIdle(): boolean {
    return this.#started.size === 0
  }

  /** Whether an attempt is being made and was not canceled. */
  has(started: StartedAttempt): boolean {
    return this.#started.has(started)
  }

  /** Whether attempts of these events are due, and may not begin before others end. */
  isHeldUp(eventIds: readonly string[]): boolean {
    const now = this.#host.clock.now()
    return eventIds.some((id) =>
      this.#host.state
        .get('events', id)
        ?.deliveries.some(
          (one) => one.state === 'waiting' && Date.parse(one.due) <= now && !this.#isFree(id, one),
        ),
    )
  }

  /** Cancels the attempts that are being made: they hold up no others. @param endpointId by default to all endpoints. */
  cancel(reason: string, endpointId?: string): void {
    for (const started of this.#started) {
      if (endpointId !== undefined && started.endpoint.id !== endpointId) continue
      this.end(started)
      started.stop.abort(new Error(reason))
    }
  }

  get #isFull(): boolean {
    return this.#started.size >= maxInFlight
  }

  /** Whether an attempt to an endpoint is being made that is not slow. */
  #isBusy(endpointId: string | null): boolean {
    for (const { attempt, isSlow } of this.#started)
      if (!isSlow && attempt.endpoint_id === endpointId) return true
    return false
  }

  /** Whether no attempt that is being made keeps this one from beginning. */
  #isFree(eventId: string, { n, endpoint_id: endpoint }: Attempt): boolean {
    if (this.#isFull || this.#isBusy(endpoint)) return false
    for (const { event, attempt } of this.#started) if (event.id === eventId && attempt.n === n) return false
    return true
  }
}

function earliestIn(event: EventRow, endpointFor: FindEndpoint): Candidate | undefined {
  let best: Candidate | undefined
  for (const attempt of event.deliveries) {
    const endpoint = attempt.state === 'waiting' ? endpointFor(event, attempt) : undefined
    if (!endpoint) continue
    const order = attemptOrder(event, attempt)
    if (!best || order < best.order) best = { event, attempt, endpoint, due: Date.parse(attempt.due), order }
  }
  return best
}
