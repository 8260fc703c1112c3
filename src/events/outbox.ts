// The outbox of a workspace: creates its events, and delivers them to its endpoints. A commit plans the attempts of its
// events as rows; the delivery loop makes those that are due, in the order of the delivery queue.
import type { EventRow } from '../store/rows.ts'
import type { Change, Transaction } from '../store/transaction.ts'
import { ConflictError } from '../input/refusals.ts'
import { failedAttempt, maxReason, type Attempt } from './attempts.ts'
import { skipWaiting } from './waiting-attempts.ts'
import { Changes } from './changes.ts'
import { DeliveryLoop } from './delivery-loop.ts'
import type { Delivery } from './delivery.ts'
import { emitEvents, type EmitContext, type EventCause } from './emit-events.ts'
import { deliveryOf } from './faults.ts'
import { outcomeOfStatus } from './handler-answer.ts'
import type { ListenerReport } from './listener-delivery.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { WorkspaceEndpoints } from './workspace-endpoints.ts'

/** The id from which the secret of a workspace itself derives. */
const ownSecretId = 'own'

export class Outbox {
  readonly context: OutboxContext
  readonly #host: OutboxHost
  readonly endpoints: WorkspaceEndpoints
  readonly #changes = new Changes()
  readonly deliveries: DeliveryLoop
  /** New events that are delivered before the answer of the call that caused them. */
  readonly #early = new Set<string>()

  constructor(host: OutboxHost, context: OutboxContext) {
    this.#host = host
    this.context = context
    this.endpoints = new WorkspaceEndpoints(host, context)
    this.deliveries = new DeliveryLoop(host, context, this.endpoints, this.#changes)
  }

  /** Whether the workspace still exists, and the sandbox is not closing. */
  get isOpen(): boolean {
    return this.context.exists(this.#host)
  }

  /** The context of new events. */
  get emitContext(): EmitContext {
    const { description, limit, fieldsFor } = this.context
    return {
      workspace: this.#host.name,
      description,
      limit,
      time: this.#host.clock.timestamp(),
      endpoints: this.endpoints.all,
      fieldsFor: (id) => fieldsFor(this.#host, id),
      planEvent: (type, of) => this.#host.scenarios.planEvent(type, of?.active, of?.keyId),
    }
  }

  /** Creates the events of a commit, in its transaction. */
  emit(tx: Transaction, changes: readonly Change[], cause: EventCause): EventRow[] {
    const events = emitEvents(tx, changes, cause, this.emitContext)
    for (const { id, deliveries } of events)
      if (deliveries.some(({ faults }) => faults?.includes('early'))) this.#early.add(id)
    return events
  }

  /** Delivers the events of a call that precede its answer; undefined if there are none. */
  deliverEarly(requestId: string): Promise<void> | undefined {
    const own: string[] = []
    for (const id of this.#early) {
      const cause = this.#host.state.get('events', id)?.request_id
      // Without a row, its commit was rolled back.
      if (cause === undefined || cause === requestId) this.#early.delete(id)
      if (cause === requestId) own.push(id)
    }
    if (own.length === 0) return undefined
    return this.deliveries.deliverEvents(own).catch((error: unknown) => this.context.onBug(error))
  }

  /** Skips the attempts to endpoints whose rows a transaction deletes. */
  skipRemoved(tx: Transaction, changes: readonly Change[]): void {
    const removed = changes.filter(({ collection, after }) => collection === 'webhook_endpoints' && !after)
    if (removed.length > 0) this.skipFor(tx, new Set(removed.map(({ id }) => id)), 'the endpoint was removed')
  }

  /** Skips the waiting attempts to endpoints, and ends those that are being made. */
  skipFor(tx: Transaction, ids: ReadonlySet<string>, reason: string): void {
    skipWaiting(this.#host.state, reason, tx, ({ endpoint_id: id }) => ids.has(id ?? ''))
    for (const id of ids) this.deliveries.cancelFor(id)
    // Listeners of removed endpoints end.
    this.#changes.notify()
  }

  /** The secret of the workspace itself, which signs requests that a test delivers. */
  get ownSecret(): string {
    return this.endpoints.secretsOf({ id: ownSecretId })[0]
  }

  /** Writes a delivery of an event. @param time the signed instant (ms); by default that of the machine. */
  deliveryOf(event: EventRow, secrets: readonly string[], time = this.context.machineNow()): Delivery {
    return deliveryOf(this.context.description, event, { time, secrets })
  }

  /**
   * Records what the receiver of a listener answered.
   * @throws {ConflictError} if the attempt does not wait for a listener, or is not due.
   */
  report(event: EventRow, attempt: Attempt, reported: ListenerReport): void {
    const { status, location, error, duration_ms: duration, body, retry_after: retryAfter } = reported
    const name = `attempt ${attempt.n} of ${event.id}`
    if (!this.endpoints.find(attempt.endpoint_id)?.listener)
      throw new ConflictError(`${name} has no listener`)
    if (attempt.state !== 'waiting') throw new ConflictError(`${name} is ${attempt.state} already`)
    if (Date.parse(attempt.due) > this.#host.clock.now())
      throw new ConflictError(`${name} was not made: it is due at ${attempt.due}`)
    const made =
      status === null || error !== undefined
        ? failedAttempt(error ?? '')
        : outcomeOfStatus({ status, location, body, retryAfter }, this.context.description)
    const hidden = this.context.hide(this.#host, made.reason).slice(0, maxReason)
    const reason = `${hidden} (${Math.round(duration)} ms)`
    this.deliveries.record(event, attempt, this.#host.clock.timestamp(), { ...made, status, reason })
    this.schedule()
  }

  /** Calls a function after events were created or delivered. @returns a function that stops this. */
  listen(listener: () => void): () => void {
    return this.#changes.listen(listener)
  }

  /** Waits until a condition about the events holds, or for a time (ms) of the machine; false if the time has passed. */
  until(condition: () => boolean, timeout: number): Promise<boolean> {
    return this.#changes.until(condition, timeout)
  }

  /** Delivers what is due, soon or by a timer. Called after each change of events or of the clock. */
  schedule(): void {
    this.deliveries.schedule()
  }

  cancel(): void {
    this.deliveries.cancel()
  }
}
