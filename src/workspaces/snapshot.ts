// One snapshot of a workspace: taking it, going back to it (restore), and what changed since (diff).
import type { Clock, ClockReading } from '../runtime/clock.ts'
import type { StateDocument } from '../fixtures/state-document.ts'
import { dumpLazily, dumpState, type DumpOptions } from '../fixtures/dump.ts'
import type { State } from '../store/state.ts'
import { diffStates, type StateDiff } from './state-diff.ts'

/** A snapshot, as listings show it; `restore` takes it back. */
export interface SandboxSnapshot {
  /** Missing where it was taken without one: then only who holds the snapshot can use it. */
  readonly name?: string
  /** When it was taken, on the clock of the workspace. */
  readonly created_at: string
  /** How many rows it has. */
  readonly rows: number
}

/** As much of a workspace as a snapshot of it uses. */
interface Subject {
  readonly seed: number
  readonly state: State
  readonly clock: Clock
  replace(state: State, clock?: Clock): void
}

/** What a snapshot is made of. */
export interface SnapshotMoment {
  readonly created_at: string
  readonly state: State
  /** Only where it was set or frozen. */
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
 * Rows never change in place, so this shares all of them: taking one and going back cost the same for any number of
 * rows.
 */
export class Snapshot implements SandboxSnapshot {
  readonly name?: string
  readonly created_at: string
  readonly rows: number
  readonly #of: Subject
  readonly #state: State
  readonly #clock: ClockReading | undefined

  /** @param of the moment, where that is not now. */
  constructor(workspace: Subject, name?: string, of: SnapshotMoment = momentOf(workspace)) {
    if (name !== undefined) this.name = name
    this.created_at = of.created_at
    this.rows = of.state.rows
    this.#of = workspace
    this.#state = of.state
    this.#clock = of.clock
  }

  /** What it holds on to. Nobody writes to its state. */
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
   * Puts the workspace back to this moment. The clock goes back too, where the snapshot has one: `set` and `advance`
   * only go forward so that no row is older than its parents, and here all rows go back with it.
   */
  restore(): void {
    const { clock } = this.#of
    const at = this.#clock
    this.#of.replace(this.#state.fork(), at && clock.another({ at: Date.parse(at.now), frozen: at.frozen }))
  }
}
