// The storage driver for memory: only this process has the workspaces, so they are always current. The drivers for
// files extend it by loading and saving them.
import { noStoreFigures } from '../../metrics/store-figures.ts'
import { waiterForSaves } from '../../workspaces/saver.ts'
import type { Storage, Task } from '../../workspaces/storage.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'

/** Nothing to wait for, as no other process writes. */
const nothing = (): undefined => undefined

export class MemoryStorage implements Storage {
  readonly isShared = false
  readonly status = undefined
  readonly notCaughtUp = undefined
  readonly figures = noStoreFigures
  readonly eviction = undefined
  readonly refresh = nothing
  readonly refreshCopies = nothing
  readonly refreshOriginal = nothing
  readonly refreshAll = nothing
  readonly refreshNames = nothing
  readonly readNames = nothing
  readonly readJournal = nothing
  readonly readCoverage = nothing
  readonly clearCoverage = nothing
  protected readonly workspaces: Workspaces

  constructor(workspaces: Workspaces) {
    this.workspaces = workspaces
  }

  get isWell(): boolean {
    return true
  }

  get damaged(): readonly string[] {
    return []
  }

  isDamaged(_name: string): boolean {
    return false
  }

  enter(task: Task): void {
    task.run('any')
    const done = task.done()
    if (done === 'waiting') return
    const saving = done.wrote?.saver?.saved()
    if (!saving) return task.persisted()
    saving.then(
      () => task.persisted(),
      (error: Error) => task.fail(error),
    )
  }

  async run<T>(
    name: string,
    operation: (workspace: Workspace) => T | Promise<T>,
    hasOnlyRead: (result: T) => boolean = () => false,
  ): Promise<{ result: T }> {
    const { workspaces } = this
    const creates = workspaces.policy.createsOnFirstUse
    await this.open(name, creates)
    const workspace = creates ? workspaces.open(name) : workspaces.require(name)
    const saved = waiterForSaves(workspace)
    const result = await operation(workspace)
    if (!hasOnlyRead(result)) await saved()
    return { result }
  }

  open(_name: string, _creates?: boolean): Promise<void> | undefined {
    return undefined
  }

  hold(_name: string): void {
    return undefined
  }

  async created(_workspace: Workspace): Promise<boolean> {
    return true
  }

  async dropped(_name?: string): Promise<void> {
    return undefined
  }

  async rebase(replace: () => Promise<void>): Promise<void> {
    await replace()
  }

  async close(): Promise<void> {
    return undefined
  }
}
