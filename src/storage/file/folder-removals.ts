// Removes the files of workspaces that were deleted from a data folder, and retries failed removals.
import { mayBeOf } from '../../workspaces/isolation.ts'
import { NotSavedError } from '../../workspaces/saver.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { FileSaver } from './file-saver.ts'
import { ifThere, ourBug, systemFiles, whyNotSaved } from './files.ts'
import type { FolderFiles } from './folder-files.ts'
import type { PersistOptions } from './open-data.ts'
import { moveAside, removeData } from './remove-data.ts'
import type { NameQueue } from './name-queue.ts'

/** A workspace that was in memory when it was deleted. */
interface Deleted {
  workspace: Workspace
  saver: FileSaver
}

/** Files to remove, of a workspace that was deleted. */
interface Left {
  how: typeof removeData
  /** The log has reported that they could not be removed. */
  isReported: boolean
}

export class FolderRemovals {
  readonly #files: FolderFiles
  readonly #queue: NameQueue
  readonly #how: Pick<PersistOptions, 'onProblem' | 'onBug'>
  /** Removals in progress, by name. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** Names whose files could not be removed yet: they must go before a new workspace can have the name. */
  readonly #left = new Map<string, Left>()
  /** The last removal in progress, which frees space on the disk. Never rejects. */
  going: Promise<unknown> | undefined

  constructor(files: FolderFiles, queue: NameQueue, how: Pick<PersistOptions, 'onProblem' | 'onBug'>) {
    this.#files = files
    this.#queue = queue
    this.#how = how
  }

  /**
   * Settles when the files of deleted workspaces are gone: of one and its copies, or of all. @throws {NotSavedError}
   */
  async done(of?: string): Promise<void> {
    const removals = [...this.#underWay].filter(([name]) => of === undefined || mayBeOf(of, name))
    await Promise.all(removals.map(([, removal]) => removal))
  }

  /** Queues the removal of the files of a name; those of a damaged workspace are moved aside. */
  begin(name: string, opened: Deleted | undefined, isDamaged: boolean): void {
    const removal = this.#queue
      .enqueue(name, async () => {
        await opened?.saver.abandon()
        // The files of an earlier workspace still exist, and none of this one.
        const how = isDamaged ? moveAside : removeData
        if (!this.#left.has(name)) this.#left.set(name, { how, isReported: false })
        await this.finish(name)
      })
      .catch(async (error: unknown) => {
        if (opened && (await this.#neverWas(opened))) return
        const left = this.#left.get(name)
        if (left) left.isReported = true
        const reason = whyNotSaved(error) ?? ourBug
        throw new NotSavedError(
          `workspace '${name}' is deleted, but ${this.#files.shown(name)} could not be removed (${reason}): this is retried; until then a restart may restore the workspace`,
          'not made',
          this.#files.shown(name),
        )
      })
    this.#underWay.set(name, removal)
    const going = removal
      .catch(({ message }: Error) => this.#how.onProblem(message))
      .finally(() => {
        if (this.#underWay.get(name) === removal) this.#underWay.delete(name)
        if (this.going === going) this.going = undefined
      })
    this.going = going
  }

  /** True if no file exists under this name, so nothing can be restored. */
  async #neverWas({ workspace, saver }: Deleted): Promise<boolean> {
    const { file } = this.#files.pathsOf(workspace.name)
    return !saver.isWritten && !(await ifThere(systemFiles.stat(file)).catch(() => true))
  }

  /** Removes files that are left of a deleted workspace of this name. */
  async finish(name: string): Promise<void> {
    const left = this.#left.get(name)
    if (!left) return
    await left.how({ files: systemFiles, lock: this.#files.lock }, this.#files.pathsOf(name))
    this.#left.delete(name)
    if (left.isReported) this.#how.onProblem(`${this.#files.shown(name)} is removed now.`)
  }

  /**
   * Retries removals. @param isMeant selects them by name; a workspace that was loaded since removes its old files
   * itself, before it is written.
   */
  async tryAgain(isMeant: (name: string) => boolean): Promise<void> {
    for (const name of this.#left.keys()) {
      await this.#queue
        .enqueue(name, async () => {
          if (isMeant(name)) await this.finish(name)
        })
        .catch((error: unknown) => {
          if (whyNotSaved(error) === undefined) this.#how.onBug(error)
        })
    }
  }
}
