// A workspace: rows, clock, ids, scenarios, journal and coverage of its own; commit, reset, replace.
import type { TestName } from '../call/test-of-call.ts'
import type { Coverage } from '../coverage/counting.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../runtime/clock.ts'
import { monotonicNow } from '../runtime/host.ts'
import { idAt } from '../runtime/ids.ts'
import type { ScenarioEngine, ScenarioStanding, ScenarioStart } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'
import { Transaction, type Change } from '../store/transaction.ts'
import { isSameIsolation, type Isolation } from './isolation.ts'
import type { IsolationPolicy } from './isolation-policy.ts'
import type { Keeper } from './keeper.ts'
import { defaultWorkspace } from './names.ts'
import type { PartnerKeys } from './partner-keys.ts'
import type { Snapshot } from './snapshot.ts'
import { Timeline, type ActionKind, type TimelineEntry } from './timeline.ts'
import { useOf } from './uses.ts'
import { rowsThatDiffer, type Watcher } from './watchers.ts'

export { defaultWorkspace }

/** What a workspace begins with and goes back to when it is reset. */
export interface Beginning {
  state: State
  clock: Clock
  /** The merchant key of rows that name no product. */
  firstProduct: string | undefined
}

/** All of a workspace that a call or a test can change, at one moment. Its state is never written to. */
export interface Checkpoint extends Beginning {
  readonly isolation: Isolation | undefined
  readonly scenarios: ScenarioStanding
  readonly snapshots: ReadonlyMap<string, Snapshot>
  readonly timeline: Timeline
  /** The state that the rows were forked from: the workspace has another one once its state was replaced. */
  readonly forkedFrom: State
  readonly revision: ScenarioEngine['revision']
  readonly resets: number
  readonly clears: { readonly journal: number; readonly coverage: number }
}

/** The state right after start, which every workspace begins with and a reset returns to. */
export interface Origin extends Beginning {
  seed: number
  policy: IsolationPolicy
  /** The journal of a new workspace. */
  journal: (name: string) => Journal
  /** The coverage of a new workspace, which the total of all counts too. */
  coverage: () => Coverage
  /** The scenarios of a new workspace; of one that begins with other ones, when those are given. */
  scenarios: (start?: ScenarioStart) => ScenarioEngine
}

const nothing: Partial<Beginning> = {}

/** An isolated copy of the state. */
export class Workspace {
  readonly name: string
  /** Decides the ids to come. */
  readonly seed: number
  readonly scenarios: ScenarioEngine
  readonly journal: Journal
  /** Which contract points its calls exercised; a reset does not touch it. */
  readonly coverage: Coverage
  /** What it begins with in place of what all others do. */
  own: Partial<Beginning>
  /** When it came into being, on its own clock. */
  createdAt: string
  /** How often it was reset. */
  resets = 0
  /** How many requests it has seen; kept outside the state, so restoring a state repeats no request id. */
  requests = 0
  /** How many calls and streams are open in it. */
  uses = 0
  /** When the last of them ended, or it came into being, in the machine's own time (ms), whatever its clock shows. */
  usedAt = monotonicNow()
  /** The test that it was created for, which names its calls. */
  test: TestName | undefined
  /** Who keeps its state elsewhere too, such as in a file. */
  keeper: Keeper | undefined
  /** Its named snapshots; most workspaces have none, and then nothing is kept for them. */
  snapshots: Map<string, Snapshot> | undefined
  /** What was done to it from outside the API; a reset adds an entry and clears none. */
  timeline = Timeline.empty
  /** Who watches it; undefined for nobody, which costs a call no more than looking. */
  watchers: Set<Watcher> | undefined
  #state: State
  #clock: Clock
  #firstProduct: string | undefined
  readonly #policy: IsolationPolicy
  #keys: PartnerKeys | undefined

