// The driver for memory: this process alone has the workspaces, so that they are always current. The drivers for files
// extend it by opening and saving them.
import { noStore } from '../../metrics/store-figures.ts'
import { savingOf } from '../../workspaces/keeper.ts'
import type { RunOptions, Storage, Task } from '../../workspaces/storage.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'

export class MemoryStorage implements Storage {
  readonly isShared = false
  readonly status = undefined
  readonly notCaughtUp = undefined
  readonly figures = noStore
  readonly eviction = undefined
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
    const saving = done.wrote?.keeper?.saved()
    if (!saving) return task.persisted()
    saving.then(
      () => task.persisted(),
      (error: Error) => task.fail(error),
    )
  }

  async run<T>(
    name: string,
    operation: (workspace: Workspace) => T | Promise<T>,
    { creates = false, hasOnlyRead = () => false }: RunOptions<T> = {},
  ): Promise<{ result: T }> {
    await this.open(name, creates)
    const workspace = creates ? this.workspaces.open(name) : this.workspaces.require(name)
    const saved = savingOf(workspace)
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

  refresh(): undefined {
    return undefined
  }

  refreshCopies(): undefined {
    return undefined
  }

  refreshOriginal(): undefined {
    return undefined
  }

  refreshAll(): undefined {
    return undefined
  }

  refreshNames(): undefined {
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

  readJournal(): undefined {
    return undefined
  }

  readCoverage(): undefined {
    return undefined
  }

  clearCoverage(): undefined {
    return undefined
  }

  async close(): Promise<void> {
    return undefined
  }
}
