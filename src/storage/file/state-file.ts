// Saves states in a data file: whole states, appended commits, and compaction of the journal into a new snapshot.
import { documentText, dumpLazily } from '../../fixtures/dump.ts'
import { uniqueName } from '../../runtime/host.ts'
import type { DataFile } from './data-file.ts'
import { sealed } from './checksum.ts'
import type { SandboxPart } from '../../fixtures/state-document.ts'
import { headerOf, lineOf } from './journal-lines.ts'
import type { Delta } from '../delta.ts'
import type { PartnerKeys } from '../../workspaces/partner-keys.ts'
import { isFinal } from './files.ts'
import type { Checkpoint } from '../../workspaces/workspace.ts'

/** A checkpoint of a workspace in the form of its file. */
export interface FileCheckpoint extends Checkpoint {
  /** The keys that open the workspace, with partner isolation. */
  readonly keys: PartnerKeys | undefined
  /** Its scenarios are the initial ones, so the file has none. */
  readonly hasStartScenarios: boolean
  /** The number of the last commit in it. */
  readonly seq: number
}

/** Minimum size of the journal in bytes before a snapshot replaces it. */
const usualMinJournalBytes = 4 * 2 ** 20

/** How to write states. */
export interface StateFileOptions {
  seed: number
  /** Whether there is a journal next to the snapshot. */
  keepsJournal: boolean
  /** The journal that the loaded snapshot names. */
  journal: string | undefined
  /** Returns the workspace part of the document for a state; without it, the document has none. */
  aboutWorkspace?: (checkpoint: FileCheckpoint) => SandboxPart['workspace']
  /** Removes leftovers of other processes before the first write. */
  clear?: () => Promise<void>
  /** Minimum size of the journal in bytes before a snapshot replaces it; tests set a smaller one. */
  minJournalBytes?: number | undefined
  /** Called with the reason if a background snapshot failed; no data depends on it yet. */
  onSkipped(error: unknown): void
}

/** A snapshot that is written in the background while commits continue. */
interface Compaction {
  /** Size in bytes of the journal lines appended since it began. */
  lines: string[]
  stop: AbortController
  /** Settles when it is finished, aborted, or has failed. */
  ended: Promise<void>
  hasEnded: boolean
  failure: unknown
}

/** Aborts a snapshot that is no longer needed. */
export class GivenUp extends Error {}

/**
 * When the journal has grown larger than the snapshot, a new snapshot is written in the background, and the journal
 * drops the commits in it.
 */
export class StateFile {
  readonly #file: DataFile
  readonly #options: StateFileOptions
  /** The journal of the snapshot, until the journal is closed. */
  #journal: string | undefined
  /** The number of the last commit in the latest snapshot. */
  #snapshotSeq: number | undefined
  #compaction: Compaction | undefined
  readonly #minJournalBytes: number
  #compactFrom: number
  #hasStarted = false

  constructor(file: DataFile, options: StateFileOptions) {
    this.#file = file
    this.#options = options
    this.#journal = options.journal
    this.#minJournalBytes = options.minJournalBytes ?? usualMinJournalBytes
    this.#compactFrom = this.#minJournalBytes
  }

  /** Whether anything was written; until then the file is as it was found. */
  get hasStarted(): boolean {
    return this.#hasStarted
  }

  /** Aborted with a LostLockError as soon as another sandbox is seen to use the file. */
  get lost(): AbortSignal {
    return this.#file.lost
  }

