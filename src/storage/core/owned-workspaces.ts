// The workspaces of this process that a driver persists: opens one on first use, and gives up one that is idle, that
// another process wants, or whose rows in memory may be stale.
import type { Assumptions } from '../../contract/assumptions.ts'
import { monotonicNow } from '../../runtime/host.ts'
import type { State } from '../../store/state.ts'
import type { ClosedWorkspace } from '../../workspaces/closed.ts'
import { NotSavedError } from '../../workspaces/saver.ts'
import { defaultWorkspace, type Checkpoint, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { NameQueue } from '../file/name-queue.ts'
import { beginningOf, readyKeysOf } from '../file/workspace-part.ts'
import { aboutOf, documentOf, readAbout, readDocument } from './document.ts'
import type { ListedWorkspace, Storage, StorageEvents } from './driver.ts'
import { continuedClock, restoreSettings, type RequestedClock } from './restore-workspace.ts'
import { WorkspaceSaver, type WorkspaceSaverOptions } from './workspace-saver.ts'

/** Idle time after which a workspace is given up (ms). */
export const idleMs = 600_000

/** Idle time after which a workspace that another process wants is given up (ms). */
const wantedIdleMs = 1_000

/** How workspaces are read and written. */
export interface OwnedWorkspacesOptions extends Pick<
  WorkspaceSaverOptions,
  'minLogBytes' | 'reasonOf' | 'isFinal' | 'onProblem' | 'onBug' | 'pause'
> {
  workspaces: Workspaces
  assumptions: Assumptions
  seed: number
  /** The baseline, if a store keeps it, so that documents have the changes from it in place of the rows. */
  base: State | undefined
  /** The machine's clock, and the time that the clocks of workspaces should show. */
  clock: { now: () => number; requested: RequestedClock }
  /** The name of the file or of the key of a workspace in messages. */
  shown(name: string): string
  onNotice(line: string): void
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
}

export class OwnedWorkspaces {
  readonly #options: OwnedWorkspacesOptions
  readonly #storage: Storage
  readonly #owned = new Map<string, Owned>()
  /** Work on one name, in sequence. */
  readonly #queue = new NameQueue()

  private constructor(storage: Storage, options: OwnedWorkspacesOptions) {
    this.#storage = storage
    this.#options = options
  }

  /** Opens storage, and lists its workspaces as closed ones; `default` is opened. */
  static async start(
    openStorage: (events: StorageEvents) => Promise<Storage>,
    options: OwnedWorkspacesOptions,
  ): Promise<OwnedWorkspaces> {
    const { onEnd, onProblem } = options
    // A driver reports nothing about workspaces before one is opened.
    const opened: { all?: OwnedWorkspaces } = {}
    const storage = await openStorage({
      onWanted: (name) => opened.all?.want(name),
      onLost: (name) => opened.all?.forget(name),
      onEnd,
      onProblem,
    })
    const all = (opened.all = new OwnedWorkspaces(storage, options))
    try {
      await all.refreshNames()
      await all.open(defaultWorkspace)
    } catch (error) {
      await storage.close()
      throw error
    }
    return all
  }

  get health(): Storage['health'] {
    return this.#storage.health
  }

  /** The workspaces that cannot be written. */
  get unwritable(): string[] {
    return [...this.#owned].filter(([, { saver }]) => !saver.isWell).map(([name]) => name)
  }

  /** Whether the rows of a workspace in memory are current. */
  isCurrent(name: string): boolean {
    return this.#owned.has(name) && this.#storage.owns(name)
  }

  /**
   * Makes this process the owner of a workspace, with its rows in memory; an unknown one is created.
   * @returns undefined if it is already.
   * @throws by rejecting, like `Storage.open`; {DocumentError}; {TooManyWorkspacesError}.
   */
  open(name: string): Promise<void> | undefined {
    if (this.isCurrent(name)) return undefined
    return this.#queue.enqueue(name, async () => {
      if (!this.isCurrent(name)) await this.#load(name)
    })
  }

  /** The program has a reference to the workspace, so it stays open. */
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
    owned.saver.abandon(this.#lost(name))
    this.#close(owned)
  }

  /** Gives up workspaces that are idle. @param now in monotonic time (ms). */
  async giveUpIdle(now = monotonicNow()): Promise<void> {
    for (const [name, owned] of this.#owned) {
      if (this.#isIdle(owned, now)) await this.#queue.enqueue(name, () => this.#release(owned))
    }
  }

  /** Removes a workspace that was deleted from memory. */
  async drop(name: string): Promise<void> {
    const owned = this.#owned.get(name)
    this.#owned.delete(name)
    owned?.saver.abandon(new NotSavedError(`Workspace '${name}' was deleted.`, 'not made'))
    if (owned) owned.workspace.saver = undefined
    await this.#queue.enqueue(name, async () => {
      if (!this.#storage.owns(name)) await this.#storage.open(name, '{}')
      await this.#storage.drop(name)
    })
  }

  /** Reads the list of storage: workspaces that others created or dropped, and when they were used. */
  async refreshNames(): Promise<void> {
    const { workspaces } = this.#options
    const listed = await this.#storage.list()
    const names = new Set(listed.map(({ name }) => name))
    for (const { name } of workspaces.all())
      if (workspaces.closed(name) && !names.has(name)) workspaces.delete(name)
    for (const each of listed) if (!this.#owned.has(each.name)) this.#list(each)
  }

  /** Persists all writes, gives up all workspaces and releases storage. */
  async close(): Promise<void> {
    await Promise.all(this.#queue.all())
    await Promise.all([...this.#owned.values()].map(({ saver }) => saver.end()))
    await this.#storage.close()
  }

  #isIdle({ workspace, saver, isHeld, isWanted }: Owned, now: number): boolean {
    const isFree = workspace.name !== defaultWorkspace && !isHeld && !workspace.watchers
    const since = now - workspace.usedAt
    return isFree && saver.isWell && workspace.uses === 0 && since >= (isWanted ? wantedIdleMs : idleMs)
  }

  async #load(name: string): Promise<void> {
    const { workspaces, assumptions, seed, base, clock, onNotice } = this.#options
    const closed = workspaces.closed(name)
    const { checkpoint, deltas } = await this.#storage.open(name, '{}')
    if (!checkpoint) return this.#create(name)
    try {
      const read = await readDocument({ checkpoint, deltas }, this.#options.shown(name), {
        assumptions,
        seed,
        defaultSeed: seed,
        ...(base && { base }),
      })
      const { own, start } = await beginningOf(
        read.workspace ?? {},
        read.beginning,
        workspaces.beginning.clock,
      )
      const isDefault = name === defaultWorkspace
      const workspace = isDefault
        ? workspaces.default
        : workspaces.revive(closed ?? this.#closedOf({ name, about: undefined, usedAt: 0 }), own, start)
      workspace.createdAt = read.workspace?.created_at ?? workspace.createdAt
      // A workspace with a clock of its own continues from it; the options apply to the others.
      const requested = own.clock ? { clock: undefined, frozen: false } : clock.requested
      workspace.applyState(read.state, continuedClock(clock.now, requested, read.sandbox.clock))
      restoreSettings(workspace, read, (scenario) =>
        onNotice(
          `${this.#options.shown(name)}: scenario '${scenario}' was active and no longer exists, so it is off now`,
        ),
      )
      workspace.journal.secrets.note(workspace.state.secretRows())
      workspace.usedAt = monotonicNow()
      this.#own(workspace, true)
      if (!isDefault) workspaces.reopen(workspace)
    } catch (error) {
      await this.#storage.release(name)
      throw error
    }
  }

  /** A new workspace has a checkpoint before anybody learns of it. */
  async #create(name: string): Promise<void> {
    const { workspaces } = this.#options
    try {
      const workspace = name === defaultWorkspace ? workspaces.default : workspaces.open(name)
      await this.#own(workspace, false).saver.saved()
    } catch (error) {
      this.#owned.delete(name)
      if (name !== defaultWorkspace) workspaces.delete(name)
      // A list tolerates one that is left: the next process that opens it creates it.
      await this.#storage.drop(name).catch(() => undefined)
      throw error
    }
  }

  #own(workspace: Workspace, hasCheckpoint: boolean): Owned {
    const { seed, base, shown, ...options } = this.#options
    const { name } = workspace
    const saver = new WorkspaceSaver(
      workspace,
      {
        ...options,
        storage: this.#storage,
        name: shown(name),
        documentOf: (checkpoint: Checkpoint) =>
          documentOf(workspace, checkpoint, { seed, ...(base && { base }) }),
        about: () => aboutOf(workspace),
        onUncertain: (error) =>
          this.#options.isFinal(error) ? this.#options.onEnd(error) : this.forget(name),
      },
      hasCheckpoint,
    )
    const owned: Owned = { workspace, saver, isHeld: false, isWanted: false }
    this.#owned.set(name, owned)
    return owned
  }

  async #release(owned: Owned): Promise<void> {
    const { name } = owned.workspace
    // Used again while it waited for its turn.
    if (this.#owned.get(name) !== owned || !this.#isIdle(owned, monotonicNow())) return
    await owned.saver.end()
    this.#close(owned)
    await this.#storage.release(name)
  }

  /** Keeps what lists show of a workspace, and drops its rows. */
  #close({ workspace }: Owned): void {
    const { workspaces } = this.#options
    const { name, createdAt, isolation, usedAt, state } = workspace
    this.#owned.delete(name)
    workspace.saver = undefined
    if (name === defaultWorkspace) return
    const readyKeys = readyKeysOf(state)
    workspaces.close({ name, createdAt, isolation, uses: 0, usedAt, readyKeys, shell: workspace })
    workspace.own = {}
    workspace.applyState(workspaces.baseline.fork())
  }

  #list(listed: ListedWorkspace): void {
    const { workspaces } = this.#options
    if (listed.name === defaultWorkspace) return
    const { shell } = workspaces.closed(listed.name) ?? {}
    workspaces.close({ ...this.#closedOf(listed), shell })
  }

  #closedOf({ name, about, usedAt, damage }: ListedWorkspace): ClosedWorkspace {
    const { createdAt, readyKeys, isolation } = readAbout(about)
    return {
      name,
      createdAt: createdAt ?? new Date(usedAt).toISOString(),
      readyKeys,
      isolation,
      uses: 0,
      usedAt: monotonicNow() - Math.max(0, this.#options.clock.now() - usedAt),
      shell: undefined,
      ...(damage !== undefined && { damage }),
    }
  }

  #lost(name: string): NotSavedError {
    const shown = this.#options.shown(name)
    return new NotSavedError(`${shown} is read again, as it may have changed meanwhile.`, 'not made', shown)
  }
}
