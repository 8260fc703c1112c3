// The delivery loop of a workspace: takes the attempts that are due, makes them, and records their outcomes.
import { ConflictError } from '../input/refusals.ts'
import { yieldToEventLoop } from '../runtime/event-loop.ts'
import type { EventRow } from '../store/rows.ts'
import { countWaiting, failedAttempt, type Attempt, type AttemptOutcome } from './attempts.ts'
import { providerName, type Delivery } from './delivery.ts'
import { secretProblem, type Endpoint } from './endpoints.ts'
import { Lanes } from './lanes.ts'
import type { SendToListener } from './listener-delivery.ts'
import { Listeners } from './listeners.ts'
import { makeAttempt } from './make-attempt.ts'
import { concurrentWith, nextAttempt, type CanMake, type FoundAttempt } from './next-attempt.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { recordAttempt } from './record-attempt.ts'
import { waitUntil, type Listen } from './wait-until.ts'

/** The result of a drain: how many attempts were made since the drain before it, by outcome, and how many still wait. */
export interface Drained {
  delivered: number
  failed: number
  waiting: number
}

/** Maximum number of deliveries of one drain, as a receiver that causes an event for each one would never end. */
const maxDeliveries = 10_000

/** How many deliveries to handlers run before the loop yields to the event loop. */
const deliveriesPerYield = 100

/** How long an early delivery waits for earlier attempts before it looks again (ms). */
const maxWait = 500

/** The parts of an outbox that its loop uses. */
export interface LoopParts {
  readonly host: OutboxHost
  readonly context: OutboxContext
  /** All endpoints of the workspace. */
  endpoints(): readonly Endpoint[]
  /** Returns an endpoint of the workspace. */
  endpointOf(id: string): Endpoint | undefined
  /** Writes the delivery of an attempt. */
  deliveryOf(event: EventRow, attempt: Attempt, endpoint: Endpoint): Delivery
  /** Calls a handler, so that what it calls is known to come from it. */
  callHandler<T>(call: () => T): T
  /** The answer to an attempt disabled a handler. */
  disable(id: string): void
  /** Listens to changes of the events of the workspace. */
  readonly listen: Listen
  notify(): void
  /** Runs the loop soon if an attempt is due, or by a timer. */
  schedule(): void
}

/** How the loop runs. */
interface RunOptions {
  /** Moves the clock to the attempts that are due until this instant (ms). */
  readonly until?: number | undefined
  /** Ends when other work waits: a timer runs it, and no caller waits for it. */
  readonly isTimer?: boolean
  /** Whether other work waits. */
  readonly isAwaited?: () => boolean
}

/** An attempt that is being made. */
interface StartedAttempt extends FoundAttempt {
  readonly at: string
  readonly resets: number
  readonly cancels: number
  /** Aborted when the attempt no longer matters. */
  readonly stop: AbortController
  /** Lets later attempts to its endpoint begin. */
  end(): void
}

/** Which attempts are meant; by default all. */
type IsMeant = (event: EventRow, attempt: Attempt) => boolean

