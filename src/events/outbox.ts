// The outbox of a workspace: creates its events, and schedules their delivery to its endpoints.
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterMachineTime, soon } from '../runtime/machine-timers.ts'
import type { AttemptFault } from '../contract/event-types.ts'
import type { EventRow } from '../store/rows.ts'
import type { Change, Transaction } from '../store/transaction.ts'
import { ConflictError } from '../input/refusals.ts'
import { countWaiting, failedAttempt, maxReason, skipWaiting, type Attempt } from './attempts.ts'
import { DeliveryLoop, type Drained } from './delivery-loop.ts'
import type { Delivery } from './delivery.ts'
import { lastingFaults, writeFaultyDelivery } from './faults.ts'
import { outcomeOfStatus } from './handler-answer.ts'
import type { ListenerReport, SendToListener } from './listener-delivery.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { recordAttempt } from './record-attempt.ts'
import { emitEvents, type EmitContext, type EventCause } from './emit-events.ts'
import {
  endpointOf,
  endpointsOf,
  handlerId,
  secretsOf,
  type Endpoint,
  type WebhookHandler,
} from './endpoints.ts'
import { waitUntil } from './wait-until.ts'

export type { Drained } from './delivery-loop.ts'

/** The id from which the secret of a workspace itself derives. */
const ownSecretId = 'own'

/** The outboxes whose handlers run, in the asynchronous context of the last of them: one may drain another workspace. */
const delivering = new AsyncLocalStorage<readonly Outbox[]>()

export class Outbox {
  readonly context: OutboxContext
  readonly #host: OutboxHost
  /** Handlers in process, by id, in the order in which they were added. */
  readonly #handlers = new Map<string, Endpoint & { handler: WebhookHandler }>()
  #handlerCount = 0
  /** Settles when the deliveries that were requested so far have been made. */
  #last: Promise<unknown> = Promise.resolve()
  #cancelTimer: () => void = () => undefined
  #isRunning = false
  /** The loop begins after the current iteration of the event loop. */
  #isSoon = false
  /** How many drains run or wait. */
  #queued = 0
  readonly #loop: DeliveryLoop
  readonly #listeners = new Set<() => void>()
  /** New events that are delivered before the answer of the call that caused them. */
  readonly #early = new Set<string>()

