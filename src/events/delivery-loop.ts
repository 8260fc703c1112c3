// The delivery loop of a workspace: makes the attempts that are due, as the queue permits, and records their outcomes. A
// timer, a drain, or a clock that moves runs it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { ConflictError } from '../input/refusals.ts'
import { yieldToEventLoop } from '../runtime/event-loop.ts'
import { afterMachineTime, soon } from '../runtime/machine-timers.ts'
import type { EventRow } from '../store/rows.ts'
import { failedAttempt, type Attempt, type AttemptOutcome } from './attempts.ts'
import { countWaiting } from './waiting-attempts.ts'
import type { Changes } from './changes.ts'
import { providerName } from './bodies.ts'
import { DeliveryQueue, type StartedAttempt } from './delivery-queue.ts'
import { secretProblem } from './endpoints.ts'
import { deliveryOf } from './faults.ts'
import { Listeners } from './listeners.ts'
import { makeAttempt } from './make-attempt.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { recordAttempt } from './record-attempt.ts'
import type { WorkspaceEndpoints } from './workspace-endpoints.ts'

/** The result of a drain: how many attempts were made since the drain before it, by outcome, and how many still wait. */
export interface Drained {
  delivered: number
  failed: number
  waiting: number
}

/** Maximum number of deliveries of one run, as a receiver that causes an event for each one would never end. */
const maxDeliveries = 10_000

/** How many deliveries to handlers run before the loop yields to the event loop. */
const deliveriesPerYield = 100

/** The loops whose handlers run, in the asynchronous context of the last of them: one may drain another workspace. */
const delivering = new AsyncLocalStorage<readonly DeliveryLoop[]>()

export class DeliveryLoop {
  readonly #host: OutboxHost
  readonly #context: OutboxContext
  readonly #endpoints: WorkspaceEndpoints
  readonly #changes: Changes
  readonly #queue: DeliveryQueue
  readonly listeners: Listeners
  /** The attempts since the last drain, whether a timer, a call, a moved clock or the drain itself began them. */
  #made = { delivered: 0, failed: 0 }
  /** How often everything was canceled. */
  #cancels = 0
  #timer: { readonly isSoon: boolean; cancel(): void } | undefined
  /** How many runs go on or wait. */
  #runs = 0
  /** Settles when the runs that were requested so far have ended. */
  #lastRun: Promise<unknown> = Promise.resolve()

  constructor(host: OutboxHost, context: OutboxContext, endpoints: WorkspaceEndpoints, changes: Changes) {
    this.#host = host
    this.#context = context
    this.#endpoints = endpoints
    this.#changes = changes
    this.#queue = new DeliveryQueue(host, endpoints, context.slots, () => this.schedule())
    this.listeners = new Listeners(changes)
  }

  /** Whether deliveries are being made. */
  get isBusy(): boolean {
    return this.#runs > 0 || !this.#queue.isIdle
  }

  /** Whether the caller is a handler that this loop waits for. */
  get isDelivering(): boolean {
    return delivering.getStore()?.includes(this) === true
  }

