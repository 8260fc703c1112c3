// The workspaces of this process that a driver persists: opens one on first use, and gives up one that is idle, that
// another process wants, or whose rows in memory may be stale.
import { DocumentError } from '../../input/problems.ts'
import { monotonicNow } from '../../runtime/host.ts'
import { refusingSaver, UnusableError } from '../../workspaces/closed.ts'
import { defaultWorkspace } from '../../workspaces/names.ts'
import type { Ownership } from '../../workspaces/ownership.ts'
import { NotSavedError } from '../../workspaces/saver.ts'
import {
  DamagedError,
  isElsewhere,
  OwnedElsewhereError,
  StorageUnavailableError,
  type OpenedWorkspace,
  type Storage,
} from '../../workspaces/storage.ts'
import type { Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { TooManyWorkspacesError } from '../../workspaces/workspaces.ts'
import { restoreWorkspace, type RestoreOptions } from './restore-workspace.ts'
import { ListedWorkspaces } from './listed-workspaces.ts'
import { NameQueue } from './name-queue.ts'
import { ForeignError, MismatchError, OwnersOfWorkspaces } from './persisted-owners.ts'
import { readDocument, type PersistedWorkspace, type ReadOptions } from './read-document.ts'
import { Removals } from './removals.ts'
import { readyKeysOf } from './workspace-part.ts'
import { WorkspaceSaver, type WorkspaceSaverOptions } from './workspace-saver.ts'
import { aboutOf, documentOf, hasWaiting } from './write-document.ts'

/** Idle time after which a workspace is given up (ms). */
export const idleMs = 600_000

/** Idle time after which a workspace that another process wants is given up (ms). */
const wantedIdleMs = 1_000

/** How workspaces are read and written. */
export interface OwnedWorkspacesOptions
  extends
    Omit<RestoreOptions, 'owners'>,
    Pick<ReadOptions, 'assumptions' | 'seed' | 'base'>,
    Pick<WorkspaceSaverOptions, 'minLogBytes' | 'reasonOf' | 'isFinal' | 'onProblem' | 'onBug' | 'pause'> {
  /** Whether other processes use the same storage. */
  isShared: boolean
  /** Whether a workspace is persisted; any other one is in memory only, for as long as the process runs. */
  persists(name: string): boolean
  /** The name of the file or of the key of a workspace in messages. */
  shown(name: string): string
  /** Nothing can be persisted any more, so the process must end. */
  onEnd(error: Error): void
}

/** A workspace that this process owns. */
interface Owned {
  readonly workspace: Workspace
  readonly saver: WorkspaceSaver
  /** The program has a reference to it, so it stays open. */
  isHeld: boolean
  isWanted: boolean
  /** Its last use that storage knows, in monotonic time (ms). */
  reportedUse: number
}

export class OwnedWorkspaces implements Ownership {
  readonly isShared: boolean
  readonly #options: OwnedWorkspacesOptions & RestoreOptions
  readonly #storage: Storage
  readonly #owned = new Map<string, Owned>()
  /** Work on one name, in sequence. */
  readonly #queue = new NameQueue()
  readonly #list: ListedWorkspaces
  readonly #removals: Removals
  #closing: Promise<void> | undefined

  private constructor(storage: Storage, options: OwnedWorkspacesOptions) {
    this.#storage = storage
    this.isShared = options.isShared
    this.#options = { ...options, owners: new OwnersOfWorkspaces(options.workspaces.owners) }
    this.#list = new ListedWorkspaces({
      ...this.#options,
      storage,
      isSkipped: (name) => this.#owned.has(name) || this.#removals.has(name),
    })
    const refresh = (): Promise<void> => this.#list.refresh()
    this.#removals = new Removals({ ...options, storage, queue: this.#queue, refresh })
  }

  /**
   * Lists the workspaces of storage as closed ones.
   * @param home `default` as it was persisted, if its owner is known: no other process opens the files of this one. A
   * store has one of many owners, so it is opened by its first use.
   * @throws {DocumentError} {MismatchError} and whatever `Storage` throws.
   */
  static async start(
    storage: Storage,
    home: PersistedWorkspace | undefined,
    options: OwnedWorkspacesOptions,
  ): Promise<OwnedWorkspaces> {
    const { onNotice, workspaces, isShared } = options
    const all = new OwnedWorkspaces(storage, options)
    await all.#list.refresh()
    if (isShared) workspaces.default.saver = refusingSaver(defaultWorkspace)
    else await all.#openHome(home)
    for (const { name } of workspaces.all()) {
      const damage = workspaces.closed(name)?.damage
      if (damage !== undefined) onNotice(new UnusableError(name, damage).message)
    }
    workspaces.ownership = all
    return all
  }

  async #openHome(home: PersistedWorkspace | undefined): Promise<void> {
    if (!home) return this.#create(defaultWorkspace)
    const known = this.#list.unlisted(defaultWorkspace)
    this.#own(await restoreWorkspace(home, known, this.#options.shown(defaultWorkspace), this.#options), true)
  }

  get health(): Storage['health'] {
    const { away, damaged, figures } = this.#storage.health
    const { workspaces } = this.#options
    const unusable = new Map(damaged)
    for (const { name } of workspaces.all()) {
      const damage = workspaces.closed(name)?.damage
      if (damage !== undefined) unusable.set(name, damage)
    }
    for (const [name, { saver }] of this.#owned)
      if (!saver.isWell) unusable.set(name, unusable.get(name) ?? 'cannot be written')
    return { away, damaged: unusable, figures }
  }

  isCurrent(name: string): boolean {
    return this.#owned.has(name) ? this.#storage.owns(name) : !this.#options.persists(name)
  }

  open(name: string, creates = true): Promise<void> {
    return this.#enqueue(name, { asks: true, creates })
  }

  #enqueue(name: string, how: { asks: boolean; creates: boolean }): Promise<void> {
    const { workspaces } = this.#options
    // In use, so that it is not evicted while a caller waits.
    const closed = workspaces.closed(name)
    if (closed) workspaces.close({ ...closed, uses: closed.uses + 1 })
    return this.#queue.enqueue(name, async () => {
      try {
        if (!this.isCurrent(name)) await this.#load(name, how)
      } finally {
        const left = workspaces.closed(name)
        if (left) workspaces.close({ ...left, uses: Math.max(0, left.uses - 1) })
      }
    })
  }

  async persist(workspace: Workspace): Promise<boolean> {
    const { name } = workspace
    const { workspaces, persists } = this.#options
    if (!persists(name)) return true
    let isOurs = false
    await this.#queue.enqueue(name, async () => {
      if (workspaces.find(name) !== workspace) return
      try {
        const { checkpoint } = await this.#storage.open(name, '{}', false)
        if (checkpoint) await this.#storage.release(name)
        else {
          await this.#own(workspace, false).saver.saved()
          isOurs = true
        }
      } catch (error) {
        this.#discard(name)
        if (!(error instanceof OwnedElsewhereError)) {
          await this.#storage.drop(name).catch(() => undefined)
          throw error
        }
      } finally {
        // The caller gets an error or another name, so no list may show it.
        if (!isOurs && workspaces.find(name) === workspace) workspaces.remove(name)
      }
    })
    if (!isOurs) await this.refreshNames()
    return isOurs
  }

  hold(name: string): void {
    const owned = this.#owned.get(name)
    if (owned) owned.isHeld = true
  }

  /** Another process wants a workspace: it is given up once it is idle for a second. */
  want(name: string): void {
    const owned = this.#owned.get(name)
    if (owned) owned.isWanted = true
  }

  /** The rows in memory may be stale: they are read again at the next use. */
  forget(name: string): void {
    const owned = this.#owned.get(name)
    if (!owned) return
    const shown = this.#options.shown(name)
    const message = `${shown} is read again, as it may have changed meanwhile.`
    owned.saver.abandon(new NotSavedError(message, 'not made', shown))
    for (const watcher of owned.workspace.watchers ?? []) watcher.end()
    this.#owned.delete(name)
    this.#close(owned)
    // It may be opened again only after its last write has ended.
    void this.#queue.enqueue(name, () => owned.saver.settled())
  }

  /** Gives up workspaces that are idle. @param now in monotonic time (ms). */
  async giveUpIdle(now = monotonicNow()): Promise<void> {
    for (const [name, owned] of this.#owned) {
      if (this.#isIdle(owned, now)) await this.#queue.enqueue(name, () => this.#release(owned))
    }
  }

  /** Persists when workspaces were last used. */
  async reportUses(): Promise<void> {
    for (const owned of this.#owned.values()) await this.#reportUse(owned)
  }

  /** Opens workspaces whose attempts wait and that no process owns, so that they are delivered. */
  async openWaiting(): Promise<void> {
    const { workspaces, isShared } = this.#options
    for (const { saver } of this.#owned.values()) if (saver.saysTooMuch) await saver.describe()
    if (isShared) await this.refreshNames()
    const names = workspaces
      .all()
      .filter(({ name }) => workspaces.closed(name)?.isWaiting && !workspaces.closed(name)?.damage)
      .map(({ name }) => name)
    if (this.#list.isDefaultWaiting && !this.isCurrent(defaultWorkspace)) names.push(defaultWorkspace)
    for (const name of names) {
      await this.#enqueue(name, { asks: false, creates: false }).catch((error: unknown) => {
        // Another process delivers them, or lists and health show the damage.
        if (!isElsewhere(error) && !(error instanceof UnusableError)) throw error
      })
    }
  }

  drop(name: string): void {
    if (!this.#options.persists(name)) return
    const owned = this.#owned.get(name)
    this.#owned.delete(name)
    owned?.saver.abandon(new NotSavedError(`Workspace '${name}' was deleted.`, 'not made'))
    if (owned) owned.workspace.saver = undefined
    this.#removals.begin(name, async () => owned?.saver.settled())
  }

  dropped(name?: string): Promise<void> {
    return this.#removals.ended(name)
  }

  async dropClosed(name: string, asks: boolean): Promise<void> {
    await this.#removals.remove(name, asks)
    this.#options.workspaces.remove(name)
  }

  refreshNames(): Promise<void> {
    return this.#list.refresh()
  }

  /** Persists all writes, gives up all workspaces and releases storage. A second call waits for the first one. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll())
  }

  async #closeAll(): Promise<void> {
    await Promise.all(this.#queue.all())
    for (const owned of this.#owned.values()) await this.#reportUse(owned)
    await Promise.all([...this.#owned.values()].map(({ saver }) => saver.end()))
    await this.#storage.close()
  }

  #isIdle({ workspace, saver, isHeld, isWanted }: Owned, now: number): boolean {
    const isFree =
      (this.isShared || workspace.name !== defaultWorkspace) && !isHeld && !workspace.watchers && saver.isWell
    if (!isFree || workspace.uses > 0) return false
    const since = now - workspace.usedAt
    return isWanted ? since >= wantedIdleMs : since >= idleMs && !hasWaiting(workspace.state)
  }

  async #reportUse(owned: Owned): Promise<void> {
    const { workspace, saver, reportedUse } = owned
    if (workspace.usedAt <= reportedUse) return
    owned.reportedUse = workspace.usedAt
    await saver.describe()
  }

  async #load(name: string, { asks, creates }: { asks: boolean; creates: boolean }): Promise<void> {
    const { workspaces, shown } = this.#options
    const listed = workspaces.closed(name)
    const known = listed ?? this.#list.unlisted(name)
    let opened: OpenedWorkspace
    try {
      opened = await this.#storage.open(name, '{}', asks)
    } catch (error) {
      throw this.#unusable(name, error)
    }
    const { checkpoint, deltas } = opened
    if (!checkpoint && deltas.length === 0) {
      if (!creates) {
        // Another process has deleted it.
        if (workspaces.closed(name)) workspaces.remove(name)
        return this.#storage.drop(name)
      }
      return this.#create(name).catch((error: unknown) => {
        throw this.#unusable(name, error)
      })
    }
    try {
      if (!checkpoint) throw new DamagedError(`${shown(name)} is damaged: it has changes, and no checkpoint`)
      const read = await readDocument({ checkpoint, deltas }, shown(name), this.#options)
      const workspace = await restoreWorkspace(read, known, shown(name), this.#options)
      // Deleted meanwhile.
      if (listed && !workspaces.closed(name)) return await this.#storage.release(name)
      this.#own(workspace, true)
      workspaces.reopen(workspace)
    } catch (error) {
      await this.#storage.release(name)
      throw this.#unusable(name, error)
    }
  }

  /** Returns the error for callers of `open`. Lists and health show a workspace that alone cannot be opened. */
  #unusable(name: string, error: unknown): unknown {
    const { workspaces, shown, onNotice, reasonOf, isFinal } = this.#options
    if (isElsewhere(error) || error instanceof TooManyWorkspacesError) return error
    const isDamage = [DamagedError, DocumentError, MismatchError, ForeignError, NotSavedError].some(
      (kind) => error instanceof kind,
    )
    const reason = isDamage && error instanceof Error ? error.message : reasonOf(error)
    if (reason === undefined) return error
    if (isFinal(error))
      return new StorageUnavailableError(`Nothing can be read or saved any more: ${reason}.`)
    if (name === defaultWorkspace && !this.isShared) return error
    const [first = ''] = reason.split('\n')
    const damage =
      error instanceof DocumentError ? `${first}; put its file back, or delete the workspace` : first
    const closed = workspaces.closed(name)
    const unusable = new UnusableError(name, damage, shown(name))
    if (closed && closed.damage !== damage) {
      workspaces.close({ ...closed, damage })
      onNotice(unusable.message)
    }
    return unusable
  }

  /** A new workspace has a checkpoint before it is used. */
  async #create(name: string): Promise<void> {
    const { workspaces } = this.#options
    try {
      if (name !== defaultWorkspace) await workspaces.makeRoom(name)
      // Of files, or listed meanwhile.
      if (workspaces.closed(name)) workspaces.remove(name)
      const workspace = name === defaultWorkspace ? workspaces.default : workspaces.add(name, {}, undefined)
      await this.#own(workspace, false).saver.saved()
    } catch (error) {
      this.#discard(name)
      if (name !== defaultWorkspace) workspaces.remove(name)
      // A list tolerates one that is left: the next process that opens it creates it.
      await this.#storage.drop(name).catch(() => undefined)
      throw error
    }
  }

  /** Gives up a workspace that could not be created: its saver must not write to another one of its name. */
  #discard(name: string): void {
    this.#owned
      .get(name)
      ?.saver.abandon(new NotSavedError(`Workspace '${name}' was not created.`, 'not made'))
    this.#owned.delete(name)
  }

  #own(workspace: Workspace, hasCheckpoint: boolean): Owned {
    const { shown, seed, base } = this.#options
    const { name } = workspace
    const saver = new WorkspaceSaver(
      workspace,
      {
        ...this.#options,
        storage: this.#storage,
        name: shown(name),
        documentOf: (checkpoint: Checkpoint, nextRequest: number) =>
          documentOf(workspace, checkpoint, nextRequest, { seed, base }),
        about: () => aboutOf(workspace),
        onUncertain: (error) =>
          this.#options.isFinal(error) ? this.#options.onEnd(error) : this.forget(name),
      },
      hasCheckpoint,
    )
    const owned = { workspace, saver, isHeld: false, isWanted: false, reportedUse: monotonicNow() }
    this.#owned.set(name, owned)
    return owned
  }

  async #release(owned: Owned): Promise<void> {
    const { name } = owned.workspace
    // Used again while it waited for its turn.
    if (this.#owned.get(name) !== owned || !this.#isIdle(owned, monotonicNow())) return
    // Calls from now on open it again.
    this.#owned.delete(name)
    await this.#reportUse(owned)
    await owned.saver.end()
    if (this.#options.workspaces.stillExists(owned.workspace)) this.#close(owned)
    await this.#storage.release(name)
  }

  /** Keeps what lists show of a workspace, and drops its rows. */
  #close({ workspace }: Owned): void {
    const { workspaces } = this.#options
    const { name, createdAt, isolation, usedAt, state } = workspace
    const isWaiting = hasWaiting(state)
    workspaces.close({
      name,
      createdAt,
      isolation,
      uses: 0,
      usedAt,
      readyKeys: readyKeysOf(state),
      isWaiting,
      shell: workspace,
    })
    if (name === defaultWorkspace) this.#list.isDefaultWaiting = isWaiting
    workspace.own = {}
    workspace.applyState(workspaces.baseline.fork())
  }
}
