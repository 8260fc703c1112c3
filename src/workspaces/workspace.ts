// A workspace: rows, clock, ids, scenarios, journal and coverage of its own; commit, reset, replace.
import type { TestName } from '../call/test-of-call.ts'
import type { Coverage } from '../coverage/counting.ts'
import { skipWaiting } from '../events/waiting-attempts.ts'
import type { EventCause } from '../events/emit-events.ts'
import type { OutboxHost } from '../events/outbox-context.ts'
import type { Outbox } from '../events/outbox.ts'
import type { Journal } from '../journal/journal.ts'
import { requestPrefix } from '../journal/request-id.ts'
import type { Clock } from '../runtime/clock.ts'
import { monotonicNow } from '../runtime/host.ts'
import { idAt } from '../runtime/ids.ts'
import type { ScenarioEngine, ScenarioState, ScenarioStart } from '../scenarios/engine.ts'
import { nextGeneration, withoutRepeats } from '../store/sequences.ts'
import type { State } from '../store/state.ts'
import { Transaction, type Change } from '../store/transaction.ts'
import { isSameIsolation, type Isolation } from './isolation.ts'
import type { IsolationPolicy } from './isolation-policy.ts'
import type { Saver } from './saver.ts'
import { defaultWorkspace } from './names.ts'
import type { PartnerKeys } from './partner-keys.ts'
import type { Snapshot } from './snapshot.ts'
import { Timeline, type ActionKind, type TimelineEntry } from './timeline.ts'
import { useOf } from './open-uses.ts'
import { rowsThatDiffer, type Watcher } from './watchers.ts'

export { defaultWorkspace }

/** The initial state of a workspace, which a reset restores. */
export interface Beginning {
  state: State
  clock: Clock
  /** The merchant key of rows that have no product. */
  firstProduct: string | undefined
  /** The name of the workspace whose ids it continues, as the copy of a replay does; omitted for ids of its own. */
  idsOf?: string
}

/** Everything in a workspace that a call or a test can change, at one moment. Its state is immutable. */
export interface Checkpoint extends Beginning {
  readonly isolation: Isolation | undefined
  readonly scenarios: ScenarioState
  readonly snapshots: ReadonlyMap<string, Snapshot>
  readonly timeline: Timeline
  /** The state that the rows were forked from: the workspace has another one after its state was replaced. */
  readonly forkedFrom: State
  readonly revision: ScenarioEngine['revision']
}

/** The state right after start, which every workspace begins with and a reset restores. */
export interface Origin extends Beginning {
  seed: number
  /** The number of the sandbox in a run of several, from 2; undefined for the first and for a sandbox alone. */
  runNumber?: number | undefined
  /** Returns the test that runs now, which names the calls of a workspace that was created for no test. */
  runningTest?: (() => TestName | undefined) | undefined
  policy: IsolationPolicy
  /** The journal of a new workspace. */
  journal: (name: string) => Journal
  /** The coverage of a new workspace, which the total also counts. */
  coverage: () => Coverage
  /** Returns the scenarios of a new workspace; with an argument, of one that begins with other scenarios. */
  scenarios: (start?: ScenarioStart) => ScenarioEngine
  /** Returns the outbox of a new workspace; absent if no webhook events are served. */
  outbox?: ((host: OutboxHost) => Outbox) | undefined
}

const nothing: Partial<Beginning> = {}