export class DeliveryLoop {
  readonly #parts: LoopParts
  #lanes = new Lanes()
  readonly #listeners: Listeners
  /** How often attempts were canceled: an outcome from before counts for nothing. */
  #cancels = 0
  readonly #started = new Set<StartedAttempt>()
  /** The attempts since the last drain, whether a timer, a call, a moved clock or the drain itself began them. */
  #made = { delivered: 0, failed: 0 }
  #notifyRun: () => void = () => undefined
  /** Attempts that are being made. They outlive a run of a timer, and early ones belong to no run. */
  readonly #flights = new Set<Promise<void>>()

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#listeners = new Listeners(parts.notify)
  }

  /** The next attempt that can be made now. */
  get next(): FoundAttempt | undefined {
    return this.#nextOf(this.#parts.host)
  }

  #nextOf({ state }: OutboxHost, isMeant: IsMeant = () => true): FoundAttempt | undefined {
    // A receiver that hangs must not make each call search the attempts that wait for it.
    if (this.#lanes.areBusy(this.#parts.endpoints())) return undefined
    return nextAttempt(state, (event, attempt) =>
      isMeant(event, attempt) ? this.#canMake(event, attempt) : undefined,
    )
  }

  readonly #canMake: CanMake = (event, attempt) => {
    const { endpointOf } = this.#parts
    if (!this.#lanes.isFree(event.id, attempt)) return undefined
    return endpointOf(attempt.endpoint_id ?? '')
  }

  /** Whether attempts are being made. */
  get isMaking(): boolean {
    return this.#flights.size > 0
  }

  /** Returns a function that tells whether everything that was going on by now was canceled meanwhile. */
  cancellation(): () => boolean {
    const { context, host } = this.#parts
    const cancels = this.#cancels
    return () => !context.exists(host) || this.#cancels !== cancels
  }

  /** Other work waits. */
  notify(): void {
    this.#notifyRun()
  }

  /** Attempts were planned. A receiver that hangs must not make each call look for what could begin. */
  planned(): void {
    if (!this.#lanes.areBusy(this.#parts.endpoints())) this.#notifyRun()
  }

  /** Cancels the attempts that are being made. */
  cancel(): void {
    this.#cancels += 1
    this.#made = { delivered: 0, failed: 0 }
    this.#lanes = new Lanes()
    for (const { stop } of this.#started)
      stop.abort(new Error('the workspace was reset, restored, deleted or closed'))
    this.#notifyRun()
  }

  /** Cancels the attempts to an endpoint: it was disabled or removed. */
  cancelFor(endpointId: string): void {
    for (const { endpoint, stop } of this.#started)
      if (endpoint.id === endpointId) stop.abort(new Error('the endpoint was disabled or removed'))
  }

  /** Connects the listener of an endpoint. @returns a function that disconnects it. */
  connect(endpointId: string, send: SendToListener): () => void {
    return this.#listeners.connect(endpointId, send)
  }

  /**
   * Makes the attempts that are due.
   * @throws {ConflictError} if handlers cause deliveries without an end.
   */
  async run({ until, isTimer = false, isAwaited }: RunOptions = {}): Promise<void> {
    const { context, host } = this.#parts
    const isCanceled = this.cancellation()
    let counted = 0
    const failures: unknown[] = []
    let isOver = false
    let isEnding = false
    const fail = (error: unknown): void => {
      if (isOver) context.onBug(error)
      else failures.push(error)
    }
    try {
      while (context.exists(host) && failures.length === 0) {
        const changed = new Promise<void>((resolve) => {
          this.#notifyRun = resolve
        })
        isEnding = isTimer && isAwaited?.() === true
        // The work that waits looks after the attempts that are being made.
        if (isEnding) break
        // An attempt that is being made may plan an earlier one than the next that is known.
        const started = await this.#start(this.isMaking || isCanceled() ? undefined : until)
        const [first] = started
        if (!first) {
          // Not a race with the attempts: each race would add to what a slow one retains.
          if (this.isMaking) await changed
          else break
          continue
        }
        const isHandler = first.endpoint.handler !== undefined
        // Each delivery has caused the next one, so the loop would go on without an end.
        const isCounted = isHandler || !isTimer
        if (isCounted && counted >= maxDeliveries) {
          endAll(started)
          throw tooMany()
        }
        const flights = started.map((one) => this.#fly(this.#make(one).catch(fail)))
        if (isCounted) counted += started.length
        if (isHandler) await Promise.all(flights)
        else if (isTimer) await yieldToEventLoop()
        // Handlers may take no time: without this, timers and sockets would wait for all deliveries.
        if (isHandler && counted % deliveriesPerYield === 0) await yieldToEventLoop()
      }
    } finally {
      if (!isEnding) await Promise.all(this.#flights)
      isOver = true
    }
    if (failures.length > 0) throw failures[0]
  }

  /**
   * Makes the attempts that are due, and counts those since the last drain: a timer is often earlier than a drain that
   * comes over HTTP.
   * @throws {ConflictError} like `run`.
   */
  async drain(): Promise<Drained> {
    await this.run()
    const made = this.#made
    this.#made = { delivered: 0, failed: 0 }
    return { ...made, waiting: countWaiting(this.#parts.host.state) }
  }

  /**
   * Makes the attempts of events that are due, after earlier ones to their endpoints.
   * @param isHandler the caller is a handler: earlier attempts may wait for it.
   */
  async runFor(eventIds: readonly string[], isHandler: boolean): Promise<void> {
    for (;;) {
      const started = await this.#start(undefined, ({ id }) => eventIds.includes(id))
      if (started.length === 0) {
        if (isHandler || !(await this.#waitForEarlier(eventIds))) return
        continue
      }
      // The failure is that of the caller.
      const made = started.map((one) => this.#make(one))
      await Promise.all(made.map((one) => this.#fly(one.catch(() => undefined))))
      await Promise.all(made)
    }
  }

  /** Notes an attempt while it is being made. */
  #fly(attempt: Promise<void>): Promise<void> {
    const flight = attempt.finally(() => {
      this.#flights.delete(flight)
      this.#notifyRun()
      // Without a run, later attempts to the endpoint begin now.
      this.#parts.schedule()
    })
    this.#flights.add(flight)
    return flight
  }

  /**
   * Begins the next attempt that is due, with those that are made at the same time, and moves the clock to its instant.
   * @returns none if none is due.
   */
  async #start(until: number | undefined, isMeant?: IsMeant): Promise<StartedAttempt[]> {
    const { context, host } = this.#parts
    // A receiver must not see an event whose commit is rolled back.
    await context.persisted(host)
    const found = this.#nextOf(host, isMeant)
    if (!found || !context.exists(host)) return []
    const { due } = found
    const now = host.clock.now()
    if (due > Math.max(now, until ?? now)) return []
    if (due > now) host.changeSettings((clock) => clock.set(due))
    return concurrentWith(found, this.#canMake).map((one) => this.#begin(one))
  }

  #begin(found: FoundAttempt): StartedAttempt {
    const { host } = this.#parts
    const leave = this.#lanes.begin(found.event.id, found.attempt, () => this.#parts.schedule())
    const started: StartedAttempt = {
      ...found,
      at: host.clock.timestamp(),
      resets: host.resets,
      cancels: this.#cancels,
      stop: new AbortController(),
      end: () => {
        leave()
        this.#started.delete(started)
      },
    }
    this.#started.add(started)
    return started
  }

  async #make(started: StartedAttempt): Promise<void> {
    const { disable } = this.#parts
    try {
      const outcome = await this.#outcomeOf(started)
      if (outcome === undefined) return
      let state = this.#rowOf(started)?.state
      if (outcome !== 'reported') {
        if (!this.#record(started, outcome)) return
        if (outcome.disables) disable(started.endpoint.id)
        state = outcome.state
      }
      if (state === 'delivered' || state === 'failed') this.#made[state] += 1
    } finally {
      started.end()
    }
  }

  /** Makes an attempt. See `Listeners.deliver`. */
  async #outcomeOf(started: StartedAttempt): Promise<AttemptOutcome | 'reported' | undefined> {
    const { context, host, callHandler, deliveryOf, listen } = this.#parts
    const { event, attempt, endpoint } = started
    const { description, allowed, resolve } = context
    if (providerName(description, event.type) === undefined)
      return failedAttempt(`the description has no name for ${event.type}`)
    const problem = secretProblem(endpoint, description)
    if (problem !== undefined) return failedAttempt(`the secret of ${endpoint.id} ${problem}`)
    const delivery = deliveryOf(event, attempt, endpoint)
    if (endpoint.listener) {
      return this.#listeners.deliver(started, delivery, description, {
        listen,
        isOver: () => !this.#isCurrent(started),
      })
    }
    const { signal } = started.stop
    const hide = (text: string): string => context.hide(host, text)
    const make = () =>
      makeAttempt(endpoint, delivery, { description, allowed: allowed(), resolve, signal, hide })
    return endpoint.handler ? callHandler(make) : make()
  }

  #rowOf({ event, attempt }: StartedAttempt): Attempt | undefined {
    return this.#parts.host.state.get('events', event.id)?.deliveries.find(({ n }) => n === attempt.n)
  }

  /** Whether an attempt waits for its outcome: the workspace was not reset or restored. */
  #isCurrent(started: StartedAttempt): boolean {
    const { context, host } = this.#parts
    const { resets, cancels } = started
    if (!context.exists(host) || host.resets !== resets || this.#cancels !== cancels) return false
    return this.#rowOf(started)?.state === 'waiting'
  }

  /** Records an outcome. Returns false if the attempt was canceled meanwhile. */
  #record(started: StartedAttempt, outcome: AttemptOutcome): boolean {
    const { host } = this.#parts
    const { event, attempt, endpoint, at } = started
    const current = host.state.get('events', event.id)
    if (!current || !this.#isCurrent(started)) return false
    recordAttempt(host, current, attempt, { at, outcome, clock: endpoint.clock }, this.#parts.context)
    return true
  }

  /** Waits until attempts of events that are due may begin. @returns whether there were some that may not. */
  async #waitForEarlier(eventIds: readonly string[]): Promise<boolean> {
    const { context, host, listen } = this.#parts
    const isHeldUp = (): boolean =>
      context.exists(host) &&
      eventIds.some((id) =>
        host.state
          .get('events', id)
          ?.deliveries.some(
            (one) =>
              one.state === 'waiting' &&
              Date.parse(one.due) <= host.clock.now() &&
              !this.#lanes.isFree(id, one),
          ),
      )
    if (!isHeldUp()) return false
    await waitUntil(listen, () => !isHeldUp(), maxWait)
    return true
  }
}

function endAll(started: readonly StartedAttempt[]): void {
  for (const one of started) one.end()
}

function tooMany(): ConflictError {
  return new ConflictError(
    `there were ${maxDeliveries} deliveries and more are due: a receiver seems to cause an event for each one that it receives`,
  )
}