  constructor(host: OutboxHost, context: OutboxContext) {
    this.#host = host
    this.context = context
    this.#loop = new DeliveryLoop({
      host,
      context,
      endpoints: () => this.endpoints,
      endpointOf: (id) => endpointOf(host.state, this.#handlers, id),
      deliveryOf: (event, { faults }, endpoint) =>
        this.deliveryOf(
          event,
          this.secretsOf(endpoint),
          endpoint.clock === 'sandbox' ? host.clock.now() : undefined,
          faults,
        ),
      callHandler: (call) => delivering.run([...this.#waiting, this], call),
      disable: (id) => this.updateHandler(id, { enabled: false }),
      listen: (listener) => this.listen(listener),
      notify: () => this.#notify(),
      schedule: () => this.schedule(),
    })
  }

  /** All endpoints of the workspace. */
  get endpoints(): Endpoint[] {
    return endpointsOf(this.#host.state, this.#handlers)
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
      endpoints: this.endpoints,
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

  /** Skips the attempts to endpoints whose rows a transaction deletes. */
  skipRemoved(tx: Transaction, changes: readonly Change[]): void {
    const removed = changes.filter(({ collection, after }) => collection === 'webhook_endpoints' && !after)
    if (removed.length > 0) this.skipFor(tx, new Set(removed.map(({ id }) => id)), 'the endpoint was removed')
  }

  /** Skips the waiting attempts to endpoints, and ends those that are being made. */
  skipFor(tx: Transaction, ids: ReadonlySet<string>, reason: string): void {
    skipWaiting(this.#host.state, reason, tx, ({ endpoint_id: id }) => ids.has(id ?? ''))
    for (const id of ids) this.#loop.cancelFor(id)
    // Listeners of removed endpoints end.
    this.#notify()
  }

  addHandler(handler: WebhookHandler, options: Pick<Endpoint, 'events' | 'secret' | 'clock'>): Endpoint {
    const id = handlerId(++this.#handlerCount)
    const created_at = this.#host.clock.timestamp()
    const added = { id, url: null, enabled: true, created_at, handler, ...options }
    this.#handlers.set(id, added)
    // Attempts of an earlier process may wait for it.
    this.schedule()
    return added
  }

  updateHandler(id: string, changes: Partial<Pick<Endpoint, 'events' | 'enabled' | 'rotation'>>): void {
    const handler = this.#handlers.get(id)
    if (handler) this.#handlers.set(id, { ...handler, ...changes })
  }

  removeHandler(id: string): boolean {
    return this.#handlers.delete(id)
  }

  /** The valid secrets of an endpoint, newest first. */
  secretsOf(endpoint: Pick<Endpoint, 'id' | 'rotation' | 'secret'>): [newest: string, ...older: string[]] {
    const { description, secretBytes, noteSecret } = this.context
    const now = this.#host.clock.now()
    const secrets = secretsOf(endpoint, now, description, (...of) => secretBytes(this.#host, ...of))
    for (const secret of secrets) noteSecret(this.#host, secret)
    return secrets
  }

  /** The secret of the workspace itself, which signs requests that a test delivers. */
  get ownSecret(): string {
    return this.secretsOf({ id: ownSecretId })[0]
  }

  /**
   * Writes the delivery of an event.
   * @param time the signed instant (ms); by default that of the machine.
   * @param faults those of the attempt; by default those of every attempt of the event.
   */
  deliveryOf(
    event: EventRow,
    secrets: readonly string[],
    time = this.context.machineNow(),
    faults: readonly AttemptFault[] = lastingFaults(event),
  ): Delivery {
    const { id, type, time: happened, data: resource, previous } = event
    const content = { id, type, time: happened, resource, previous }
    return writeFaultyDelivery(this.context.description, content, { time, secrets }, faults)
  }

  /** Calls a function after events were created or delivered. @returns a function that stops this. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Delivers attempts that are due after the current work, and later ones by a timer. Called after each change of
   * events or of the clock.
   */
  schedule(): void {
    this.#notify()
    // The loop finds what is due now, and schedules at its end; so does one that begins soon.
    if (this.#isRunning) return this.#loop.planned()
    if (this.#isSoon) return
    this.#cancelTimer()
    this.#cancelTimer = () => undefined
    if (!this.#hasEndpoints || !this.isOpen) return
    const { clock } = this.#host
    const next = this.#loop.next
    const delay = next && next.due - clock.now()
    // No handler waits for what a timer does.
    delivering.run([], () => {
      if (delay !== undefined && delay <= 0) {
        this.#isSoon = true
        this.#cancelTimer = soon(() => this.#runByTimer())
        return
      }
      if (delay !== undefined && !clock.frozen)
        this.#cancelTimer = afterMachineTime(delay, () => this.#runByTimer())
    })
  }

  #runByTimer(): void {
    this.#isSoon = false
    if (this.#isRunning) return
    const deliver = (): Promise<void> => this.#loop.run({ isTimer: true, isAwaited: () => this.#queued > 1 })
    this.#enqueue(deliver).catch((error: unknown) => this.context.onBug(error))
  }

  /** Makes all attempts that are due, and counts those since the last drain. A handler gets the result immediately. */
  drain(): Promise<Drained> {
    if (this.isDelivering) {
      return Promise.resolve({ delivered: 0, failed: 0, waiting: countWaiting(this.#host.state) })
    }
    return this.#enqueue(() => this.#loop.drain())
  }

  /** Makes all attempts that are due, for the next drain to count. A handler does not wait for it. */
  deliver(): Promise<void> {
    return this.isDelivering ? Promise.resolve() : this.#enqueue(() => this.#loop.run())
  }

  /**
   * Makes the attempts that are due until an instant (ms), and moves the clock to each of them. After a reset or a
   * restored snapshot meanwhile, the new clock does not move.
   * @param instantOf called when earlier deliveries have been made. @param finish called at the end, before others.
   */
  deliverUntil(instantOf: () => number, finish: (instant: number) => unknown): Promise<void> {
    return this.#enqueue(async () => {
      const until = instantOf()
      const isCanceled = this.#loop.cancellation()
      await this.#loop.run({ until })
      if (!isCanceled()) await finish(until)
    })
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
    return this.#loop.runFor(own, this.isDelivering).catch((error: unknown) => this.context.onBug(error))
  }

  /** Connects the listener of an endpoint. @returns a function that disconnects it. */
  connect(endpointId: string, send: SendToListener): () => void {
    return this.#loop.connect(endpointId, send)
  }

  /**
   * Records what the receiver of a listener answered.
   * @throws {ConflictError} if the attempt does not wait for a listener, or is not due.
   */
  report(event: EventRow, attempt: Attempt, reported: ListenerReport): void {
    const { status, location, error, duration_ms: duration, body, retry_after: retryAfter } = reported
    const { context } = this
    const endpoint = endpointOf(this.#host.state, this.#handlers, attempt.endpoint_id ?? '')
    if (!endpoint?.listener) throw new ConflictError(`attempt ${attempt.n} of ${event.id} has no listener`)
    if (attempt.state !== 'waiting')
      throw new ConflictError(`attempt ${attempt.n} of ${event.id} is ${attempt.state} already`)
    if (Date.parse(attempt.due) > this.#host.clock.now())
      throw new ConflictError(`attempt ${attempt.n} of ${event.id} was not made: it is due at ${attempt.due}`)
    const time = `(${Math.round(duration)} ms)`
    const made =
      status === null || error !== undefined
        ? failedAttempt(error ?? '')
        : outcomeOfStatus({ status, location, body, retryAfter }, context.description)
    const reason = context.hide(this.#host, made.reason).slice(0, maxReason)
    const outcome = { ...made, status, reason: `${reason} ${time}` }
    recordAttempt(this.#host, event, attempt, { at: this.#host.clock.timestamp(), outcome }, context)
    this.schedule()
  }

  /** Waits until a condition about the events holds, or for a time (ms) of the machine; false if the time has passed. */
  until(condition: () => boolean, timeout: number): Promise<boolean> {
    return waitUntil((listener) => this.listen(listener), condition, timeout)
  }

  /** Whether deliveries are being made. */
  get isBusy(): boolean {
    return this.#queued > 0 || this.#loop.isMaking
  }

  /** Whether the caller is a handler that this outbox waits for. */
  get isDelivering(): boolean {
    return delivering.getStore()?.includes(this) === true
  }

  /** The other outboxes that wait for the current work. */
  get #waiting(): Outbox[] {
    return (delivering.getStore() ?? []).filter((outbox) => outbox !== this)
  }

  get #hasEndpoints(): boolean {
    return this.#handlers.size > 0 || this.#host.state.size('webhook_endpoints') > 0
  }

  /** Whether an attempt is due until an instant (ms). */
  isDueBy(instant: number): boolean {
    if (!this.#hasEndpoints) return false
    const { next } = this.#loop
    return next !== undefined && next.due <= instant
  }

  /** Cancels the timer and the current attempts: the rows were replaced, or the workspace was deleted or closed. */
  cancel(): void {
    this.#isSoon = false
    this.#cancelTimer()
    this.#cancelTimer = () => undefined
    this.#loop.cancel()
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#queued += 1
    // A loop that a timer runs ends for it.
    this.#loop.notify()
    const run = this.#last.then(async () => {
      this.#isRunning = true
      try {
        return await work()
      } finally {
        this.#isRunning = false
        this.#queued -= 1
      }
    })
    // Not after an error: deliveries that cause each other would go on without an end.
    this.#last = run.then(
      () => this.#queued === 0 && this.schedule(),
      () => undefined,
    )
    return run
  }
}
