// Durability: the interface of storage for one workspace, waiting until writes are saved, and the error if they are
// not.
import { withoutFolder } from '../runtime/host.ts'

/**
 * Saves the state of a workspace, in a file or elsewhere. The workspace calls it before every write and notifies it of
 * each change.
 */
export interface Saver {
  /** @throws {NotSavedError} if nothing can be saved at present: then nothing may change. */
  requireWritable(): void
  /** A transaction was committed in memory, or the clock, the scenarios or the named snapshots changed. */
  committed(): void
  /** A request got this number: the answer waits until no later owner uses it. */
  numbered(number: number): void
  /** The whole state was replaced: by a reset, a restored snapshot, an upload, or a rotation of keys. */
  replaced(awaitSaved?: boolean): void
  /**
   * Settles when every change so far is persisted; undefined if nothing is left to do.
   * Rejects with a NotSavedError if a change was rolled back.
   */
  saved(): Promise<void> | undefined
  /** Why writes were last rolled back; a new object each time. */
  readonly lastLoss: NotSavedError | undefined
}

/**
 * Returns a function that waits until the writes of a workspace are saved, for writers that may have waited for other
 * work: each call covers the writes since the previous one, including those that were rolled back.
 */
export function waiterForSaves(workspace: { readonly saver: Saver | undefined }): () => Promise<void> {
  let seen = workspace.saver?.lastLoss
  return async () => {
    const { saver } = workspace
    try {
      await saver?.saved()
      const loss = saver?.lastLoss
      if (loss !== undefined && loss !== seen) throw loss
    } finally {
      seen = saver?.lastLoss
    }
  }
}

/** The fate of a write that was not saved: it was rolled back, or not executed. */
export type NotSaved = 'rolled back' | 'not made'

/**
 * Thrown, or the rejection of `saved()`, if a data file cannot be written; the message names the file and the reason.
 *
 * @example
 * try { sandbox.state.put('rewards', 'rwd_1', row) } catch (error) { if (error instanceof NotSavedError) … }
 */
export class NotSavedError extends Error {
  override name = 'NotSavedError'
  /** The fate of the write. */
  readonly outcome: NotSaved
  /** The path of the file that the message names. */
  readonly #file: string

  constructor(message: string, outcome: NotSaved, file = '') {
    super(message)
    this.outcome = outcome
    this.#file = file
  }

  /** The message for clients, which names the file without its folder. */
  get publicMessage(): string {
    return withoutFolder(this.message, this.#file)
  }
}