  /**
   * @param start its scenarios, when they are not those of all others.
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
    this.isolation = isolation
    this.own = own
    const { state, clock, firstProduct } = { ...origin, ...own }
    this.journal = origin.journal(name)
    this.coverage = origin.coverage()
    this.scenarios = origin.scenarios(start)
    this.#state = state.fork()
    this.#keys?.call(this.#state)
    this.#clock = clock.again()
    this.#firstProduct = firstProduct
    this.createdAt = this.#clock.timestamp()
  }

  /** The rows as they are now. Another object after each `replace`, which is how a reader can tell. */
  get state(): State {
    return this.#state
  }

  get clock(): Clock {
    return this.#clock
  }

  /** Its owner, with `--isolation partner`; no key from outside opens a workspace without an owner then. */
  get isolation(): Isolation | undefined {
    return this.#keys?.isolation
  }

  /**
   * What is put in place from here on gets the keys of that. Every change of them passes here: where they are others,
   * whoever watches came with one that is ended.
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

  /** The merchant key of rows that name no product, as long as there is that product. */
  get firstProduct(): string | undefined {
    return this.#firstProduct
  }

  /** What a key of the baseline is followed by to be a key of this workspace. */
  get keySuffix(): string {
    return this.name === defaultWorkspace ? '' : `.${this.name}`
  }

  /**
   * What another workspace begins with that is to go on from here: rows, ids and clock. The cost is the same for any
   * number of rows.
   */
  copy(): Beginning {
    const { clock } = this
    const { now, frozen } = clock.read()
    return {
      state: this.#state.fork(),
      clock: clock.another(clock.changed ? { at: Date.parse(now), frozen } : {}),
      firstProduct: this.#firstProduct,
    }
  }

  /** The id of the next request, such as `req_default_1`. @param number the one that it was given elsewhere. */
  nextRequestId(number = this.requests + 1): string {
    this.requests = number
    return `req_${this.name}_${number}`
  }

  /** Begins a transaction on the state; it ends with `commit` or with its own `rollback`. */
  begin(): Transaction {
    const keys = this.#keys
    return new Transaction(
      this.#state,
      (place, prefix) => idAt(this.seed, place, prefix),
      keys && ((row) => keys.keyed(row)),
    )
  }

  /**
   * Ends a transaction: its writes stand. Every change of a row passes here.
   * @throws {NotSavedError} when they cannot be kept; then they are taken back.
   */
  commit(tx: Transaction): readonly Change[] {
    const { changes } = tx
    if (changes.length === 0) return changes
    if (this.keeper) {
      try {
        this.keeper.requireWritable()
      } catch (error) {
        tx.rollback()
        throw error
      }
      this.keeper.committed()
    }
    for (const { collection, after } of changes) {
      if (collection === 'api_keys' && after) this.journal.secrets.note([after])
    }
    return changes
  }

  /**
   * Changes rows from elsewhere than a call of the API: all that is written stands, or nothing of it.
   * @throws {NotSavedError} as `commit`.
   */
  write<T>(change: (tx: Transaction) => T): T {
    const tx = this.begin()
    let result: T
    try {
      result = change(tx)
      this.commit(tx)
    } catch (error) {
      tx.rollback()
      throw error
    }
    this.tellChanged(tx.changes)
    return result
  }

  /** Adds an action from outside the API to the timeline. @param summary one sentence without the full stop. */
  record(kind: ActionKind, summary: string): TimelineEntry {
    const id = `act_${this.name}_${this.requests}_${this.timeline.count + 1}`
    const entry = { id, at: this.#clock.timestamp(), kind, summary, test: this.test ?? null }
    this.timeline = this.timeline.with([entry])
    return entry
  }

  /** Tells who watches of rows that no entry of the journal tells of. */
  tellChanged(rows: Iterable<Pick<Change, 'collection' | 'id'>>): void {
    if (!this.watchers) return
    const changed = Array.from(rows, ({ collection, id }) => ({ collection, id }))
    if (changed.length === 0) return
    const number = this.journal.numberOther()
    for (const watcher of this.watchers) watcher.changed(number, changed)
  }

  /** Tells somebody what happens here from now on, which is a use of it. @returns ends it. */
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

