// The outbox of a workspace: creates its events, and delivers them to handlers in process when they are due.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AttemptFault } from '../contract/event-types.ts'
import { ConflictError } from '../input/refusals.ts'
import { durationMs } from '../runtime/duration.ts'
import { TimeSlice } from '../runtime/time-slices.ts'
import { afterMachineTime, soon } from '../runtime/machine-timers.ts'
import { attemptOrder } from '../store/attempt-order.ts'
import { allEvents } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import type { Change, Transaction } from '../store/transaction.ts'
import {
  countWaiting,
  recordOutcome,
  skipWaiting,
  waitingEvents,
  type Attempt,
  type AttemptOutcome,
} from './attempts.ts'
import { providerName, type Delivery } from './delivery.ts'
import { lastingFaults, writeFaultyDelivery } from './faults.ts'
import { discardBody, failureOf, outcomeOf } from './handler-answer.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { receiverPointsOf } from './receiver-points.ts'
import { emitEvents, type EmitContext, type EventCause } from './emit-events.ts'
import {
  endpointsOf,
  secretsOf,
  type Endpoint,
  type SubscribedTypes,
  type WebhookHandler,
} from './endpoints.ts'

/** The result of a drain: how many attempts it made, by outcome, and how many still wait. */
export interface Drained {
  delivered: number
  failed: number
  waiting: number
}

/** Maximum length of a stored reason. */
const maxReason = 500

/** The address of requests to receivers in process. */
export const noAddress = 'http://receiver.invalid/'

/** Maximum number of deliveries of one drain, as a handler that causes an event for each one would never end. */
const maxDeliveries = 10_000

/** The id from which the secret of a workspace itself derives. */
const ownSecretId = 'own'

/** The outboxes whose handlers run, in the asynchronous context of the last of them: one may drain another workspace. */
const delivering = new AsyncLocalStorage<readonly Outbox[]>()

/** A waiting attempt that a handler of this process can make. */
interface FoundAttempt {
  event: EventRow
  attempt: Attempt
  endpoint: Endpoint & { handler: WebhookHandler }
  /** When it is due (ms). */
  due: number
  /** See `attemptOrder`. */
  order: string
  /** No other waiting attempt of its event is due earlier. */
  isFirst: boolean
}

