// The folder of data (--data FOLDER): each workspace in a file of its own, all under one lock. It is opened when it is
// used, closed when it is idle, and removed when it is deleted.
import { DocumentError } from '../../input/problems.ts'
import { UnusableError, type ClosedWorkspace } from '../../workspaces/closed.ts'
import { byCodeUnit } from '../../store/tree.ts'
import { defaultWorkspace, type Beginning, type Workspace } from '../../workspaces/workspace.ts'
import { TooManyWorkspacesError, type Workspaces } from '../../workspaces/workspaces.ts'
import { forEachLimited } from './limited-concurrency.ts'
import { FileSaver } from './file-saver.ts'
import type { FolderFiles } from './folder-files.ts'
import { damageOf, FolderScan } from './folder-scan.ts'
import { FolderRemovals } from './folder-removals.ts'
import { AccessTimes } from './access-times.ts'
import { keeperOptions, openData, UnreachableError, type KeepOptions, type OpenData } from './open-data.ts'
import { NameQueue } from './name-queue.ts'
import { MemoryStorage } from '../memory/index.ts'
import type { Task } from '../../workspaces/storage.ts'
import { beginningOf, readyKeysOf, workspacePartOf } from './workspace-part.ts'

/** How long nobody uses a workspace before it is closed, and how often that is looked at. */
const idleMs = 60_000
const sweepMs = 10_000

/** A workspace that is in memory, and what keeps it. */
interface Opened {
  workspace: Workspace
  keeper: FileSaver
  /** Ends trying to write again. */
  stop: AbortController
  /** Somebody has hold of it, so that it stays. */
  isHeld: boolean
}

/** What a folder begins with. */
interface Parts {
  files: FolderFiles
  /** The names of the workspaces beside `default` of which there are files. */
  found: ReadonlySet<string>
  ofDefault: OpenData
  workspaces: Workspaces
  how: KeepOptions & Required<Pick<KeepOptions, 'clock'>>
}

