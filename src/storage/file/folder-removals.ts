// What was deleted from a folder of data: its files go, and what could not be removed is tried again.
import { mayBeOf } from '../../workspaces/isolation.ts'
import { NotSavedError } from '../../workspaces/keeper.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { FileSaver } from './file-saver.ts'
import { ifThere, ourBug, systemFiles, whyNotSaved } from './files.ts'
import type { FolderFiles } from './folder-files.ts'
import type { KeepOptions } from './open-data.ts'
import { moveAside, removeData } from './remove-data.ts'
import type { NameQueue } from './name-queue.ts'

/** A workspace that was in memory when it was deleted. */
interface Deleted {
  workspace: Workspace
  keeper: FileSaver
}

/** Files that are to go, of a workspace that was deleted. */
interface Left {
  how: typeof removeData
  /** The log has it that they could not be removed. */
  isTold: boolean
}

export class FolderRemovals {
  readonly #files: FolderFiles
  readonly #queue: NameQueue
  readonly #how: Pick<KeepOptions, 'onProblem' | 'onBug'>
  /** Those that go on, by name. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** Names whose files could not be removed yet: they go before there is another one of the name. */
  readonly #left = new Map<string, Left>()
  /** The last removal that goes on, which makes room where that is needed. Never rejects. */
  going: Promise<unknown> | undefined

  constructor(files: FolderFiles, queue: NameQueue, how: Pick<KeepOptions, 'onProblem' | 'onBug'>) {
    this.#files = files
    this.#queue = queue
    this.#how = how
  }

  /** Settles once the files of deleted workspaces are gone: of one and its copies, or of all. @throws {NotSavedError} */
  async done(of?: string): Promise<void> {
    const removals = [...this.#underWay].filter(([name]) => of === undefined || mayBeOf(of, name))
    await Promise.all(removals.map(([, removal]) => removal))
  }

  /** Queues the removal of the files of a name; those of a damaged workspace are moved aside. */
  begin(name: string, opened: Deleted | undefined, isDamaged: boolean): void {
    const removal = this.#queue
      .enqueue(name, async () => {
        await opened?.keeper.abandon()
        // Those of an earlier one are there still, and nothing of this one.
        const how = isDamaged ? moveAside : removeData
        if (!this.#left.has(name)) this.#left.set(name, { how, isTold: false })
        await this.finish(name)
      })
      .catch(async (error: unknown) => {
        if (opened && (await this.#neverWas(opened))) return
        const left = this.#left.get(name)
        if (left) left.isTold = true
        const reason = whyNotSaved(error) ?? ourBug
        throw new NotSavedError(
          `workspace '${name}' is gone, but ${this.#files.shown(name)} could not be removed (${reason}): that is tried again, and until it is done the next start may bring it back`,
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
  async #neverWas({ workspace, keeper }: Deleted): Promise<boolean> {
    const { file } = this.#files.pathsOf(workspace.name)
    return !keeper.isWritten && !(await ifThere(systemFiles.stat(file)).catch(() => true))
  }

  /** Removes what is left of a deleted one of this name, if there is something. */
  async finish(name: string): Promise<void> {
    const left = this.#left.get(name)
    if (!left) return
    await left.how({ files: systemFiles, lock: this.#files.lock }, this.#files.pathsOf(name))
    this.#left.delete(name)
    if (left.isTold) this.#how.onProblem(`${this.#files.shown(name)} is removed now.`)
  }

  /** Tries again. @param isMeant asked in turn; one that is there by now sees to it itself, before it is written. */
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