/** An isolated copy of the state. */
export class Workspace {
  readonly name: string
  /** Determines the next ids. */
  readonly seed: number
  readonly scenarios: ScenarioEngine
  readonly journal: Journal
  /** The contract points that its calls exercised; a reset does not clear them. */
  readonly coverage: Coverage
  /** Its own initial state, in place of the common one. */
  own: Partial<Beginning>
  /** When it was created, on its own clock. */
  createdAt: string
  /** How many requests it has seen; stored outside the state, so that restoring a state repeats no request id. */
  requests = 0
  /** How many calls and streams are open in it. */
  uses = 0
  /** The last access in monotonic time (ms), whatever its clock shows. */
  usedAt = monotonicNow()
  /** The test that it was created for. */
  ownTest: TestName | undefined
  /** Saves its state elsewhere, such as in a file. */
  saver: Saver | undefined
  /** Its named snapshots; most workspaces have none, and then nothing is allocated. */
  snapshots: Map<string, Snapshot> | undefined
  /** Actions from outside the API; a reset adds an entry and clears none. */
  timeline = Timeline.empty
  /** Creates and delivers its webhook events; undefined if none are served. */
  readonly outbox: Outbox | undefined
  /** Its watchers; undefined for none, which costs a call almost nothing. */
  watchers: Set<Watcher> | undefined
  #state: State
  #clock: Clock
  #firstProduct: string | undefined
  readonly #policy: IsolationPolicy
  readonly #runNumber: number | undefined
  readonly #runningTest: Origin['runningTest']
  #keys: PartnerKeys | undefined

  /**
   * @param start its scenarios, if they differ from the common ones.
   * @param isolation its owner, with `--isolation partner`.
   */
  constructor(
    name: string,
    origin: Origin,
    own: Partial<Beginning> = nothing,
    start?: ScenarioStart,
    isolation?: Isolation,
  ) {
    this.name = name
    this.seed = origin.seed
    this.#policy = origin.policy
    this.#runNumber = origin.runNumber
    this.#runningTest = origin.runningTest
    this.isolation = isolation
    this.own = own
    const { state, clock, firstProduct } = { ...origin, ...own }
    this.journal = origin.journal(name)
    this.coverage = origin.coverage()
    this.scenarios = origin.scenarios(start)
    this.#state = state.fork()
    this.#keys?.replaceKeys(this.#state)
    this.#clock = clock.again()
    this.#firstProduct = firstProduct
    this.createdAt = this.#clock.timestamp()
    this.outbox = origin.outbox?.(this)
  }

  /** The current rows. Another object after each `replace`, by which a reader can detect it. */
  get state(): State {
    return this.#state
  }

  get clock(): Clock {
    return this.#clock
  }

  /** The test that names its calls. */
  get test(): TestName | undefined {
    return this.ownTest ?? this.#runningTest?.()
  }

  /** Its owner, with `--isolation partner`; a workspace without an owner then cannot be opened by any key. */
  get isolation(): Isolation | undefined {
    return this.#keys?.isolation
  }

  /**
   * Rows written from here on get the keys of that owner. Every change of keys goes through here: if they differ, the
   * watchers used a revoked one.
   */
  set isolation(isolation: Isolation | undefined) {
    if (isSameIsolation(isolation, this.isolation)) return
    this.#keys = isolation && this.#policy.keysOf(isolation)
    for (const watcher of this.watchers ?? []) watcher.end()
  }

  /** The keys that open it, with `--isolation partner`. */
  get keys(): PartnerKeys | undefined {
    return this.#keys
  }

  /** The merchant key of rows that have no product, while that product exists. */
  get firstProduct(): string | undefined {
    return this.#firstProduct
  }

  /** The suffix that makes a key of the baseline a key of this workspace. */
  get keySuffix(): string {
    return this.name === defaultWorkspace ? '' : `.${this.name}`
  }

  /** The name of the workspace from which its ids derive: its own, unless it is the copy of a replay. */
  get idsOf(): string {
    return this.own.idsOf ?? this.name
  }

  /** Like `copy`, for a replay: the next id is the one that this workspace would create next. */
  copyForReplay(): Beginning {
    return { ...this.copy(), idsOf: this.idsOf }
  }

  /**
   * Returns the initial state of another workspace that continues from here: rows, clock and the position of its ids.
   * The cost does not depend on the number of rows. It delivers no events.
   */
  copy(): Beginning {
    const { clock } = this
    const { now, frozen } = clock.read()
    const state = this.#state.fork()
    skipWaiting(state, 'the workspace is a copy')
    for (const endpoint of state.all('webhook_endpoints'))
      state.put('webhook_endpoints', { ...endpoint, enabled: false })
    return {
      state,
      clock: clock.another(clock.changed ? { at: Date.parse(now), frozen } : {}),
      firstProduct: this.#firstProduct,
    }
  }

