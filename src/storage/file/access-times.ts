// Records the last access of workspaces in the times of their files, for the next start: reads write no files.
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { forEachLimited } from './limited-concurrency.ts'
import { ifThere, systemFiles, whyNotSaved } from './files.ts'
import type { FolderFiles } from './folder-files.ts'

export class AccessTimes {
  readonly #files: FolderFiles
  readonly #workspaces: Workspaces
  /** The machine's clock, which is that of the files. */
  readonly #now: () => number
  /** The last recorded access by name, in monotonic time (ms). */
  readonly #recorded = new Map<string, number>()

  constructor(files: FolderFiles, workspaces: Workspaces, now: () => number) {
    this.#files = files
    this.#workspaces = workspaces
    this.#now = now
  }

  /** The files of the workspace already have this time. */
  found(name: string, usedAt: number): void {
    this.#recorded.set(name, usedAt)
  }

  /** The files of the workspace are deleted. */
  forget(name: string): void {
    this.#recorded.delete(name)
  }

  /** Records the workspaces whose last access is more than `every` (ms) after the recorded one. */
  async recordAll(every: number): Promise<void> {
    if (every === Infinity) return
    this.#workspaces.idleness.touchOriginals()
    const used = this.#workspaces
      .all()
      .map(({ name, uses, usedAt }) => ({ name, at: uses > 0 ? this.#files.options.time.now() : usedAt }))
      .filter(({ name, at }) => at - (this.#recorded.get(name) ?? -Infinity) > every)
    await forEachLimited(used, ({ name, at }) => this.record(name, at))
  }

  /** A later start takes the time of the newest file as the last access. */
  async record(name: string, usedAt: number): Promise<void> {
    if (name === defaultWorkspace || usedAt === this.#recorded.get(name)) return
    const { file, journal } = this.#files.pathsOf(name)
    const now = new Date(this.#now())
    const mark = (path: string): Promise<true | undefined> =>
      ifThere(systemFiles.utimes(path, now, now).then(() => true as const))
    try {
      // Not the snapshot where there is a journal: its time shows the age of its rows to a recovery.
      if ((await mark(journal)) ?? (await mark(file))) this.#recorded.set(name, usedAt)
    } catch (error) {
      // A file that cannot be marked cannot be written either, and the write reports it. At worst the workspace expires
      // early.
      if (whyNotSaved(error) === undefined) throw error
    }
  }
}
