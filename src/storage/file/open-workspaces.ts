// The open workspaces of a folder of data: each is loaded from its file, saved to it, and closed again.
import { DocumentError } from '../../input/problems.ts'
import { UnusableError, type ClosedWorkspace } from '../../workspaces/closed.ts'
import { defaultWorkspace, type Beginning, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { AccessTimes } from './access-times.ts'
import { FileSaver } from './file-saver.ts'
import type { FolderFiles } from './folder-files.ts'
import type { FolderRemovals } from './folder-removals.ts'
import { damageOf, type FolderScan } from './folder-scan.ts'
import type { NameQueue } from './name-queue.ts'
import { keeperOptions, openData, UnreachableError, type KeepOptions, type OpenData } from './open-data.ts'
import { beginningOf, readyKeysOf, workspacePartOf } from './workspace-part.ts'

/** How long a workspace is idle before it is closed. */
const idleMs = 60_000

/** A workspace in memory, and what saves it. */
export interface Opened {
  workspace: Workspace
  keeper: FileSaver
  /** Ends trying to write again. */
  stop: AbortController
  /** The program has a reference to it, so it stays open. */
  isHeld: boolean
}

/** How the files of all workspaces are saved. */
export type FolderKeepOptions = KeepOptions & Required<Pick<KeepOptions, 'clock'>>

/** What opening and closing workspaces needs. */
interface OpenWorkspacesParts {
  files: FolderFiles
  workspaces: Workspaces
  how: FolderKeepOptions
  scan: FolderScan
  accessTimes: AccessTimes
  queue: NameQueue
  removals: FolderRemovals
}

export class OpenWorkspaces {
  /** By name. */
  readonly opened = new Map<string, Opened>()
  /** Why workspaces cannot be opened, by name. */
  readonly unusable = new Map<string, string>()
  readonly #files: FolderFiles
  readonly #workspaces: Workspaces
  readonly #how: FolderKeepOptions
  readonly #scan: FolderScan
  readonly #accessTimes: AccessTimes
  /** Runs the work on the files of a name one after the other. */
  readonly #queue: NameQueue
  readonly #removals: FolderRemovals
  readonly #opening = new Map<string, Promise<void>>()

  constructor({ files, workspaces, how, scan, accessTimes, queue, removals }: OpenWorkspacesParts) {
    this.#files = files
    this.#workspaces = workspaces
    this.#how = how
    this.#scan = scan
    this.#accessTimes = accessTimes
    this.#queue = queue
    this.#removals = removals
  }

  isIdle({ workspace, keeper, isHeld }: Opened): boolean {
    const { options } = this.#files
    const isFree = workspace.name !== defaultWorkspace && !isHeld && !workspace.watchers
    const isSafe = keeper.isWell && keeper.isWritten && (options.durability !== 'exit' || keeper.hasSaved)
    return isFree && isSafe && workspace.uses === 0 && options.time.now() - workspace.usedAt >= idleMs
  }

  /** A new workspace is not shown before its file is written. @returns undefined where it is. */
  written({ workspace, keeper }: Opened): Promise<void> | undefined {
    return keeper.written()?.catch(({ message }: Error) => {
      const file = this.#files.shown(workspace.name)
      throw new UnusableError(workspace.name, `it is in no file yet. ${message}`, file)
    })
  }

  /** Closes a workspace; a caller that opens it again waits until its file is written. */
  async close({ workspace, keeper }: Opened): Promise<void> {
    const { name, createdAt, isolation, usedAt, state } = workspace
    const workspaces = this.#workspaces
    this.opened.delete(name)
    this.put({
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

  open(name: string): Promise<void> {
    // In use, so that it is not evicted while a caller waits.
    const workspaces = this.#workspaces
    const closed = workspaces.closed(name)
    if (closed) workspaces.close({ ...closed, uses: 1 })
    const opening =
      this.#opening.get(name) ??
      this.#queue.enqueue(name, () => this.#load(name)).finally(() => this.#opening.delete(name))
    this.#opening.set(name, opening)
    return opening
  }

  async #load(name: string): Promise<void> {
    const workspaces = this.#workspaces
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
    const workspaces = this.#workspaces
    const how = this.#how
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
    const more = { ...this.howFor(workspace, stop), ...(closed.shell ? {} : { clock: clockFor(own, how) }) }
    const keeper = data.isClosed
      ? data.resume(workspace, more)
      : await this.#keep(data, closed, workspace, more)
    // Deleted meanwhile: nothing may bring its file back.
    if (!workspaces.closed(name)) return keeper.abandon()
    workspace.journal.secrets.note(workspace.state.all('api_keys'))
    workspace.usedAt = options.time.now()
    this.unusable.delete(name)
    this.opened.set(name, { workspace, keeper, stop, isHeld: false })
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
      // Reading goes on; a write is refused with the reason.
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
   * Records why a workspace cannot be opened, unless it was deleted meanwhile; the log has one line for it.
   * @param isDamaged whether its file must be repaired; otherwise opening is tried again.
   */
  #cannotOpen(name: string, why: string, isDamaged: boolean): UnusableError {
    const found = new UnusableError(name, why, this.#files.shown(name))
    const closed = this.#workspaces.closed(name)
    if (!closed) return found
    if (this.unusable.get(name) !== why) this.#how.onProblem(found.message)
    this.unusable.set(name, why)
    if (isDamaged) this.put({ ...closed, damage: why })
    return found
  }

  /** Health reports an unusable workspace; any other error is a bug of ours. */
  readonly ifUnusable = (error: unknown): void => {
    if (!(error instanceof UnusableError)) this.#how.onBug(error)
  }

  /** Lists a workspace as closed. */
  put(closed: ClosedWorkspace): void {
    if (closed.damage !== undefined) this.unusable.set(closed.name, closed.damage)
    this.#workspaces.close(closed)
  }

  /** Saves a workspace that was just created. */
  addNew(workspace: Workspace): void {
    const { options } = this.#files
    const { name } = workspace
    const stop = new AbortController()
    const file = this.#files.at(name)
    const shown = { name: this.#files.shown(name), durability: options.durability, kept: undefined }
    const clear = (): Promise<void> => this.#removals.finish(name)
    const how = keeperOptions(file, shown, { ...this.howFor(workspace, stop), clear })
    // A removal may still need the name, or free the room that this workspace needs.
    const before = Promise.all([this.#queue.get(name), this.#removals.going])
    const keeper = FileSaver.begin(workspace, { ...how, before }, true)
    workspace.usedAt = options.time.now()
    this.opened.set(name, { workspace, keeper, stop, isHeld: false })
  }

  /** Removes a workspace that was deleted, with its files. */
  delete(name: string, gone: ClosedWorkspace | undefined): void {
    const opened = this.opened.get(name)
    this.opened.delete(name)
    this.unusable.delete(name)
    this.#accessTimes.forget(name)
    opened?.stop.abort()
    // Its open calls finish, and their writes are saved nowhere.
    if (opened) opened.workspace.keeper = undefined
    this.#removals.begin(name, opened, gone?.damage !== undefined)
  }

  /** How one workspace is saved. */
  howFor(workspace: Workspace, stop: AbortController): Omit<KeepOptions, 'clock' | 'signal'> {
    const { clock: _clock, signal: _signal, ...how } = this.#how
    return {
      ...how,
      aboutWorkspace: (kept) => workspacePartOf(workspace, kept),
      pause: async (milliseconds) => !stop.signal.aborted && (await how.pause(milliseconds, stop.signal)),
    }
  }
}

/** A workspace with a clock of its own continues from it, whatever `--clock` and `--frozen` ask of the others. */
function clockFor(own: Partial<Beginning>, { clock }: FolderKeepOptions): FolderKeepOptions['clock'] {
  return own.clock ? { ...clock, asked: { clock: undefined, frozen: false } } : clock
}
