// The storage driver for a folder (--data FOLDER): each workspace in a file of its own, all under one lock. It opens a
// workspace on first use, closes it when idle, and removes its files on deletion.
import { UnusableError, type ClosedWorkspace } from '../../workspaces/closed.ts'
import { byCodeUnit } from '../../store/tree.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { TooManyWorkspacesError, type Workspaces } from '../../workspaces/workspaces.ts'
import { forEachLimited } from './limited-concurrency.ts'
import type { FolderFiles } from './folder-files.ts'
import { FolderScan } from './folder-scan.ts'
import { FolderRemovals } from './folder-removals.ts'
import { AccessTimes } from './access-times.ts'
import type { OpenData } from './open-data.ts'
import { NameQueue } from './name-queue.ts'
import { MemoryStorage } from '../memory/index.ts'
import type { Task } from '../../workspaces/storage.ts'
import { OpenWorkspaces, type FolderPersistOptions } from './open-workspaces.ts'

/** Interval of the check for idle workspaces (ms). */
const sweepMs = 10_000

/** The contents of a folder at the start. */
interface Parts {
  files: FolderFiles
  /** The names of workspaces other than `default` that have files. */
  found: ReadonlySet<string>
  ofDefault: OpenData
  workspaces: Workspaces
  how: FolderPersistOptions
}

export class DataFolder extends MemoryStorage {
  readonly #parts: Parts
  readonly #files: FolderFiles
  readonly #scan: FolderScan
  readonly #accessTimes: AccessTimes
  /** Runs the work on the files of one name in sequence. */
  readonly #queue = new NameQueue()
  readonly #open: OpenWorkspaces
  readonly #removals: FolderRemovals
  #sweeping: Promise<void> | undefined
  #stopSweeping: () => void = () => undefined

  private constructor(parts: Parts) {
    super(parts.workspaces)
    this.#parts = parts
    const { files, workspaces, how } = parts
    const now = (): number => how.clock.now()
    this.#files = files
    this.#scan = new FolderScan(files, (isolation) => workspaces.owners.keysOf(isolation), now)
    this.#accessTimes = new AccessTimes(files, workspaces, now)
    this.#removals = new FolderRemovals(files, this.#queue, how)
    const own = {
      scan: this.#scan,
      accessTimes: this.#accessTimes,
      queue: this.#queue,
      removals: this.#removals,
    }
    this.#open = new OpenWorkspaces({ files, workspaces, how, ...own })
  }

  static async begin(parts: Parts): Promise<DataFolder> {
    const folder = new DataFolder(parts)
    await folder.#begin()
    return folder
  }