  /** Whether an attempt is due until an instant (ms). */
  isDueBy(instant: number): boolean {
    return (this.#queue.next()?.due ?? Infinity) <= instant
  }

  /** Makes attempts that are due after the current work, and later ones by a timer. */
  schedule(): void {
    this.#changes.notify()
    // A run finds what is due now, and schedules at its end; so does one that begins soon.
    if (this.#runs > 0 || this.#timer?.isSoon) return
    this.#cancelTimer()
    if (this.#endpoints.isEmpty || this.#queue.isWaiting || !this.#context.exists(this.#host)) return
    const next = this.#queue.next()
    if (!next) return
    const { clock } = this.#host
    const delay = next.due - clock.now()
    // No handler waits for what a timer does.
    delivering.run([], () => {
      const run = (): void => this.#runByTimer()
      if (delay <= 0) this.#timer = { isSoon: true, cancel: soon(run) }
      else if (!clock.frozen) this.#timer = { isSoon: false, cancel: afterMachineTime(delay, run) }
    })
  }

  /** Makes all attempts that are due, and counts those since the last drain. A handler gets the result immediately. */
  drain(): Promise<Drained> {
    const waiting = (): number => countWaiting(this.#host.state)
    if (this.isDelivering) return Promise.resolve({ delivered: 0, failed: 0, waiting: waiting() })
    return this.#enqueue(async () => {
      await this.#run()
      const made = this.#made
      this.#made = { delivered: 0, failed: 0 }
      return { ...made, waiting: waiting() }
    })
  }

  /** Makes all attempts that are due, for the next drain to count. A handler does not wait for it. */
  deliver(): Promise<void> {
    return this.isDelivering ? Promise.resolve() : this.#enqueue(() => this.#run())
  }

  /**
   * Makes the attempts that are due until an instant (ms), and moves the clock to each of them. After a reset or a
   * restored snapshot meanwhile, the new clock does not move.
   * @param instantOf called when earlier deliveries have been made. @param finish called at the end, before others.
   */
  deliverUntil(instantOf: () => number, finish: (instant: number) => void): Promise<void> {
    return this.#enqueue(async () => {
      const until = instantOf()
      const cancels = this.#cancels
      await this.#run({ until })
      if (this.#context.exists(this.#host) && this.#cancels === cancels) finish(until)
    })
  }

  /** Makes the attempts of events that are due, after earlier ones to their endpoints, without a wait for other runs. */
  async deliverEvents(eventIds: readonly string[]): Promise<void> {
    const failures: unknown[] = []
    while (failures.length === 0) {
      const changed = this.#changes.next()
      const started = await this.#start(() => undefined, eventIds)
      if (started.length > 0)
        await Promise.all(started.map((one) => this.#fly(one, (error) => failures.push(error))))
      // Earlier attempts may wait for a handler.
      else if (this.isDelivering || !this.#queue.isHeldUp(eventIds)) return
      else await changed
    }
    throw failures[0]
  }

  /** Cancels the timer and the current attempts: the rows were replaced, or the workspace was deleted or closed. */
  cancel(): void {
    this.#cancelTimer()
    this.#cancels += 1
    this.#made = { delivered: 0, failed: 0 }
    this.#queue.cancel('the workspace was reset, restored, deleted or closed')
    this.#changes.notify()
  }

  /** Cancels the attempts to an endpoint: it was disabled or removed. */
  cancelFor(endpointId: string): void {
    this.#queue.cancel('the endpoint was disabled or removed', endpointId)
  }

  /** Records the outcome of an attempt that began then. */
  record(event: EventRow, attempt: Attempt, at: string, outcome: AttemptOutcome): void {
    const endpointId = attempt.endpoint_id ?? ''
    const clock = this.#endpoints.find(endpointId)?.clock
    recordAttempt(this.#host, event, attempt, { at, outcome, clock }, this.#context)
    if (outcome.disables) this.#endpoints.updateHandler(endpointId, { enabled: false })
    if (outcome.state !== 'skipped') this.#made[outcome.state] += 1
  }

  #cancelTimer(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #runByTimer(): void {
    this.#timer = undefined
    if (this.#runs > 0) return
    this.#enqueue(() => this.#run({ isTimer: true })).catch((error: unknown) => this.#context.onBug(error))
  }

  /** Does work after the runs that were requested before. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#runs += 1
    const run = this.#lastRun.then(work).finally(() => {
      this.#runs -= 1
    })
    // Not after an error: deliveries that cause each other would go on without an end.
    this.#lastRun = run.then(
      () => this.#runs === 0 && this.schedule(),
      () => undefined,
    )
    return run
  }

  /**
   * Makes the attempts that are due, until none is due and none is being made.
   * @param isTimer no caller waits: it ends when others do, and does not wait for the attempts that it began.
   * @param until moves the clock to the attempts that are due until this instant (ms).
   * @throws {ConflictError} if handlers cause deliveries without an end.
   */
  async #run({ until, isTimer = false }: { until?: number; isTimer?: boolean } = {}): Promise<void> {
    const cancels = this.#cancels
    // An attempt that is being made may plan an earlier one than the next that is known.
    const limit = (): number | undefined =>
      this.#queue.isIdle && this.#cancels === cancels ? until : undefined
    const isDone = (): boolean => isTimer || this.#queue.isIdle
    const isEnding = (): boolean => isTimer && this.#runs > 1
    let counted = 0
    let isOver = false
    const failures: unknown[] = []
    const fail = (error: unknown): void => {
      if (isOver) this.#context.onBug(error)
      else failures.push(error)
    }
    try {
      while (failures.length === 0 && !isEnding()) {
        const changed = this.#changes.next()
        const started = await this.#start(limit)
        const [first] = started
        if (!first) {
          if (isDone()) break
          await changed
          continue
        }
        const isHandler = first.endpoint.handler !== undefined
        const isCounted = isHandler || !isTimer
        // Each delivery has caused the next one, so the loop would go on without an end.
        if (isCounted && counted >= maxDeliveries) {
          for (const one of started) this.#queue.end(one)
          throw tooMany()
        }
        if (isCounted) counted += started.length
        const flights = started.map((one) => this.#fly(one, fail))
        if (!isHandler) continue
        await Promise.all(flights)
        // Handlers may take no time: without this, timers and sockets would wait for all deliveries.
        if (counted % deliveriesPerYield === 0) await yieldToEventLoop()
      }
    } finally {
      while (!isDone()) await this.#changes.next()
      isOver = true
    }
    if (failures.length > 0) throw failures[0]
  }

  /**
   * Begins the next attempt that is due, with those that are made at the same time, and moves the clock to its instant.
   * @param limit returns until when the clock may move (ms). @returns none if none is due or may begin.
   */
  async #start(limit: () => number | undefined, eventIds?: readonly string[]): Promise<StartedAttempt[]> {
    // A receiver must not see an event whose commit is rolled back.
    await this.#context.persisted(this.#host)
    const found = this.#queue.next(eventIds)
    if (!found || !this.#context.exists(this.#host)) return []
    const now = this.#host.clock.now()
    if (found.due > Math.max(now, limit() ?? now)) return []
    if (found.due > now) this.#host.changeSettings((clock) => clock.set(found.due))
    return this.#queue.begin(found)
  }

  /** Makes an attempt, and begins the next one. Never rejects. */
  async #fly(started: StartedAttempt, fail: (error: unknown) => void): Promise<void> {
    try {
      await this.#make(started)
      this.#queue.end(started)
      this.schedule()
    } catch (error) {
      // It still waits and would fail again: the next call schedules it.
      this.#queue.end(started)
      fail(error)
      this.#changes.notify()
    }
  }

  async #make(started: StartedAttempt): Promise<void> {
    const outcome = await this.#outcomeOf(started)
    const event = this.#host.state.get('events', started.event.id)
    if (outcome && event && this.#isCurrent(started)) this.record(event, started.attempt, started.at, outcome)
  }

  /** Returns the outcome of an attempt; undefined if the attempt has one, or no longer matters. */
  async #outcomeOf(started: StartedAttempt): Promise<AttemptOutcome | undefined> {
    const { event, attempt, endpoint, stop } = started
    const { description, allowed, resolve, hide, machineNow } = this.#context
    if (providerName(description, event.type) === undefined)
      return failedAttempt(`the description has no name for ${event.type}`)
    const problem = secretProblem(endpoint, description)
    if (problem !== undefined) return failedAttempt(`the secret of ${endpoint.id} ${problem}`)
    const time = endpoint.clock === 'sandbox' ? this.#host.clock.now() : machineNow()
    const secrets = this.#endpoints.secretsOf(endpoint)
    const delivery = deliveryOf(description, event, { time, secrets }, attempt.faults)
    if (endpoint.listener)
      return this.listeners.deliver(started, delivery, description, () => !this.#isCurrent(started))
    const make = (): Promise<AttemptOutcome> =>
      makeAttempt(endpoint, delivery, {
        description,
        allowed: allowed(),
        resolve,
        signal: stop.signal,
        hide: (text) => hide(this.#host, text),
      })
    return endpoint.handler ? delivering.run([...(delivering.getStore() ?? []), this], make) : make()
  }

  /** Whether an attempt waits for its outcome: neither it nor everything was canceled. */
  #isCurrent(started: StartedAttempt): boolean {
    const row = this.#host.state.get('events', started.event.id)
    const attempt = row?.deliveries.find(({ n }) => n === started.attempt.n)
    return this.#context.exists(this.#host) && this.#queue.has(started) && attempt?.state === 'waiting'
  }
}

const tooMany = (): ConflictError =>
  new ConflictError(
    `there were ${maxDeliveries} deliveries and more are due: a receiver seems to cause an event for each one that it receives`,
  )