  /**
   * Returns the id of the next request, such as `req_default_1`; `req_2-default_1` in the second sandbox of a run, whose
   * sandboxes never share an id.
   */
  nextRequestId(): string {
    this.requests += 1
    this.saver?.numbered(this.requests)
    return `req_${requestPrefix(this.#runNumber)}${this.name}_${this.requests}`
  }

  /** Begins a transaction on the state; `commit` or its own `rollback` ends it. */
  begin(): Transaction {
    const keys = this.#keys
    const salt = this.idsOf === defaultWorkspace ? '' : this.idsOf
    return new Transaction(
      this.#state,
      (place, prefix) => idAt(this.seed, place, prefix, salt),
      keys && ((row) => keys.keyed(row)),
    )
  }

  /**
   * Commits a transaction. Every change of a row goes through here.
   * @param cause of its webhook events; without one it creates none.
   * @returns its changes, without those of events.
   * @throws {NotSavedError} if it cannot be saved; then it is rolled back.
   */
  commit(tx: Transaction, cause?: EventCause): readonly Change[] {
    const changes = this.outbox && cause ? [...tx.changes] : tx.changes
    if (changes.length === 0) return changes
    const events = cause && this.outbox?.emit(tx, changes, cause)
    this.outbox?.skipRemoved(tx, changes)
    if (this.saver) {
      try {
        this.saver.requireWritable()
      } catch (error) {
        tx.rollback()
        throw error
      }
      this.saver.committed()
    }
    for (const { collection, after } of changes) {
      if ((collection === 'api_keys' || collection === 'webhook_endpoints') && after)
        this.journal.secrets.note([after])
    }
    if (events && events.length > 0)
      this.notifyChanged(events.map(({ id }) => ({ collection: 'events', id })))
    return changes
  }

  /**
   * Changes rows by other means than a call of the API: all writes are committed, or none.
   * @param cause of its webhook events; without one it creates none.
   * @throws {NotSavedError} like `commit`.
   */
  write<T>(change: (tx: Transaction) => T, cause?: EventCause): T {
    const tx = this.begin()
    let result: T
    let changes: readonly Change[]
    try {
      result = change(tx)
      changes = this.commit(tx, cause)
    } catch (error) {
      tx.rollback()
      throw error
    }
    this.notifyChanged(changes)
    return result
  }

  /** Adds an action from outside the API to the timeline. @param summary one sentence without the full stop. */
  record(kind: ActionKind, summary: string): TimelineEntry {
    const id = `act_${this.name}_${this.requests}_${this.timeline.count + 1}`
    const entry = { id, at: this.#clock.timestamp(), kind, summary, test: this.test ?? null }
    this.timeline = this.timeline.with([entry])
    return entry
  }

  /** Notifies the watchers of changed rows that are in no entry of the journal. */
  notifyChanged(rows: Iterable<Pick<Change, 'collection' | 'id'>>): void {
    if (!this.watchers) return
    const changed = Array.from(rows, ({ collection, id }) => ({ collection, id }))
    if (changed.length === 0) return
    const number = this.journal.numberOther()
    for (const watcher of this.watchers) watcher.changed(number, changed)
  }

  /** Notifies a watcher of all events from now on, which counts as a use. @returns a function that stops it. */
  watch(watcher: Watcher): () => void {
    const watchers = (this.watchers ??= new Set())
    const endUse = useOf(this)
    watchers.add(watcher)
    return () => {
      endUse()
      watchers.delete(watcher)
      if (watchers.size === 0 && this.watchers === watchers) this.watchers = undefined
    }
  }

