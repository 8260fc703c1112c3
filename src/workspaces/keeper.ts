// Durability: who keeps the writes of a workspace elsewhere, waiting until they are saved, and what is said when not.
import { withoutFolder } from '../runtime/host.ts'

/** Keeps a state in a file, or elsewhere. It is asked before every write and told of it as it happens. */
export interface Keeper {
  /** @throws {NotSavedError} when nothing can be kept at present: then nothing may change. */
  requireWritable(): void
  /** A transaction was committed in memory, or the clock, the scenarios or the named snapshots changed. */
  committed(): void
  /** The whole state is another one: a reset, a restored snapshot, an upload. */
  replaced(keepsWrites?: boolean): void
  /**
   * Settles once all it was told so far is kept as safely as was asked for; undefined when nothing is left to do.
   * Rejects with a NotSavedError when that is not there any more.
   */
  saved(): Promise<void> | undefined
  /** Why writes were last taken back; another object each time. */
  readonly lastLoss: NotSavedError | undefined
}

/**
 * What waits until the writes of a workspace are kept, for writers that may have waited for something else meanwhile:
 * each call answers for what was written since the one before, also when it is gone by now.
 */
export function savingOf(workspace: { readonly keeper: Keeper | undefined }): () => Promise<void> {
  let seen = workspace.keeper?.lastLoss
  return async () => {
    const { keeper } = workspace
    try {
      await keeper?.saved()
      const loss = keeper?.lastLoss
      if (loss !== undefined && loss !== seen) throw loss
    } finally {
      seen = keeper?.lastLoss
    }
  }
}

/** When a write counts as kept: on the disk, with the system, or at the end of the process. */
export const durabilities = ['fsync', 'write', 'exit'] as const
export type Durability = (typeof durabilities)[number]

/** What became of a write that is not kept: it was taken back, or not made at all. */
export type NotSaved = 'taken back' | 'not made'

/**
 * Thrown, or given by `saved()`, for a write to a data file that cannot be written; the message names the file and
 * the reason.
 *
 * @example
 * try { sandbox.state.put('rewards', 'rwd_1', row) } catch (error) { if (error instanceof NotSavedError) … }
 */
export class NotSavedError extends Error {
  override name = 'NotSavedError'
  /** What became of the write. */
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
