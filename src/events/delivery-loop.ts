// The delivery loop of a workspace: takes the attempts that are due, makes them, and records their outcomes.
import { ConflictError } from '../input/refusals.ts'
import { yieldToEventLoop } from '../runtime/event-loop.ts'
import type { EventRow } from '../store/rows.ts'
import {
  countWaiting,
  failedAttempt,
  isForAny,
  waitingEvents,
  type Attempt,
  type AttemptOutcome,
} from './attempts.ts'
import { claimedElsewhere, claimFrom, holds } from './claims.ts'
import { providerName, type Delivery } from './delivery.ts'
import { secretProblem, type Endpoint } from './endpoints.ts'
import { Lanes } from './lanes.ts'
import type { SendToListener } from './listener-delivery.ts'
import { Listeners } from './listeners.ts'
import { makeAttempt } from './make-attempt.ts'
import { concurrentWith, nextAttempt, type CanMake, type FoundAttempt } from './next-attempt.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { recordAttempt } from './record-attempt.ts'
import { waitUntil, type ChangeSource } from './wait-until.ts'

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

/** How long a drain waits for other processes before it looks for attempts that it can make itself (ms). */
const maxPoll = 500

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
  /** The changes of the events of the workspace. */
  readonly changes: ChangeSource
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

  /** The next attempt that this process can make now. */
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
    const { context, endpointOf } = this.#parts
    if (!this.#lanes.isFree(event.id, attempt)) return undefined
    if (claimedElsewhere(attempt, context.claimant) > 0) return undefined
    return endpointOf(attempt.endpoint_id ?? '')
  }

  /** When the first claim of another process on an attempt ends, from now on (ms); undefined if there is none. */
  nextClaimEnd(isMeant: (attempt: Attempt) => boolean = () => true): number | undefined {
    const { host, context } = this.#parts
    const { claimant } = context
    if (!claimant) return undefined
    const ends = waitingEvents(host.state)
      .flatMap(({ deliveries }) => deliveries.filter((one) => one.state === 'waiting' && isMeant(one)))
      .map((attempt) => claimedElsewhere(attempt, claimant))
      .filter((left) => left > 0)
    return ends.length === 0 ? undefined : Math.min(...ends)
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
          else if (isTimer || !(await this.#waitForOthers(isCanceled() ? undefined : until))) break
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
    let started: StartedAttempt[] = []
    try {
      await context.run(host, (current) => {
        // It runs again if another process wrote meanwhile.
        endAll(started)
        started = this.#take(current, until, isMeant)
      })
    } catch (error) {
      endAll(started)
      throw error
    }
    return started
  }

  #take(host: OutboxHost, until: number | undefined, isMeant?: IsMeant): StartedAttempt[] {
    const { context } = this.#parts
    const found = this.#nextOf(host, isMeant)
    if (!found || !context.exists(host)) return []
    const { due } = found
    const now = host.clock.now()
    if (due > Math.max(now, until ?? now)) return []
    if (due > now) host.changeSettings((clock) => clock.set(due))
    return concurrentWith(found, this.#canMake).map((one) => this.#begin(host, one))
  }

  #begin(host: OutboxHost, found: FoundAttempt): StartedAttempt {
    const { event, attempt, endpoint } = found
    if (isForAny(endpoint)) this.#claim(host, event, attempt)
    const leave = this.#lanes.begin(event.id, attempt, () => this.#parts.schedule())
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

  /** Claims an attempt, if others share the store and this process does not hold it. */
  #claim(host: OutboxHost, event: EventRow, attempt: Attempt): void {
    const { claimant, description } = this.#parts.context
    if (!claimant || holds(attempt, claimant, description)) return
    const claim = claimFrom(claimant, description)
    // An attempt that is made at the same time may have been claimed just now.
    const current = host.state.get('events', event.id) ?? event
    const deliveries = current.deliveries.map((one) => (one.n === attempt.n ? { ...one, claim } : one))
    host.write((tx) => tx.put('events', { ...current, deliveries }))
  }

  async #make(started: StartedAttempt): Promise<void> {
    const { context, host, disable } = this.#parts
    try {
      const outcome = await this.#outcomeOf(started)
      if (outcome === undefined) return
      let state = this.#rowOf(host, started)?.state
      if (outcome !== 'reported') {
        if (!(await context.run(host, (current) => this.#record(current, started, outcome)))) return
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
    const { context, host, callHandler, deliveryOf, changes } = this.#parts
    const { event, attempt, endpoint } = started
    const { description, allowed, resolve } = context
    if (providerName(description, event.type) === undefined)
      return failedAttempt(`the description has no name for ${event.type}`)
    const problem = secretProblem(endpoint, description)
    if (problem !== undefined) return failedAttempt(`the secret of ${endpoint.id} ${problem}`)
    const delivery = deliveryOf(event, attempt, endpoint)
    if (endpoint.listener) {
      return this.#listeners.deliver(started, delivery, description, {
        changes,
        isOver: () => !this.#isCurrent(host, started),
        claim: () => this.#claimFor(started),
      })
    }
    const { signal } = started.stop
    const hide = (text: string): string => context.hide(host, text)
    const make = () =>
      makeAttempt(endpoint, delivery, { description, allowed: allowed(), resolve, signal, hide })
    return endpoint.handler ? callHandler(make) : make()
  }

  /** Claims an attempt whose listener is connected here. */
  async #claimFor(started: StartedAttempt): Promise<void> {
    const { context, host } = this.#parts
    await context.run(host, (current) => {
      const event = current.state.get('events', started.event.id)
      const attempt = this.#rowOf(current, started)
      if (event && attempt && this.#isCurrent(current, started)) this.#claim(current, event, attempt)
    })
  }

  #rowOf({ state }: OutboxHost, { event, attempt }: StartedAttempt): Attempt | undefined {
    return state.get('events', event.id)?.deliveries.find(({ n }) => n === attempt.n)
  }

  /**
   * Whether an attempt waits for its outcome here: the workspace was not reset or restored, and no other process has
   * claimed the attempt for its listener.
   */
  #isCurrent(host: OutboxHost, started: StartedAttempt): boolean {
    const { resets, cancels } = started
    const { claimant, exists } = this.#parts.context
    if (!exists(host) || host.resets !== resets || this.#cancels !== cancels) return false
    const row = this.#rowOf(host, started)
    const { listener } = started.endpoint
    return row?.state === 'waiting' && !(listener && claimedElsewhere(row, claimant) > 0)
  }

  /** Records an outcome. Returns false if the attempt was canceled meanwhile. */
  #record(host: OutboxHost, started: StartedAttempt, outcome: AttemptOutcome): boolean {
    const { event, attempt, endpoint, at } = started
    const current = host.state.get('events', event.id)
    if (!current || !this.#isCurrent(host, started)) return false
    recordAttempt(host, current, attempt, { at, outcome, clock: endpoint.clock }, this.#parts.context)
    return true
  }

  /** Waits until attempts of events that are due may begin, or other processes have made them. @returns whether there were some that may not. */
  async #waitForEarlier(eventIds: readonly string[]): Promise<boolean> {
    const { context, host, changes } = this.#parts
    const isHeldUp = (): boolean =>
      context.exists(host) &&
      eventIds.some((id) =>
        host.state
          .get('events', id)
          ?.deliveries.some(
            (one) =>
              one.state === 'waiting' &&
              Date.parse(one.due) <= host.clock.now() &&
              (!this.#lanes.isFree(id, one) || claimedElsewhere(one, context.claimant) > 0),
          ),
      )
    if (!isHeldUp()) return false
    await waitUntil(changes, () => !isHeldUp(), maxPoll)
    return true
  }

  /**
   * Waits for the attempts that other processes of a shared store make now.
   * @returns whether there were some that are due.
   */
  async #waitForOthers(until: number | undefined): Promise<boolean> {
    const { host, changes } = this.#parts
    const instant = Math.max(host.clock.now(), until ?? -Infinity)
    const nextEnd = (): number | undefined => this.nextClaimEnd(({ due }) => Date.parse(due) <= instant)
    const first = nextEnd()
    if (first === undefined) return false
    await waitUntil(changes, () => nextEnd() === undefined, Math.min(first + 1, maxPoll))
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
