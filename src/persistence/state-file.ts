// States in a data file: saves whole ones, appends commits, and compacts the journal into a new snapshot.
import { documentText, dumpLazily } from '../documents/dump.ts'
import type { Clock } from '../runtime/clock.ts'
import type { DataFile } from './data-file.ts'
import { lineOf, type Entry } from './journal-lines.ts'
import type { State } from '../store/state.ts'
import { isDiskFailure } from './files.ts'

/** A state that nobody writes to, with what belongs to it. */
export interface Kept {
  state: State
  clock: Clock
  /** The number of the last commit in it. */
  seq: number
}

/** What one commit did, before it is written. */
export type Commit = Omit<Entry, 'kept'>

/** How large the journal may grow at least before a snapshot takes its place. */
const leastJournal = 4 * 2 ** 20

/** A snapshot that is made while commits go on. */
interface Compaction {
  /** The lines that were added since it was begun. */
  lines: string[]
  stop: AbortController
  /** Settles when it is made, or stopped, or has failed. */
  ended: Promise<void>
  hasEnded: boolean
  failure: unknown
}

/** Ends the making of a snapshot that is not needed any more. */
class GivenUp extends Error {}

/**
 * States in a data file: whole ones, and commits on top of them. When the journal has grown larger than the snapshot,
 * a new one is made in the background, and the journal forgets what is in it.
 */
export class StateFile {
  readonly #file: DataFile
  readonly #seed: number
  readonly #onSkipped: (error: unknown) => void
  #compaction: Compaction | undefined
  #compactFrom = leastJournal

  /** @param onSkipped told why a snapshot could not be made that nothing depends on yet. */
  constructor(file: DataFile, seed: number, onSkipped: (error: unknown) => void) {
    this.#file = file
    this.#seed = seed
    this.#onSkipped = onSkipped
  }

  /**
   * Puts a state in place of everything there is.
   * @param signal gives up when it is aborted, unless everything is written by then.
   */
  async save(kept: Kept, signal?: AbortSignal): Promise<void> {
    await this.#stopCompaction()
    await this.#file.save(this.#pieces(kept, signal))
  }

  /**
   * Adds commits.
   * @param kept the number of the last commit before them. @param after what they make of the state.
   */
  async append(commits: readonly Commit[], kept: number, after: Kept): Promise<void> {
    await this.#endCompaction()
    const lines = commits.map((commit) => lineOf({ ...commit, kept })).join('')
    await this.#file.append(lines)
    this.#compaction?.lines.push(lines)
    const { journal, snapshot } = this.#file.sizes
    if (!this.#compaction && journal > Math.max(this.#compactFrom, snapshot)) this.#compact(after)
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    await this.#stopCompaction()
    await this.#file.close()
  }

  #compact(kept: Kept): void {
    const stop = new AbortController()
    const compaction: Compaction = {
      lines: [],
      stop,
      ended: this.#file.snapshot(this.#pieces(kept, stop.signal)).then(
        () => void (compaction.hasEnded = true),
        (error: unknown) => {
          compaction.hasEnded = true
          compaction.failure = error
        },
      ),
      hasEnded: false,
      failure: undefined,
    }
    this.#compaction = compaction
  }

  /** Has the journal forget what a snapshot holds that was made meanwhile. */
  async #endCompaction(): Promise<void> {
    if (!this.#compaction?.hasEnded) return
    const { failure, lines } = this.#compaction
    this.#compaction = undefined
    if (failure === undefined) {
      this.#compactFrom = leastJournal
      return this.#file.forget(lines.join(''))
    }
    if (isDiskFailure(failure)) throw failure
    // Nothing is lost, as the journal has it all; after as much again, the next one may succeed.
    this.#compactFrom = this.#file.sizes.journal + leastJournal
    this.#onSkipped(failure)
  }

  async #stopCompaction(): Promise<void> {
    this.#compaction?.stop.abort()
    await this.#compaction?.ended
    this.#compaction = undefined
  }

  *#pieces({ state, clock, seq }: Kept, signal?: AbortSignal): Generator<string> {
    const reading = clock.changed ? { clock: clock.read() } : {}
    for (const piece of documentText(dumpLazily(state, { seed: this.#seed, seq, ...reading }))) {
      if (signal?.aborted) throw new GivenUp()
      yield piece
    }
  }
}

/** Whether saving ended because it was told to. */
export function wasGivenUp(error: unknown): boolean {
  return error instanceof GivenUp
}