  /**
   * Starts with a state that was loaded or is the first. The files fit together if the machine stops at any point: an
   * existing journal is merged into a snapshot that needs none, a new journal is on the disk before the snapshot that
   * names it, and it is empty until then.
   * @param signal aborts, unless everything is written by then.
   */
  async start(checkpoint: FileCheckpoint, signal?: AbortSignal): Promise<void> {
    await this.#options.clear?.()
    if (this.#options.keepsJournal) await this.#startWithJournal(checkpoint, signal)
    else await this.end(checkpoint, signal)
    this.#hasStarted = true
  }

  async #startWithJournal(checkpoint: FileCheckpoint, signal: AbortSignal | undefined): Promise<void> {
    if (await this.#file.hasJournal()) await this.#snapshot(checkpoint, { closed: true, signal })
    this.#journal = uniqueName()
    await this.#file.begin(headerOf(this.#journal))
    await this.#snapshot(checkpoint, { signal })
  }

  /**
   * Replaces everything by a state.
   * @param endsKeys whether the previous snapshot has revoked keys: then it is removed, too.
   */
  async save(checkpoint: FileCheckpoint, endsKeys = false): Promise<void> {
    if (this.#hasStarted) {
      await this.#stopCompaction()
      await this.#snapshot(checkpoint)
    } else await this.start(checkpoint)
    if (endsKeys && this.#options.keepsJournal) await this.#snapshot(checkpoint, { isAnother: true })
    await this.#file.forget('')
  }

  /**
   * Replaces everything by a last state, which needs no journal.
   * @param signal aborts, unless everything is written by then.
   */
  async end(checkpoint: FileCheckpoint, signal?: AbortSignal): Promise<void> {
    await this.#stopCompaction()
    await this.#snapshot(checkpoint, { closed: true, signal })
    await this.#file.end()
  }

  async #snapshot(
    checkpoint: FileCheckpoint,
    {
      isAnother = checkpoint.seq !== this.#snapshotSeq,
      ...how
    }: { closed?: true; isAnother?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    await this.#file.snapshot((previous) => this.#chunks(checkpoint, how, previous), isAnother)
    this.#snapshotSeq = checkpoint.seq
  }

  /** Appends the delta between two checkpoints. @param kept the number of the last commit before it. */
  async append(delta: Delta, kept: number, after: FileCheckpoint): Promise<void> {
    if (!this.#hasStarted) return this.start(after)
    await this.#endCompaction()
    const lines = lineOf({ seq: after.seq, kept, delta })
    await this.#file.append(lines)
    this.#compaction?.lines.push(lines)
    const { journal, snapshot } = this.#file.sizes
    if (!this.#compaction && journal > Math.max(this.#compactFrom, snapshot)) this.#compact(after)
  }

  /** Releases the file. */
  async close(): Promise<void> {
    await this.#stopCompaction()
    await this.#file.close()
  }

  #compact(checkpoint: FileCheckpoint): void {
    const stop = new AbortController()
    const compaction: Compaction = {
      lines: [],
      stop,
      ended: this.#snapshot(checkpoint, { signal: stop.signal }).then(
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

  /** Removes the commits from the journal that the background snapshot contains. */
  async #endCompaction(): Promise<void> {
    if (!this.#compaction?.hasEnded) return
    const { failure, lines } = this.#compaction
    this.#compaction = undefined
    if (failure === undefined) {
      this.#compactFrom = this.#minJournalBytes
      return this.#file.forget(lines.join(''))
    }
    if (isFinal(failure)) throw failure
    // Nothing is lost, as the journal has every commit; the next attempt follows after as much growth again.
    this.#compactFrom = this.#file.sizes.journal + this.#minJournalBytes
    this.#options.onSkipped(failure)
  }

  async #stopCompaction(): Promise<void> {
    this.#compaction?.stop.abort()
    await this.#compaction?.ended
    this.#compaction = undefined
  }

  *#chunks(
    checkpoint: FileCheckpoint,
    { closed, signal }: { closed?: true; signal?: AbortSignal | undefined },
    previous: string | undefined,
  ): Generator<Buffer> {
    const { state, clock, seq } = checkpoint
    const { seed, aboutWorkspace } = this.#options
    const workspace = aboutWorkspace?.(checkpoint)
    const document = dumpLazily(state, {
      seed,
      ...(workspace ? { workspace } : {}),
      seq,
      ...(clock.changed ? { clock: clock.read() } : {}),
      ...(this.#journal === undefined ? {} : { journal: this.#journal }),
      ...(closed ? { closed } : {}),
      ...(previous === undefined ? {} : { previous }),
    })
    for (const chunk of sealed(documentText(document))) {
      if (signal?.aborted) throw new GivenUp()
      yield chunk
    }
  }
}