/** An attempt that is being made. */
interface DueAttempt extends FoundAttempt {
  at: string
  resets: number
  cancels: number
}

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
  /** How many drains run or wait. */
  #queued = 0
  /** How often attempts were canceled: an outcome from before counts for nothing. */
  #cancels = 0
  /** Aborted when the current attempt no longer matters. */
  #current: AbortController | undefined
  readonly #listeners = new Set<() => void>()

  constructor(host: OutboxHost, context: OutboxContext) {
    this.#host = host
    this.context = context
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
    return emitEvents(tx, changes, cause, this.emitContext)
  }

  addHandler(handler: WebhookHandler, events: SubscribedTypes): Endpoint {
    const id = this.context.handlerId(++this.#handlerCount)
    const added = { id, url: null, events, enabled: true, created_at: this.#host.clock.timestamp(), handler }
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
  secretsOf(endpoint: Pick<Endpoint, 'id' | 'rotation'>): [newest: string, ...older: string[]] {
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
    this.#cancelTimer()
    this.#cancelTimer = () => undefined
    this.#notify()
    if (this.#handlers.size === 0 || !this.context.exists(this.#host)) return
    const next = this.#nextDue(this.#host)
    if (!next) return
    const { clock } = this.#host
    const delay = next.due - clock.now()
    const run = (): void => {
      // Deliveries that are being made go on until nothing is due.
      if (this.#isRunning) return
      this.#enqueue(() => this.#deliver()).catch((error: unknown) => this.context.onBug(error))
    }
    // No handler waits for what a timer does.
    delivering.run([], () => {
      if (delay <= 0) this.#cancelTimer = soon(run)
      else if (!clock.frozen) this.#cancelTimer = afterMachineTime(delay, run)
    })
  }

  /** Makes all attempts that are due. A handler that calls it gets its result immediately. */
  drain(): Promise<Drained> {
    if (this.isDelivering) {
      return Promise.resolve({ delivered: 0, failed: 0, waiting: countWaiting(this.#host.state) })
    }
    return this.#enqueue(() => this.#deliver())
  }

  /**
   * Makes the attempts that are due until an instant (ms), and moves the clock to each of them.
   * @param instantOf called when earlier deliveries have been made. @param finish called at the end, before others.
   */
  deliverUntil(instantOf: () => number, finish: (instant: number) => unknown): Promise<void> {
    return this.#enqueue(async () => {
      const instant = instantOf()
      await this.#deliver(instant)
      await finish(instant)
    })
  }

  /** Whether deliveries are being made. */
  get isBusy(): boolean {
    return this.#queued > 0
  }

  /** Whether the caller is a handler that this outbox waits for. */
  get isDelivering(): boolean {
    return delivering.getStore()?.includes(this) === true
  }

  /** The other outboxes that wait for the current work. */
  get #waiting(): Outbox[] {
    return (delivering.getStore() ?? []).filter((outbox) => outbox !== this)
  }

  /** Whether an attempt is due until an instant (ms). */
  isDueBy(instant: number): boolean {
    const next = this.#handlers.size === 0 ? undefined : this.#nextDue(this.#host)
    return next !== undefined && next.due <= instant
  }

  /** Cancels the timer and the current attempt: the rows were replaced, or the workspace was deleted or closed. */
  cancel(): void {
    this.#cancels += 1
    this.#cancelTimer()
    this.#cancelTimer = () => undefined
    this.#current?.abort(new Error('the workspace was reset, restored, deleted or closed'))
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#queued += 1
    const run = this.#last.then(async () => {
      this.#isRunning = true
      try {
        return await work()
      } finally {
        this.#isRunning = false
        this.#queued -= 1
      }
    })
    this.#last = run.catch(() => undefined)
    return run
  }

  async #deliver(until?: number): Promise<Drained> {
    const drained = { delivered: 0, failed: 0, waiting: 0 }
    const slice = new TimeSlice()
    for (let made = 0; this.context.exists(this.#host); made++) {
      if (slice.isOver) await slice.next()
      // A receiver must not see an event whose commit is rolled back.
      await this.context.persisted(this.#host)
      const due = await this.context.run(this.#host, (host) => this.#take(host, until))
      if (!due) break
      if (made === maxDeliveries) {
        // The last handler has planned the next one, so a timer would go on without an end.
        this.#cancelTimer()
        throw tooMany()
      }
      const outcome = await this.#attempt(due)
      const { disables } = outcome
      const isRecorded = await this.context.run(this.#host, (host) => this.#record(host, due, outcome))
      if (disables && isRecorded) this.updateHandler(due.endpoint.id, { enabled: false })
      if (isRecorded) drained[outcome.state] += 1
    }
    drained.waiting = countWaiting(this.#host.state)
    this.schedule()
    return drained
  }

  /** Returns the next attempt that is due, and moves the clock to its instant; undefined if none is. */
  #take(host: OutboxHost, until: number | undefined): DueAttempt | undefined {
    const next = this.#nextDue(host)
    if (!next) return undefined
    const { due } = next
    const now = host.clock.now()
    if (due > Math.max(now, until ?? now)) return undefined
    if (due > now) host.changeSettings((clock) => clock.set(due))
    return { ...next, at: host.clock.timestamp(), resets: host.resets, cancels: this.#cancels }
  }

  /** The earliest waiting attempt to a handler of this process. Those of other processes stay waiting. */
  #nextDue({ state }: OutboxHost): FoundAttempt | undefined {
    const first = state.find('events', 'waiting', allEvents)
    // Usually the first event has it: all of them are searched only if that waits for another process.
    const found = first && this.#earliestIn(first)
    if (!first || found?.isFirst) return found
    return waitingEvents(state).reduce<FoundAttempt | undefined>((earliest, event) => {
      const own = this.#earliestIn(event)
      return own && (!earliest || own.order < earliest.order) ? own : earliest
    }, undefined)
  }

  /** The earliest attempt of an event that a handler of this process can make. */
  #earliestIn(event: EventRow): FoundAttempt | undefined {
    const waiting = event.deliveries
      .filter(({ state }) => state === 'waiting')
      .map((attempt) => ({ attempt, order: attemptOrder(event, attempt) }))
      .toSorted((one, other) => (one.order < other.order ? -1 : 1))
    for (const [at, { attempt, order }] of waiting.entries()) {
      const endpoint = this.#handlers.get(attempt.endpoint_id ?? '')
      if (endpoint)
        return { event, attempt, endpoint, due: Date.parse(attempt.due), order, isFirst: at === 0 }
    }
    return undefined
  }

  async #attempt({ event, attempt, endpoint }: DueAttempt): Promise<AttemptOutcome> {
    const { description } = this.context
    if (providerName(description, event.type) === undefined) {
      const reason = `the description has no name for ${event.type}`
      return { state: 'failed', status: null, reason, disables: false }
    }
    const { body, headers } = this.deliveryOf(event, this.secretsOf(endpoint), undefined, attempt.faults)
    const stop = (this.#current = new AbortController())
    const request = new Request(noAddress, { method: 'POST', headers, body, signal: stop.signal })
    const timeout = durationMs(description.timeout) ?? 0
    let cancelTimeout = (): void => undefined
    const given = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason))
      cancelTimeout = afterMachineTime(timeout, () => {
        stop.abort(new Error(`did not answer within ${description.timeout}`))
      })
    })
    try {
      const called = delivering.run([...this.#waiting, this], async () => endpoint.handler(request))
      const answer: unknown = await Promise.race([called, given])
      discardBody(answer)
      return outcomeOf(answer, description)
    } catch (error) {
      const reason = this.context.hide(this.#host, failureOf(error)).slice(0, maxReason)
      return { state: 'failed', status: null, reason, disables: false }
    } finally {
      cancelTimeout()
      this.#current = undefined
    }
  }

  /** Records an outcome. Returns false if the attempt was canceled meanwhile: the workspace was reset or restored. */
  #record(
    host: OutboxHost,
    { event, attempt, at, resets, cancels }: DueAttempt,
    outcome: AttemptOutcome,
  ): boolean {
    if (!this.context.exists(host) || host.resets !== resets || this.#cancels !== cancels) return false
    const current = host.state.get('events', event.id)
    const waits = current?.deliveries.some(({ n, state }) => n === attempt.n && state === 'waiting')
    if (!current || !waits) return false
    host.write((tx) => {
      recordOutcome(tx, current, attempt, at, outcome, this.context.description)
      if (!outcome.disables) return
      const isMeant = ({ endpoint_id: id }: Attempt): boolean => id === attempt.endpoint_id
      skipWaiting(host.state, 'the endpoint was disabled', tx, isMeant)
    })
    const recorded = host.state.get('events', event.id)
    if (recorded) host.coverage.receiver.count(receiverPointsOf(recorded, attempt.n))
    return true
  }
}

function tooMany(): ConflictError {
  return new ConflictError(
    `there were ${maxDeliveries} deliveries and more are due: a handler seems to cause an event for each one that it receives`,
  )
}
