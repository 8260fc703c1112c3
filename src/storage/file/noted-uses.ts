// Marks the files of workspaces as used, for the start after this one: who only reads writes none.
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { eachOf } from './a-few-at-once.ts'
import { ifThere, systemFiles, whyNotSaved } from './files.ts'
import type { FolderFiles } from './folder-files.ts'

export class NotedUses {
  readonly #files: FolderFiles
  readonly #workspaces: Workspaces
  /** The machine's clock, which is that of the files. */
  readonly #now: () => number
  /** The last uses that the files tell a later start of, by name, in the machine's own time (ms). */
  readonly #noted = new Map<string, number>()

  constructor(files: FolderFiles, workspaces: Workspaces, now: () => number) {
    this.#files = files
    this.#workspaces = workspaces
    this.#now = now
  }

  /** Its files say so already. */
  found(name: string, usedAt: number): void {
    this.#noted.set(name, usedAt)
  }

  /** Its files are gone. */
  forget(name: string): void {
    this.#noted.delete(name)
  }

  /** Marks the files of those that were used for so long since they were marked last. */
  async noteAll(every: number): Promise<void> {
    if (every === Infinity) return
    this.#workspaces.idleness.noteUsesOfCopies()
    const used = this.#workspaces
      .all()
      .map(({ name, uses, usedAt }) => ({ name, at: uses > 0 ? this.#files.options.time.now() : usedAt }))
      .filter(({ name, at }) => at - (this.#noted.get(name) ?? -Infinity) > every)
    await eachOf(used, ({ name, at }) => this.note(name, at))
  }

  /** A later start knows by the newest of its files since when nobody uses a workspace; who only reads writes none. */
  async note(name: string, usedAt: number): Promise<void> {
    if (name === defaultWorkspace || usedAt === this.#noted.get(name)) return
    const { file, journal } = this.#files.pathsOf(name)
    const now = new Date(this.#now())
    const mark = (path: string): Promise<true | undefined> =>
      ifThere(systemFiles.utimes(path, now, now).then(() => true as const))
    try {
      // Not the snapshot where there is a journal: its time tells who recovers it how old its rows are.
      if ((await mark(journal)) ?? (await mark(file))) this.#noted.set(name, usedAt)
    } catch (error) {
      // What cannot be marked cannot be written either, which is told then; it is forgotten early at worst.
      if (whyNotSaved(error) === undefined) throw error
    }
  }
}