  async #begin(): Promise<void> {
    const { options } = this.#files
    const { workspaces, found, ofDefault, how } = this.#parts
    // Everything is checked before anything is written: a refused start leaves the folder unchanged.
    const closed: ClosedWorkspace[] = []
    await forEachLimited(found, async (name) => {
      const seen = await this.#scan.scan(name)
      if (!seen) return
      closed.push(seen)
      this.#accessTimes.found(name, seen.usedAt)
    })
    const { default: home } = workspaces
    home.createdAt = ofDefault.loaded?.workspace?.created_at ?? home.createdAt
    const stop = new AbortController()
    const saver = await ofDefault.persist(home, {
      ...this.#open.howFor(home, stop),
      clock: how.clock,
      signal: how.signal,
    })
    this.#open.opened.set(home.name, { workspace: home, saver, stop, isHeld: false })
    closed.sort((a, b) => byCodeUnit(a.createdAt, b.createdAt) || byCodeUnit(a.name, b.name))
    for (const each of closed) this.#open.put(each)
    for (const { name, damage } of closed) {
      if (damage === undefined) continue
      if (!options.recover) options.onNotice(new UnusableError(name, damage).message)
      else await this.#open.open(name).catch(({ message }: Error) => options.onNotice(message))
    }
    workspaces.onCreate = (made) => this.#open.addNew(made)
    workspaces.onDelete = (name, gone) => this.#open.delete(name, gone)
    this.#stopSweeping = options.time.every(sweepMs, () => this.closeIdle())
  }

  /** The names of workspaces that cannot be opened or written. */
  override get damaged(): readonly string[] {
    const unwritable = [...this.#open.opened.values()].filter(({ saver }) => !saver.isWell)
    return [...new Set([...this.#open.unusable.keys(), ...unwritable.map(({ workspace }) => workspace.name)])]
  }

  /**
   * One unhealthy workspace must not take the replica out of rotation: false only if no open workspace can be written.
   */
  override get isWell(): boolean {
    return [...this.#open.opened.values()].some(({ saver }) => saver.isWell)
  }

  /**
   * Loads a persisted workspace into memory; undefined if it is already loaded or does not exist.
   * @param makes whether to create one that does not exist; it is on the disk when the promise resolves.
   * @throws {UnusableError} by rejecting. @throws {TooManyWorkspacesError}
   */
  override open(name: string, makes = false): Promise<void> | undefined {
    const { workspaces } = this.#parts
    const opened = this.#open.opened.get(name)
    if (opened) return this.#open.written(opened)
    if (workspaces.closed(name)) return this.#open.open(name)
    if (!makes) return undefined
    workspaces.open(name)
    const made = this.#open.opened.get(name)
    return made && this.#open.written(made)
  }

  /** Like the base class, after the file of the workspace was read or created. */
  override enter(task: Task): void {
    const opening = this.#openFor(task)
    if (!opening) return super.enter(task)
    opening.then(
      () => this.enter(task),
      (error: Error) => task.fail(error),
    )
  }

  #openFor(task: Task): Promise<void> | undefined {
    const { workspace: name } = task
    if (!task.mayOpen()) return undefined
    try {
      return this.open(name, !this.workspaces.find(name) && !this.workspaces.closed(name) && task.creates())
    } catch (error) {
      // The stages answer with this error, in the form of the call's version.
      if (error instanceof TooManyWorkspacesError) return undefined
      throw error
    }
  }

  override isDamaged(name: string): boolean {
    return this.workspaces.closed(name)?.damage !== undefined
  }

  /** Also resets the workspaces that are closed. */
  override async rebase(replace: () => Promise<void>): Promise<void> {
    await replace()
    await this.resetClosed()
  }

  /**
   * Settles when the file of a workspace is written. @throws {UnusableError} if not; then the workspace does not exist.
   */
  override async created(workspace: Workspace): Promise<boolean> {
    const { name } = workspace
    try {
      await this.open(name)
      return true
    } catch (error) {
      // The caller gets an error, so a list must not show the workspace.
      if (this.workspaces.find(name) === workspace) this.workspaces.delete(name)
      throw error
    }
  }

  /** The workspace stays in memory, as the program has a reference to it. */
  override hold(name: string): void {
    const opened = this.#open.opened.get(name)
    if (opened) opened.isHeld = true
  }

  /** Settles when the files of deleted workspaces are gone: of one name or of all. @throws {NotSavedError} */
  override async dropped(name?: string): Promise<void> {
    await this.#removals.done(name)
  }

  /** Closes workspaces that were idle for a minute, and retries failed removals. */
  async closeIdle(): Promise<void> {
    this.#sweeping ??= (async () => {
      for (const opened of this.#open.opened.values()) {
        if (this.#open.isIdle(opened)) await this.#open.close(opened)
      }
      await this.#tryAgain()
      await this.#removals.tryAgain((name) => !this.#open.opened.has(name))
      await this.#accessTimes.recordAll(this.#files.options.usesNotedEvery)
    })().finally(() => (this.#sweeping = undefined))
    await this.#sweeping
  }

  /** Resets all closed workspaces, one after the other. */
  async resetClosed(): Promise<void> {
    const { workspaces } = this.#parts
    for (const { name, usedAt } of workspaces.all()) {
      const closed = workspaces.closed(name)
      if (!closed || closed.damage !== undefined) continue
      await this.#open.open(name).catch(this.#open.ifUnusable)
      const opened = this.#open.opened.get(name)
      if (!opened) continue
      workspaces.reset(opened.workspace)
      await opened.saver.saved()
      opened.workspace.usedAt = usedAt
    }
    await this.closeIdle()
  }

  /**
   * Saves all changes and releases the folder. No write is accepted after this.
   * @throws {NotSavedError} if a change that was acknowledged could not be saved.
   */
  override async close(): Promise<void> {
    this.#stopSweeping()
    await this.#sweeping
    const failures: unknown[] = []
    await forEachLimited(this.#open.opened.values(), ({ saver }) =>
      saver.close().catch((error) => void failures.push(error)),
    )
    await Promise.all(this.#queue.all())
    // No workspace is being written any more, so files may be removed for which a new workspace of the same name was
    // waiting.
    await this.#removals.tryAgain(() => true)
    await this.#accessTimes.recordAll(0)
    await this.#files.lock.release()
    if (failures.length > 0) throw failures[0]
  }

  /** Opens workspaces whose files could not be reached, so that health reports their current state. */
  async #tryAgain(): Promise<void> {
    const { workspaces } = this.#parts
    for (const name of this.#open.unusable.keys()) {
      const closed = workspaces.closed(name)
      if (!closed || closed.damage !== undefined) continue
      await this.#open.open(name).catch(this.#open.ifUnusable)
      const opened = this.#open.opened.get(name)
      if (opened) opened.workspace.usedAt = closed.usedAt
    }
  }
}
