// One snapshot of a workspace: take, restore, diff.
import { skipWaiting } from '../events/waiting-attempts.ts'
import type { Clock, ClockReading } from '../runtime/clock.ts'
import type { StateDocument } from '../fixtures/state-document.ts'
import { dumpLazily, dumpState, type DumpOptions } from '../fixtures/dump.ts'
import type { State } from '../store/state.ts'
import { diffStates, type StateDiff } from './state-diff.ts'

/** A snapshot in a list; `restore` accepts it. */
export interface SandboxSnapshot {
  /** Missing if it was taken without a name: then only the returned object refers to it. */
  readonly name?: string
  /** When it was taken, on the clock of the workspace. */
  readonly created_at: string
  /** How many rows it has. */
  readonly rows: number
}

/** The parts of a workspace that a snapshot uses. */
interface Subject {
  readonly seed: number
  readonly state: State
  readonly clock: Clock
  replace(state: State, clock?: Clock): void
}

/** The contents of a snapshot. */
export interface SnapshotMoment {
  readonly created_at: string
  readonly state: State
  /** Only if it was set or frozen. */
  readonly clock: ClockReading | undefined
}

function momentOf({ state, clock }: Subject): SnapshotMoment {
  return {
    created_at: clock.timestamp(),
    state: state.fork(),
    clock: clock.changed ? clock.read() : undefined,
  }
}

/**
 * The rows and ids of a workspace at one moment, and its clock if that was set or frozen; no scenarios, no counters.
 * Rows are immutable, so a snapshot shares all of them: the cost of taking and restoring one does not depend on the
 * number of rows.
 */
export class Snapshot implements SandboxSnapshot {
  readonly name?: string
  readonly created_at: string
  readonly rows: number
  readonly #of: Subject
  readonly #state: State
  readonly #clock: ClockReading | undefined

  /** @param of the moment, if not now. */
  constructor(workspace: Subject, name?: string, of: SnapshotMoment = momentOf(workspace)) {
    if (name !== undefined) this.name = name
    this.created_at = of.created_at
    this.rows = of.state.rows
    this.#of = workspace
    this.#state = of.state
    this.#clock = of.clock
  }

  /** Its contents. Its state is immutable. */
  get moment(): SnapshotMoment {
    return { created_at: this.created_at, state: this.#state, clock: this.#clock }
  }

  isOf(workspace: Subject): boolean {
    return this.#of === workspace
  }

  /** As a state document; its rows are the snapshot's own. */
  document(): StateDocument {
    return dumpState(this.#state, this.#dumpOptions)
  }

  /** The document for writing it out. */
  dump(): Readonly<Record<string, unknown>> {
    return dumpLazily(this.#state, this.#dumpOptions)
  }

  get #dumpOptions(): DumpOptions {
    return { seed: this.#of.seed, ...(this.#clock ? { clock: this.#clock } : {}) }
  }

  diff(later: State | Snapshot): StateDiff {
    return diffStates(this.#state, later instanceof Snapshot ? later.#state : later)
  }

  /**
   * Restores the workspace to this moment. The clock moves back too, if the snapshot has one: `set` and `advance` only
   * move forward so that no row is older than its parents, and here all rows are restored with it.
   */
  restore(): void {
    const { clock } = this.#of
    const at = this.#clock
    const state = this.#state.fork()
    skipWaiting(state, 'the row was restored')
    this.#of.replace(state, at && clock.another({ at: Date.parse(at.now), frozen: at.frozen }))
  }
}
