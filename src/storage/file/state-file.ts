// States in a data file: saves whole ones, appends commits, and compacts the journal into a new snapshot.
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

/** A checkpoint of a workspace, as its file holds it. */
export interface FileCheckpoint extends Checkpoint {
  /** The keys that open the workspace, where partners are kept apart. */
  readonly keys: PartnerKeys | undefined
  /** Its scenarios are those that it begins with, so that the file holds none. */
  readonly hasStartScenarios: boolean
  /** The number of the last commit in it. */
  readonly seq: number
}

/** How large the journal may grow at least before a snapshot takes its place. */
const usualMinJournalBytes = 4 * 2 ** 20

/** How states are written. */
export interface StateFileOptions {
  seed: number
  /** Whether there is a journal beside the snapshot. */
  keepsJournal: boolean
  /** The journal that the snapshot names which was read. */
  journal: string | undefined
  /** What the document says of its workspace, given what it will hold; nothing without it. */
  aboutWorkspace?: (checkpoint: FileCheckpoint) => SandboxPart['workspace']
  /** Takes away what others left in its place, before anything is written. */
  clear?: () => Promise<void>
  /** How large the journal may grow at least before a snapshot takes its place; tests set less. */
  minJournalBytes?: number | undefined
  /** Told why a snapshot could not be made that nothing depends on yet. */
  onSkipped(error: unknown): void
}

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
export class GivenUp extends Error {}

/**
 * When the journal has grown larger than the snapshot, a new one is made in the background, and the journal forgets
 * what is in it.
 */
export class StateFile {
  readonly #file: DataFile
  readonly #options: StateFileOptions
  /** The journal that belongs to the snapshot, or did until it was closed. */
  #journal: string | undefined
  /** The last commit in the snapshot that was made last. */
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

  /** Whether anything was written to it; until then it is as it was found. */
  get hasStarted(): boolean {
    return this.#hasStarted
  }

  /** Aborted, for a LostLockError, once another sandbox is seen to use the file. */
  get lost(): AbortSignal {
    return this.#file.lost
  }

  /**
   * Begins with a state that was read, or is the first. Whenever the machine stops, what is there fits together: a
   * journal that was left is taken into a snapshot that needs none, a new one is on the disk before the snapshot that
   * names it, and until then it holds nothing.
   * @param signal gives up when it is aborted, unless everything is written by then.
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
   * Puts a state in place of everything there is.
   * @param endsKeys whether the snapshot before has keys that are ended: then it goes, too.
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
   * Puts a last state in place of everything there is, which needs no journal.
   * @param signal gives up when it is aborted, unless everything is written by then.
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

  /** Gives the file back. */
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

  /** Has the journal forget what a snapshot holds that was made meanwhile. */
  async #endCompaction(): Promise<void> {
    if (!this.#compaction?.hasEnded) return
    const { failure, lines } = this.#compaction
    this.#compaction = undefined
    if (failure === undefined) {
      this.#compactFrom = this.#minJournalBytes
      return this.#file.forget(lines.join(''))
    }
    if (isFinal(failure)) throw failure
    // Nothing is lost, as the journal has it all; after as much again, the next one may succeed.
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
