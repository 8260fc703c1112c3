// The delivery queue of a workspace: which attempt begins next, and which are in flight. Attempts to one endpoint begin
// in order and do not wait for each other; handlers in process run one after another.
import { attemptOrder } from '../store/attempt-order.ts'
import { earliestAttempt } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import { isSamePair, type Attempt } from './attempts.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import { waitingEvents } from './waiting-attempts.ts'
import type { Endpoint } from './endpoints.ts'
import type { WorkspaceEndpoints } from './workspace-endpoints.ts'
import type { OutboxHost } from './outbox-context.ts'

/** Maximum number of attempts over a network that a workspace has in flight. */
const maxInFlight = 8

/** Maximum number of free slots that an endpoint with an attempt in flight leaves to endpoints without one. */
const maxLeft = 4

/** A waiting attempt that may begin. */
export interface QueuedAttempt {
  readonly event: EventRow
  readonly attempt: Attempt
  readonly endpoint: Endpoint
}

/** An attempt in flight. */
export interface StartedAttempt extends QueuedAttempt {
  /** When it began, on the clock of the sandbox. */
  readonly at: string
  /** Aborted when the attempt no longer matters. */
  readonly stop: AbortController
}

/** The earliest attempt that may begin, with its position in the queue. */
interface Candidate extends QueuedAttempt {
  /** When it is due, on the clock of the sandbox (ms). */
  readonly due: number
  /** See `attemptOrder`. */
  readonly order: string
}

/** The parts of a workspace that its queue reads. */
type QueueHost = Pick<OutboxHost, 'state' | 'clock'>
type QueueEndpoints = Pick<WorkspaceEndpoints, 'all' | 'find'>

export class DeliveryQueue {
  readonly #host: QueueHost
  readonly #endpoints: QueueEndpoints
  readonly #slots: DeliverySlots
  readonly #onSlot: () => void
  readonly #started = new Set<StartedAttempt>()

  /** @param onSlot called when an attempt that `begin` refused may begin. */
  constructor(host: QueueHost, endpoints: QueueEndpoints, slots: DeliverySlots, onSlot: () => void) {
    this.#host = host
    this.#endpoints = endpoints
    this.#slots = slots
    this.#onSlot = onSlot
  }

  /** Returns the earliest attempt that may begin. @param eventIds the events that count; by default all. */
  next(eventIds?: readonly string[]): Candidate | undefined {
    // While receivers hang, no call searches the attempts that wait for them.
    const ready = this.#readyEndpoints()
    if (ready.size === 0) return undefined
    const { state } = this.#host
    const events = eventIds?.flatMap((id) => state.get('events', id) ?? []) ?? waitingEvents(state)
    let best: Candidate | undefined
    for (const event of events) {
      if (!eventIds && best && best.order <= earliestAttempt(event)) break
      const found = this.#earliestIn(event, ready)
      if (found && (!best || found.order < best.order)) best = found
    }
    return best
  }

  /**
   * Begins an attempt, with those that a scenario makes at the same time: duplicates of a concurrent one, also above the
   * limits. @returns none if all slots of the sandbox are in use; then the queue waits for one.
   */
  begin({ event, attempt, endpoint }: QueuedAttempt): StartedAttempt[] {
    if (!endpoint.handler && this.#slots.isFull) {
      this.#slots.wait(this.#onSlot)
      return []
    }
    const isTogether = (one: Attempt): boolean =>
      one.n === attempt.n ||
      (one.state === 'waiting' && isSamePair(one, attempt) && !this.#isStarted(event.id, one))
    const at = this.#host.clock.timestamp()
    return event.deliveries.filter(isTogether).map((one) => {
      const started: StartedAttempt = { event, attempt: one, endpoint, at, stop: new AbortController() }
      this.#started.add(started)
      if (!endpoint.handler) this.#slots.take()
      return started
    })
  }

  /** Ends an attempt, so that another one may begin. */
  end(started: StartedAttempt): void {
    if (this.#started.delete(started) && !started.endpoint.handler) this.#slots.free()
  }

  /** Whether no attempt is in flight or waits for a slot of the sandbox. Canceled ones do not count. */
  get isIdle(): boolean {
    return this.#started.size === 0 && !this.isWaiting
  }

  /** Whether an attempt that is due waits for a slot of the sandbox. */
  get isWaiting(): boolean {
    return this.#slots.isWaiting(this.#onSlot)
  }

  /** Whether an attempt is in flight and was not canceled. */
  has(started: StartedAttempt): boolean {
    return this.#started.has(started)
  }

  /** Whether attempts of these events are due, and are in flight or may not begin before others end. */
  isHeldUp(eventIds: readonly string[]): boolean {
    const now = this.#host.clock.now()
    const ready = this.#readyEndpoints()
    const isHeldUp = (id: string, one: Attempt): boolean =>
      this.isWaiting ||
      this.#isStarted(id, one) ||
      (this.#endpoints.find(one.endpoint_id) !== undefined && !ready.has(one.endpoint_id))
    return eventIds.some((id) =>
      this.#host.state
        .get('events', id)
        ?.deliveries.some(
          (one) => one.state === 'waiting' && Date.parse(one.due) <= now && isHeldUp(id, one),
        ),
    )
  }

  /** Cancels the attempts in flight, so that others may begin. @param endpointId by default to all endpoints. */
  cancel(reason: string, endpointId?: string): void {
    if (endpointId === undefined) this.#slots.stopWaiting(this.#onSlot)
    for (const started of this.#started) {
      if (endpointId !== undefined && started.endpoint.id !== endpointId) continue
      this.end(started)
      started.stop.abort(new Error(reason))
    }
  }

  /** Returns the endpoints to which an attempt may begin, by their ids. */
  #readyEndpoints(): Map<string | null, Endpoint> {
    const inFlight = new Set<string>()
    let free = maxInFlight
    for (const { endpoint } of this.#started) {
      inFlight.add(endpoint.id)
      if (!endpoint.handler) free -= 1
    }
    const all = this.#endpoints.all
    const unused = all.filter(({ id, enabled, handler }) => enabled && !handler && !inFlight.has(id))
    const left = Math.min(unused.length, maxLeft)
    const isReady = ({ id, handler }: Endpoint): boolean =>
      handler ? !inFlight.has(id) : free > (inFlight.has(id) ? left : 0)
    return new Map(all.filter(isReady).map((endpoint) => [endpoint.id, endpoint]))
  }

  /**
   * Whether an attempt is in flight, or one that comes before it: of the same event, which it repeats, or of the event
   * that it follows by a scenario.
   */
  #isStarted(eventId: string, { endpoint_id: id, after }: Attempt): boolean {
    for (const { event, attempt } of this.#started) {
      if (attempt.endpoint_id === id && (event.id === eventId || event.id === after)) return true
    }
    return false
  }

  #earliestIn(event: EventRow, ready: ReadonlyMap<string | null, Endpoint>): Candidate | undefined {
    let best: Candidate | undefined
    for (const attempt of event.deliveries) {
      const endpoint = attempt.state === 'waiting' ? ready.get(attempt.endpoint_id) : undefined
      if (!endpoint || this.#isStarted(event.id, attempt)) continue
      const order = attemptOrder(event, attempt)
      if (!best || order < best.order)
        best = { event, attempt, endpoint, due: Date.parse(attempt.due), order }
    }
    return best
  }
}