  /** As if it had just come into being elsewhere, at that instant. */
  beginAs(beginning: Beginning, own: Partial<Beginning>, start: ScenarioStart | undefined, at: string): void {
    const { state, clock, firstProduct } = { ...beginning, ...own }
    this.own = own
    this.createdAt = at
    this.goBack(state.fork(), clock.again())
    this.#firstProduct = firstProduct
    this.requests = 0
    this.snapshots = undefined
    this.timeline = Timeline.empty
    this.scenarios.beginWith(start)
    this.journal.reset()
  }

  /** The rows that a reset brings back; nobody writes to them. */
  baseline(beginning: Beginning): State {
    const { state } = { ...beginning, ...this.own }
    if (!this.#keys) return state
    const keyed = state.fork()
    this.#keys.call(keyed)
    return keyed
  }

  /**
   * Back to the beginning: rows, ids, clock, scenarios, journal and request numbers. Snapshots stay.
   * @throws {NotSavedError} when that cannot be kept; then nothing changes.
   */
  reset(beginning: Beginning): void {
    const { state, clock, firstProduct } = { ...beginning, ...this.own }
    this.keeper?.requireWritable()
    this.#put(state.fork(), clock.again())
    this.keeper?.replaced()
    this.resets += 1
    this.requests = 0
    this.scenarios.reset()
    this.#firstProduct = firstProduct
    const number = this.journal.reset()
    for (const watcher of this.watchers ?? []) watcher.reset(number)
  }

  /**
   * Ends all its keys, as whoever watches: it has those again that it begins with, each with another text.
   * @param isolation what it has from here on.
   * @throws {NotSavedError} when that cannot be kept; then nothing changes.
   */
  rotate(beginning: Beginning, isolation: Isolation): PartnerKeys {
    this.keeper?.requireWritable()
    const state = this.#state.fork()
    const rows = [...state.all('api_keys')]
    for (const { id } of rows) state.delete('api_keys', id)
    for (const row of (this.own.state ?? beginning.state).all('api_keys')) state.put('api_keys', row)
    this.isolation = isolation
    this.#put(state)
    this.keeper?.replaced(true)
    if (!this.#keys) throw new Error('only partners have keys to rotate')
    return this.#keys
  }

  /**
   * Changes the clock, the scenarios or the named snapshots.
   * @throws {NotSavedError} when that cannot be persisted; then nothing changes.
   */
  changeSettings<T>(change: (clock: Clock) => T): T {
    this.keeper?.requireWritable()
    const result = change(this.#clock)
    this.keeper?.committed()
    return result
  }

  /**
   * Puts another state in place of this one, all at once, and another clock if one is given.
   * @throws {NotSavedError} when that cannot be kept; then nothing changes.
   */
  replace(state: State, clock?: Clock): void {
    this.keeper?.requireWritable()
    this.goBack(state, clock)
    this.keeper?.replaced()
  }

  /** The cost is the same for any number of rows. */
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
      revision: { ...this.scenarios.revision },
      resets: this.resets,
      clears: this.clears,
    }
  }

  /** How often its journal and its coverage were cleared. */
  get clears(): Checkpoint['clears'] {
    return { journal: this.journal.clears, coverage: this.coverage.clears }
  }

  /** Rolls it back to a checkpoint; resets and clears since then stand. */
  rollBack({ state, clock, firstProduct, isolation, scenarios, snapshots, timeline }: Checkpoint): void {
    this.isolation = isolation
    this.goBack(state.fork(), clock.fork())
    this.#firstProduct = firstProduct
    this.scenarios.resume(scenarios)
    this.timeline = timeline
    this.snapshots = snapshots.size === 0 ? undefined : new Map(snapshots)
  }

  /** Takes up what the keeper has kept, which is therefore not told of it. */
  goBack(state: State, clock?: Clock): void {
    const before = this.#state
    this.#put(state, clock)
    if (this.watchers) this.tellChanged(rowsThatDiffer(before, state))
  }

  /** Every state that takes the place of another passes here. */
  #put(state: State, clock?: Clock): void {
    this.#keys?.call(state)
    this.#state = state
    if (clock) this.#clock = clock
  }
}
