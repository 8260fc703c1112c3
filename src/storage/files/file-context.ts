// The files of a driver under its lock: how files get and lose their names, so that a former holder can change nothing.
import { isSystemError } from '../../runtime/host.ts'
import { giveName, removeName } from './fence.ts'
import { cannotSyncFolders, ifThere, isFinal, type Files, type OpenFile } from './files.ts'
import type { Lock } from './lock.ts'
import { unfinishedName } from './paths.ts'
import type { FileLayout } from './file-layout.ts'

/** Only the owner may read new files: they have keys. */
export const ownerOnly = 0o600

/** Thrown if it is unknown whether a change is on the disk. Memory and disk may differ then, so the process must end. */
export class UncertainWriteError extends Error {
  override name = 'UncertainWriteError'
}

/** Whether nothing can be persisted any more after this failure. */
export function endsPersistence(error: unknown): boolean {
  return error instanceof UncertainWriteError || isFinal(error)
}

/** Operations on names in the folder of the data. */
export class FileContext {
  readonly files: Files
  readonly lock: Lock
  readonly layout: FileLayout
  /** Maximum size in bytes of a document that can be read. */
  readonly maxBytes: number
  /** Open all the time, so that no limit of open files makes its sync fail. Undefined if the system cannot open folders. */
  readonly #folder: OpenFile | undefined
  #unfinished = 0

  private constructor(
    { files, lock, layout, maxBytes }: Pick<FileContext, 'files' | 'lock' | 'layout' | 'maxBytes'>,
    folder: OpenFile | undefined,
  ) {
    this.files = files
    this.lock = lock
    this.layout = layout
    this.maxBytes = maxBytes
    this.#folder = folder
  }

  static async open(
    options: Pick<FileContext, 'files' | 'lock' | 'layout' | 'maxBytes'>,
  ): Promise<FileContext> {
    const folder = await options.files.open(options.layout.folder, 'r').catch((error: unknown) => {
      if (isSystemError(error) && cannotSyncFolders.includes(error.code)) return undefined
      throw error
    })
    return new FileContext(options, folder)
  }

  /** Returns a name for a file that is being written; a process that takes the lock over removes files of such names. */
  unfinished(name: string): string {
    return unfinishedName(this.layout.document(name), this.lock.nonce, ++this.#unfinished)
  }

  /**
   * Gives a written file its name, which is on the disk when this resolves.
   * @throws {UncertainWriteError} if it may have the name. @throws any other failure: then it has not.
   */
  async giveName(unfinished: string, path: string): Promise<void> {
    await giveName(this, unfinished, path)
    try {
      await this.syncNames()
    } catch (error) {
      throw new UncertainWriteError('the folder of the data could not be synced', { cause: error })
    }
    // A process that took the lock over meanwhile may have read the folder before.
    this.lock.requireOurs()
  }

  /** Removes a file, which need not exist. @throws {LostLockError} */
  async remove(name: string, path: string): Promise<void> {
    await removeName(this, this.unfinished(name), path)
  }

  /** Removes a file that was not finished. */
  async removeUnfinished(path: string): Promise<void> {
    await ifThere(this.files.unlink(path)).catch(() => undefined)
  }

  async syncNames(): Promise<void> {
    try {
      await this.#folder?.sync()
    } catch (error) {
      if (!isSystemError(error) || !cannotSyncFolders.includes(error.code)) throw error
    }
  }

  async close(): Promise<void> {
    try {
      await this.#folder?.close()
    } finally {
      await this.lock.release()
    }
  }
}