export class DataFolder extends MemoryStorage {
  readonly #parts: Parts
  readonly #files: FolderFiles
  readonly #scan: FolderScan
  readonly #accessTimes: AccessTimes
  readonly #opened = new Map<string, Opened>()
  readonly #opening = new Map<string, Promise<void>>()
  /** What is done with the files of a name, one after the other. */
  readonly #queue = new NameQueue()
  /** Why those cannot be opened that were found so. */
  readonly #unusable = new Map<string, string>()
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
  }

  static async begin(parts: Parts): Promise<DataFolder> {
    const folder = new DataFolder(parts)
    await folder.#begin()
    return folder
  }

  async #begin(): Promise<void> {
    const { options } = this.#files
    const { workspaces, found, ofDefault, how } = this.#parts
    // All is looked at before anything is written: a start that is refused leaves the folder as it is.
    const closed: ClosedWorkspace[] = []
    await forEachLimited(found, async (name) => {
      const seen = await this.#scan.scan(name)
      if (!seen) return
      closed.push(seen)
      this.#accessTimes.found(name, seen.usedAt)
    })
    const { default: home } = workspaces
    home.createdAt = ofDefault.kept?.workspace?.created_at ?? home.createdAt
    const stop = new AbortController()
    const keeper = await ofDefault.keep(home, {
      ...this.#howFor(home, stop),
      clock: how.clock,
      signal: how.signal,
    })
    this.#opened.set(home.name, { workspace: home, keeper, stop, isHeld: false })
    closed.sort((a, b) => byCodeUnit(a.createdAt, b.createdAt) || byCodeUnit(a.name, b.name))
    for (const each of closed) this.#put(each)
    for (const { name, damage } of closed) {
      if (damage === undefined) continue
      if (!options.recover) options.onNotice(new UnusableError(name, damage).message)
      else await this.#open(name).catch(({ message }: Error) => options.onNotice(message))
    }
    workspaces.onMake = (made) => this.#keepNew(made)
    workspaces.onDelete = (name, gone) => this.#delete(name, gone)
    this.#stopSweeping = options.time.every(sweepMs, () => this.closeIdle())
  }

  /** The names of workspaces that cannot be opened, or not be written. */
  override get damaged(): readonly string[] {
    const unwritable = [...this.#opened.values()].filter(({ keeper }) => !keeper.isWell)
    return [...new Set([...this.#unusable.keys(), ...unwritable.map(({ workspace }) => workspace.name)])]
  }

  /** One unhealthy workspace must not take the replica out of rotation: false only where no open one can be written. */
  override get isWell(): boolean {
    return [...this.#opened.values()].some(({ keeper }) => keeper.isWell)
  }

  /**
   * Has a workspace in memory that is kept here; undefined where it is, or where there is none.
   * @param makes whether to make one where there is none; then it is on the disk when this resolves.
   * @throws {UnusableError} by rejecting. @throws {TooManyWorkspacesError}
   */
  override open(name: string, makes = false): Promise<void> | undefined {
    const { workspaces } = this.#parts
    const opened = this.#opened.get(name)
    if (opened) return this.#written(opened)
    if (workspaces.closed(name)) return this.#open(name)
    if (!makes) return undefined
    workspaces.open(name)
    const made = this.#opened.get(name)
    return made && this.#written(made)
  }

  /** As the base class, once the file of the workspace is read or created. */
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
      // The stages answer it, in the form of the call's version.
      if (error instanceof TooManyWorkspacesError) return undefined
      throw error
    }
  }

  override isDamaged(name: string): boolean {
    return this.workspaces.closed(name)?.damage !== undefined
  }

  /** Also puts the workspaces that are closed back to what they begin with. */
  override async rebase(replace: () => Promise<void>): Promise<void> {
    await replace()
    await this.resetClosed()
  }

  /** Settles once the file of a workspace is written. @throws {UnusableError} then there is no workspace. */
  override async created(workspace: Workspace): Promise<boolean> {
    const { name } = workspace
    try {
      await this.open(name)
      return true
    } catch (error) {
      // The caller gets an error, so that a list must not show the workspace.
      if (this.workspaces.find(name) === workspace) this.workspaces.delete(name)
      throw error
    }
  }

  /** From here on it stays in memory: somebody has hold of it. */
  override hold(name: string): void {
    const opened = this.#opened.get(name)
    if (opened) opened.isHeld = true
  }

  /** Settles once the files of what was deleted are gone, of one name or of all. @throws {NotSavedError} */
  override async dropped(name?: string): Promise<void> {
    await this.#removals.done(name)
  }

  /** Closes what nobody used for a minute, and tries again what could not be done. */
  async closeIdle(): Promise<void> {
    this.#sweeping ??= (async () => {
      for (const opened of this.#opened.values()) {
        if (this.#isIdle(opened)) await this.#close(opened)
      }
      await this.#tryAgain()
      await this.#removals.tryAgain((name) => !this.#opened.has(name))
      await this.#accessTimes.recordAll(this.#files.options.usesNotedEvery)
    })().finally(() => (this.#sweeping = undefined))
    await this.#sweeping
  }

  /** Puts all that are closed back to what they begin with, one after the other. */
  async resetClosed(): Promise<void> {
    const { workspaces } = this.#parts
    for (const { name, usedAt } of workspaces.all()) {
      const closed = workspaces.closed(name)
      if (!closed || closed.damage !== undefined) continue
      await this.#open(name).catch(this.#ifUnusable)
      const opened = this.#opened.get(name)
      if (!opened) continue
      workspaces.reset(opened.workspace)
      await opened.keeper.saved()
      opened.workspace.usedAt = usedAt
    }
    await this.closeIdle()
  }

  /**
   * Saves what is left, and gives the folder back. Nothing can be written from here on.
   * @throws {NotSavedError} when something is not kept that should be.
   */
  override async close(): Promise<void> {
    this.#stopSweeping()
    await this.#sweeping
    const failures: unknown[] = []
    await forEachLimited(this.#opened.values(), ({ keeper }) =>
      keeper.close().catch((error) => void failures.push(error)),
    )
    await Promise.all(this.#queue.all())
    // Nobody writes any more, also of those that waited for the files of another one of their name to go.
    await this.#removals.tryAgain(() => true)
    await this.#accessTimes.recordAll(0)
    await this.#files.lock.release()
    if (failures.length > 0) throw failures[0]
  }

  /** What could not be reached may be well by now, and whoever looks at health is to know. */
  async #tryAgain(): Promise<void> {
    const { workspaces } = this.#parts
    for (const name of this.#unusable.keys()) {
      const closed = workspaces.closed(name)
      if (!closed || closed.damage !== undefined) continue
      await this.#open(name).catch(this.#ifUnusable)
      const opened = this.#opened.get(name)
      if (opened) opened.workspace.usedAt = closed.usedAt
    }
  }

  #isIdle({ workspace, keeper, isHeld }: Opened): boolean {
    const { options } = this.#files
    const isFree = workspace.name !== defaultWorkspace && !isHeld && !workspace.watchers
    const isSafe = keeper.isWell && keeper.isWritten && (options.durability !== 'exit' || keeper.hasSaved)
    return isFree && isSafe && workspace.uses === 0 && options.time.now() - workspace.usedAt >= idleMs
  }

  /** Nothing of a new one is told before it is on the disk. */
  #written({ workspace, keeper }: Opened): Promise<void> | undefined {
    return keeper.written()?.catch(({ message }: Error) => {
      const file = this.#files.shown(workspace.name)
      throw new UnusableError(workspace.name, `it is in no file yet. ${message}`, file)
    })
  }

  /** From here on nobody finds it, and who opens it waits until its file is whole. */
  async #close({ workspace, keeper }: Opened): Promise<void> {
    const { name, createdAt, isolation, usedAt, state } = workspace
    const { workspaces } = this.#parts
    this.#opened.delete(name)
    this.#put({
      name,
      createdAt,
      isolation,
      uses: 0,
      usedAt,
      readyKeys: readyKeysOf(state),
      shell: workspace,
    })
    await this.#queue.enqueue(name, async () => {
      await keeper.close(true)
      await this.#accessTimes.record(name, usedAt)
      // Its rows are in its file, and what it begins with.
      workspace.keeper = undefined
      workspace.own = {}
      workspace.goBack(workspaces.baseline.fork())
    })
  }

  #open(name: string): Promise<void> {
    // Somebody waits for it.
    const { workspaces } = this.#parts
    const closed = workspaces.closed(name)
    if (closed) workspaces.close({ ...closed, uses: 1 })
    const opening =
      this.#opening.get(name) ??
      this.#queue.enqueue(name, () => this.#load(name)).finally(() => this.#opening.delete(name))
    this.#opening.set(name, opening)
    return opening
  }

  async #load(name: string): Promise<void> {
    const { workspaces } = this.#parts
    const closed = workspaces.closed(name)
    if (!closed) return
    try {
      await this.#loadClosed(closed)
    } finally {
      const left = workspaces.closed(name)
      if (left) workspaces.close({ ...left, uses: 0 })
    }
  }

  async #loadClosed(closed: ClosedWorkspace): Promise<void> {
    const { options } = this.#files
    const { workspaces, how } = this.#parts
    const { name } = closed
    if (closed.damage !== undefined && !options.recover)
      throw new UnusableError(name, closed.damage, this.#files.shown(name))
    const data = await this.#read(closed)
    const { workspace: part, beginning } = data.kept ?? {}
    const { own, start } = await beginningOf(part ?? {}, beginning, workspaces.beginning.clock)
    const known = part && closed.damage !== undefined ? this.#scan.knownOf(closed, part) : closed
    const workspace = workspaces.revive(known, own, start)
    if (!closed.shell) workspace.createdAt = known.createdAt
    const stop = new AbortController()
    const more = { ...this.#howFor(workspace, stop), ...(closed.shell ? {} : { clock: clockFor(own, how) }) }
    const keeper = data.isClosed
      ? data.resume(workspace, more)
      : await this.#keep(data, closed, workspace, more)
    // Deleted meanwhile: nothing may bring its file back.
    if (!workspaces.closed(name)) return keeper.abandon()
    workspace.journal.secrets.note(workspace.state.all('api_keys'))
    workspace.usedAt = options.time.now()
    this.#unusable.delete(name)
    this.#opened.set(name, { workspace, keeper, stop, isHeld: false })
    workspaces.reopen(workspace)
  }

  /** @throws {UnusableError} */
  async #keep(
    data: OpenData,
    { name }: ClosedWorkspace,
    workspace: Workspace,
    how: KeepOptions,
  ): Promise<FileSaver> {
    try {
      return await data.keep(workspace, how)
    } catch (error) {
      // Reading goes on, and who writes is told.
      if (error instanceof UnreachableError) return data.resume(workspace, how)
      await data.release()
      throw error instanceof DocumentError ? this.#cannotOpen(name, damageOf(error), true) : error
    }
  }

  /** @throws {UnusableError} */
  async #read(closed: ClosedWorkspace): Promise<OpenData> {
    // What ends a start ends no call that came before it.
    const {
      options: { signal: _signal, ...options },
      lock,
    } = this.#files
    const { name } = closed
    try {
      const data = await openData({
        ...options,
        path: this.#files.pathOf(name),
        name: this.#files.shown(name),
        lock,
      })
      if (data.kept) return data
      throw new DocumentError([
        { source: this.#files.shown(name), path: '', message: 'is not there any more' },
      ])
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      throw this.#cannotOpen(name, damageOf(error), !(error instanceof UnreachableError))
    }
  }

  /**
   * Notes why a workspace cannot be opened, unless it was deleted meanwhile, and has the log say so once.
   * @param isDamaged whether that is so until somebody mends it; else it is tried again.
   */
  #cannotOpen(name: string, why: string, isDamaged: boolean): UnusableError {
    const found = new UnusableError(name, why, this.#files.shown(name))
    const closed = this.#parts.workspaces.closed(name)
    if (!closed) return found
    if (this.#unusable.get(name) !== why) this.#parts.how.onProblem(found.message)
    this.#unusable.set(name, why)
    if (isDamaged) this.#put({ ...closed, damage: why })
    return found
  }

  /** One that cannot be used is told of by health; anything else is a bug of ours. */
  readonly #ifUnusable = (error: unknown): void => {
    if (!(error instanceof UnusableError)) this.#parts.how.onBug(error)
  }

  #put(closed: ClosedWorkspace): void {
    if (closed.damage !== undefined) this.#unusable.set(closed.name, closed.damage)
    this.#parts.workspaces.close(closed)
  }

  #keepNew(workspace: Workspace): void {
    const { options } = this.#files
    const { name } = workspace
    const stop = new AbortController()
    const file = this.#files.at(name)
    const shown = { name: this.#files.shown(name), durability: options.durability, kept: undefined }
    const clear = (): Promise<void> => this.#removals.finish(name)
    const how = keeperOptions(file, shown, { ...this.#howFor(workspace, stop), clear })
    // One of this name may be on its way out, and one that goes for this one frees what this one needs.
    const before = Promise.all([this.#queue.get(name), this.#removals.going])
    const keeper = FileSaver.begin(workspace, { ...how, before }, true)
    workspace.usedAt = options.time.now()
    this.#opened.set(name, { workspace, keeper, stop, isHeld: false })
  }

  #delete(name: string, gone: ClosedWorkspace | undefined): void {
    const opened = this.#opened.get(name)
    this.#opened.delete(name)
    this.#unusable.delete(name)
    this.#accessTimes.forget(name)
    opened?.stop.abort()
    // Calls that it has begun are finished in it, and kept nowhere.
    if (opened) opened.workspace.keeper = undefined
    this.#removals.begin(name, opened, gone?.damage !== undefined)
  }

  #howFor(workspace: Workspace, stop: AbortController): Omit<KeepOptions, 'clock' | 'signal'> {
    const { clock: _clock, signal: _signal, ...how } = this.#parts.how
    return {
      ...how,
      aboutWorkspace: (kept) => workspacePartOf(workspace, kept),
      pause: async (milliseconds) => !stop.signal.aborted && (await how.pause(milliseconds, stop.signal)),
    }
  }
}

/** One that has a clock of its own goes on from where that stood, whatever the others were asked to show. */
function clockFor(own: Partial<Beginning>, { clock }: Parts['how']): Parts['how']['clock'] {
  return own.clock ? { ...clock, asked: { clock: undefined, frozen: false } } : clock
}