  /** The rows that a reset restores; immutable. */
  baseline(beginning: Beginning): State {
    const { state } = { ...beginning, ...this.own }
    if (!this.#keys) return state
    const keyed = state.fork()
    this.#keys.replaceKeys(keyed)
    return keyed
  }

  /**
   * Restores the initial state: rows, ids, clock, scenarios, journal and request numbers. Snapshots stay.
   * @param continuesIds whether the position of the ids stays.
   * @throws {NotSavedError} if it cannot be saved; then nothing changes.
   */
  reset(beginning: Beginning, continuesIds = false): void {
    const { state, clock, firstProduct } = { ...beginning, ...this.own }
    this.saver?.requireWritable()
    this.outbox?.cancel()
    const restored = state.fork()
    if (continuesIds) restored.ids = this.#state.ids
    if (this.outbox) restored.sequences = nextGeneration(restored.sequences, this.#state.sequences)
    this.#put(restored, clock.again())
    this.saver?.replaced()
    this.requests = 0
    this.scenarios.reset()
    this.#firstProduct = firstProduct
    const number = this.journal.reset()
    for (const watcher of this.watchers ?? []) watcher.reset(number)
  }

  /**
   * Revokes all its keys and disconnects the watchers: it has its initial keys again, each with another text.
   * @param isolation its owner from here on.
   * @throws {NotSavedError} if it cannot be saved; then nothing changes.
   */
  rotate(beginning: Beginning, isolation: Isolation): PartnerKeys {
    this.saver?.requireWritable()
    const state = this.#state.fork()
    const rows = [...state.all('api_keys')]
    for (const { id } of rows) state.delete('api_keys', id)
    for (const row of (this.own.state ?? beginning.state).all('api_keys')) state.put('api_keys', row)
    this.isolation = isolation
    this.#put(state)
    this.saver?.replaced(true)
    if (!this.#keys) throw new Error('only partners have keys to rotate')
    return this.#keys
  }

  /**
   * Changes the clock, the scenarios or the named snapshots.
   * @throws {NotSavedError} if it cannot be saved; then nothing changes.
   */
  changeSettings<T>(change: (clock: Clock) => T): T {
    this.saver?.requireWritable()
    const result = change(this.#clock)
    this.saver?.committed()
    return result
  }

  /**
   * Replaces the whole state at once, and the clock if one is provided.
   * @throws {NotSavedError} if it cannot be saved; then nothing changes.
   */
  replace(state: State, clock?: Clock): void {
    this.saver?.requireWritable()
    this.outbox?.cancel()
    state.sequences = withoutRepeats(state.sequences, this.#state.sequences)
    this.applyState(state, clock)
    this.saver?.replaced()
  }

  /** The cost does not depend on the number of rows. */
  checkpoint(): Checkpoint {
    return {
      state: this.#state.fork(),
      clock: this.#clock.fork(),
      firstProduct: this.#firstProduct,
      isolation: this.isolation,
      scenarios: this.scenarios.copy(),
      snapshots: new Map(this.snapshots),
      timeline: this.timeline,
      forkedFrom: this.#state,
      revision: this.scenarios.revision,
    }
  }

  /** Rolls it back to a checkpoint; resets and clears since then stay. */
  rollBack({ state, clock, firstProduct, isolation, scenarios, snapshots, timeline }: Checkpoint): void {
    this.isolation = isolation
    this.applyState(state.fork(), clock.fork())
    this.#firstProduct = firstProduct
    this.scenarios.resume(scenarios)
    this.timeline = timeline
    this.snapshots = snapshots.size === 0 ? undefined : new Map(snapshots)
  }

  /** Loads the saved state, so the storage is not notified of it. */
  applyState(state: State, clock?: Clock): void {
    const before = this.#state
    this.#put(state, clock)
    if (this.watchers) this.notifyChanged(rowsThatDiffer(before, state))
  }

  /** Every state that replaces another goes through here. */
  #put(state: State, clock?: Clock): void {
    this.#keys?.replaceKeys(state)
    this.#state = state
    if (clock) this.#clock = clock
    this.outbox?.schedule()
  }
}
