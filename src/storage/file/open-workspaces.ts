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
import { saverOptions, openData, UnreachableError, type PersistOptions, type OpenData } from './open-data.ts'
import { beginningOf, readyKeysOf, workspacePartOf } from './workspace-part.ts'

/** Idle time after which a workspace is closed (ms). */
const idleMs = 60_000

/** A workspace in memory, with its saver. */
export interface Opened {
  workspace: Workspace
  saver: FileSaver
  /** Stops retries of writing. */
  stop: AbortController
  /** The program has a reference to it, so it stays open. */
  isHeld: boolean
}

/** How the files of all workspaces are saved. */
export type FolderPersistOptions = PersistOptions & Required<Pick<PersistOptions, 'clock'>>

/** Everything that opening and closing workspaces needs. */
interface OpenWorkspacesParts {
  files: FolderFiles
  workspaces: Workspaces
  how: FolderPersistOptions
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
  readonly #how: FolderPersistOptions
  readonly #scan: FolderScan
  readonly #accessTimes: AccessTimes
  /** Runs the work on the files of one name in sequence. */
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

  isIdle({ workspace, saver, isHeld }: Opened): boolean {
    const { options } = this.#files
    const isFree = workspace.name !== defaultWorkspace && !isHeld && !workspace.watchers
    const isSafe = saver.isWell && saver.isWritten && (options.durability !== 'exit' || saver.hasSaved)
    return isFree && isSafe && workspace.uses === 0 && options.time.now() - workspace.usedAt >= idleMs
  }

  /** A new workspace is not listed before its file is written. @returns undefined if it is written. */
  written({ workspace, saver }: Opened): Promise<void> | undefined {
    return saver.written()?.catch(({ message }: Error) => {
      const file = this.#files.shown(workspace.name)
      throw new UnusableError(workspace.name, `it has no file yet. ${message}`, file)
    })
  }

  /** Closes a workspace; a caller that opens it again waits until its file is written. */
  async close({ workspace, saver }: Opened): Promise<void> {
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
      await saver.close(true)
      await this.#accessTimes.record(name, usedAt)
      // Its rows and its initial state are in its file.
      workspace.saver = undefined
      workspace.own = {}
      workspace.applyState(workspaces.baseline.fork())
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
    const { workspace: part, beginning } = data.loaded ?? {}
    const { own, start } = await beginningOf(part ?? {}, beginning, workspaces.beginning.clock)
    const known = part && closed.damage !== undefined ? this.#scan.knownOf(closed, part) : closed
    const workspace = workspaces.revive(known, own, start)
    if (!closed.shell) workspace.createdAt = known.createdAt
    const stop = new AbortController()
    const more = { ...this.howFor(workspace, stop), ...(closed.shell ? {} : { clock: clockFor(own, how) }) }
    const saver = data.isClosed
      ? data.resume(workspace, more)
      : await this.#persist(data, closed, workspace, more)
    // Deleted meanwhile: its file must not be written again.
    if (!workspaces.closed(name)) return saver.abandon()
    workspace.journal.secrets.note(workspace.state.secretRows())
    workspace.usedAt = options.time.now()
    this.unusable.delete(name)
    this.opened.set(name, { workspace, saver, stop, isHeld: false })
    workspaces.reopen(workspace)
  }

  /** @throws {UnusableError} */
  async #persist(
    data: OpenData,
    { name }: ClosedWorkspace,
    workspace: Workspace,
    how: PersistOptions,
  ): Promise<FileSaver> {
    try {
      return await data.persist(workspace, how)
    } catch (error) {
      // Reads continue; a write is refused with the reason.
      if (error instanceof UnreachableError) return data.resume(workspace, how)
      await data.release()
      throw error instanceof DocumentError ? this.#cannotOpen(name, damageOf(error), true) : error
    }
  }

  /** @throws {UnusableError} */
  async #read(closed: ClosedWorkspace): Promise<OpenData> {
    // Stopping the start must not abort a call that came before it.
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
      if (data.loaded) return data
      throw new DocumentError([{ source: this.#files.shown(name), path: '', message: 'no longer exists' }])
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      throw this.#cannotOpen(name, damageOf(error), !(error instanceof UnreachableError))
    }
  }

  /**
   * Records why a workspace cannot be opened, unless it was deleted meanwhile, and logs it once.
   * @param isDamaged whether its file must be repaired; otherwise opening is retried.
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
    const shown = { name: this.#files.shown(name), durability: options.durability, loaded: undefined }
    const clear = (): Promise<void> => this.#removals.finish(name)
    const how = saverOptions(file, shown, { ...this.howFor(workspace, stop), clear })
    // A removal may still need the name, or free the disk space that this workspace needs.
    const before = Promise.all([this.#queue.get(name), this.#removals.going])
    const saver = FileSaver.begin(workspace, { ...how, before }, true)
    workspace.usedAt = options.time.now()
    this.opened.set(name, { workspace, saver, stop, isHeld: false })
  }

  /** Removes a workspace that was deleted, with its files. */
  delete(name: string, gone: ClosedWorkspace | undefined): void {
    const opened = this.opened.get(name)
    this.opened.delete(name)
    this.unusable.delete(name)
    this.#accessTimes.forget(name)
    opened?.stop.abort()
    // Its open calls finish, and their writes are discarded.
    if (opened) opened.workspace.saver = undefined
    this.#removals.begin(name, opened, gone?.damage !== undefined)
  }

  /** How one workspace is saved. */
  howFor(workspace: Workspace, stop: AbortController): Omit<PersistOptions, 'clock' | 'signal'> {
    const { clock: _clock, signal: _signal, ...how } = this.#how
    return {
      ...how,
      aboutWorkspace: (loaded) => workspacePartOf(workspace, loaded),
      pause: async (milliseconds) => !stop.signal.aborted && (await how.pause(milliseconds, stop.signal)),
    }
  }
}

/** A workspace with a clock of its own continues from it; `--clock` and `--frozen` apply to the others. */
function clockFor(own: Partial<Beginning>, { clock }: FolderPersistOptions): FolderPersistOptions['clock'] {
  return own.clock ? { ...clock, requested: { clock: undefined, frozen: false } } : clock
}
