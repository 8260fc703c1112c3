// All workspaces of a sandbox: find, fork on first use, limit (--max-workspaces), delete, reset to the baseline.
import { idAt } from '../runtime/ids.ts'
import type { ScenarioStart } from '../scenarios/engine.ts'
import { nextGeneration, type Sequences } from '../store/sequences.ts'
import type { State } from '../store/state.ts'
import { ConflictError, NotFoundError, notThere } from '../input/refusals.ts'
import { ClosedError, refusingSaver, type ByName, type ClosedWorkspace } from './closed.ts'
import type { EvictionTarget } from './eviction.ts'
import { IdleTimes } from './idle-times.ts'
import { isCopy, isNameOfCopy, type Isolation } from './isolation.ts'
import type { IsolationPolicy } from './isolation-policy.ts'
import { useOf } from './open-uses.ts'
import { Owners } from './owners.ts'
import type { Ownership } from './ownership.ts'
import type { PartnerKeys } from './partner-keys.ts'
import { ReplayCopies } from './replay-copies.ts'
import { waiterForSaves } from './saver.ts'
import { OwnedElsewhereError, StorageUnavailableError } from './storage.ts'
import { defaultWorkspace, Workspace, type Beginning, type Origin } from './workspace.ts'

/** Thrown when one more workspace would exceed `--max-workspaces`. */
export class TooManyWorkspacesError extends ConflictError {
  override name = 'TooManyWorkspacesError'

  constructor() {
    super('The limit --max-workspaces is reached. Delete a workspace, or raise the limit.')
  }
}

/** How many deleted workspaces are remembered. */
const maxDeleted = 10_000

/** The number of generated names that are reserved for each sandbox of a run. */
const namesPerSandbox = 2 ** 16

/** `default` always exists; any other is forked from the baseline on first use. */
export class Workspaces implements EvictionTarget {
  #origin: Origin
  readonly #most: number
  readonly #makesRoom: boolean
  readonly #byName: ByName = new Map()
  /** The sequences of deleted workspaces that had events, by name: another one of that name assigns other event ids. */
  readonly #deleted = new Map<string, Sequences>()
  #namesMade: number
  /** Undefined without storage: then every workspace is in memory, and current. */
  ownership: Ownership | undefined
  /** Called with the name of a workspace that was evicted for a new one. */
  onEvictedForRoom: ((name: string) => void) | undefined
  readonly policy: IsolationPolicy
  /** The owners of workspaces. */
  readonly owners: Owners
  readonly idleness: IdleTimes
  /** The copies that replays created. */
  readonly replays: ReplayCopies
  readonly default: Workspace

  /**
   * @param most maximum number of workspaces in addition to `default`.
   * @param makesRoom whether to evict the workspace that was idle for longest when the limit is reached.
   */
  constructor(origin: Origin, most: number, makesRoom = false) {
    this.#origin = origin
    // Sandboxes of one run never share a name.
    this.#namesMade = ((origin.runNumber ?? 1) - 1) * namesPerSandbox
    this.#most = most
    this.#makesRoom = makesRoom
    this.policy = origin.policy
    this.owners = new Owners(this.#byName, origin.policy)
    this.idleness = new IdleTimes(this.#byName, origin.policy)
    this.replays = new ReplayCopies(this)
    this.default = this.#fork(defaultWorkspace)
  }

  /** The initial state of new workspaces; immutable. */
  get baseline(): State {
    return this.#origin.state
  }

  /** The initial state of workspaces without one of their own. */
  get beginning(): Beginning {
    return this.#origin
  }

  /** Returns the workspace of this name, if it is in memory and a key opens it. */
  findOpen(name: string): Workspace | undefined {
    return this.owners.isRevoked(name) ? undefined : this.find(name)
  }

  /** Returns the workspace of this name, if it exists and is in memory. */
  find(name: string): Workspace | undefined {
    const existing = this.#byName.get(name)
    return existing instanceof Workspace ? existing : undefined
  }

  /** Returns the metadata of the workspace of this name, if it is closed. */
  closed(name: string): ClosedWorkspace | undefined {
    const existing = this.#byName.get(name)
    return existing instanceof Workspace ? undefined : existing
  }

  /** Returns the workspace of this name. @throws {NotFoundError} if it does not exist. @throws {ClosedError} */
  require(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (!existing) throw this.notThere(name)
    return inMemory(existing)
  }

  /**
   * Returns the error for an unknown name. A partner may ask about its copies, and learns nothing about other partners.
   */
  notThere(name: string): NotFoundError {
    const isOfPartner = this.policy.copiesBelongToOriginal && isNameOfCopy(name)
    if (isOfPartner) return new NotFoundError(`no workspace is called '${name}'`)
    const others = [...this.#byName.keys()].filter((other) => other !== name)
    return notThere('workspace', name, new Set(others))
  }

  /** Whether a workspace may be used now: with storage, this process must own it. */
  isCurrent(name: string): boolean {
    return this.ownership?.isCurrent(name) ?? true
  }

  /**
   * Makes this process the owner of a workspace, with its rows in memory. Undefined if there is nothing to wait for.
   * @param creates whether to create one that does not exist.
   * @throws by rejecting {OwnedElsewhereError} {StorageUnavailableError} {UnusableError} {TooManyWorkspacesError}
   */
  open(name: string, creates = false): Promise<void> | undefined {
    const { ownership } = this
    if (!ownership || ownership.isCurrent(name)) return undefined
    return creates ? ownership.open(name, true) : this.#openExisting(name, ownership)
  }

  async #openExisting(name: string, ownership: Ownership): Promise<void> {
    if (await this.exists(name)) await ownership.open(name, name === defaultWorkspace)
  }

  /** Whether there is a workspace of this name, also one that another process has just created. */
  async exists(name: string): Promise<boolean> {
    if (!this.#byName.has(name) && this.ownership?.isShared) await this.ownership.refreshNames()
    return this.#byName.has(name)
  }

  /**
   * Runs an operation in a workspace, which is opened first, or created if a request may do so, and waits until its
   * changes and those that it may have seen are persisted.
   * @param isRead whether it has changed nothing, so that a write of others that fails is none of its business.
   * @throws the error of the operation, and what `open` throws.
   * @example await workspaces.use('team-a', (workspace) => workspace.clock.read())
   */
  async use<T>(
    name: string,
    work: (workspace: Workspace) => T | Promise<T>,
    isRead: (result: T) => boolean = () => false,
  ): Promise<T> {
    const creates = this.policy.createsOnFirstUse
    await this.open(name, creates)
    const workspace = creates ? this.findOrCreate(name) : this.require(name)
    const end = useOf(workspace)
    const saved = waiterForSaves(workspace)
    try {
      const result = await work(workspace)
      await (isRead(result) ? saved().catch(() => undefined) : saved())
      this.requireCurrent(workspace)
      return result
    } finally {
      end()
    }
  }

  /**
   * @throws {StorageUnavailableError} if this process has lost the workspace meanwhile, so that what was read in it may be
   * outdated.
   */
  requireCurrent(workspace: Workspace): void {
    if (this.isCurrent(workspace.name) || !this.stillExists(workspace)) return
    throw new StorageUnavailableError(
      `Workspace '${workspace.name}' could not be confirmed as current: another process may own it now. Send the request again.`,
    )
  }

  /**
   * Returns the workspace of this name, forked from the baseline on first use; the cost does not depend on the number
   * of rows.
   * @throws {TooManyWorkspacesError} at the limit. @throws {ClosedError} if it must be opened first.
   */
  findOrCreate(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (existing) return inMemory(existing)
    if (!this.isCurrent(name)) throw new ClosedError(name)
    this.#makeRoom()
    return this.#fork(name)
  }

  /**
   * Adds a workspace with its own initial state.
   * @param isolation its owner, if that owner already has a workspace.
   * @throws {ConflictError} if the name is taken, or at the limit.
   */
  add(
    name: string,
    own: Partial<Beginning>,
    scenarios: ScenarioStart | undefined,
    isolation?: Isolation,
  ): Workspace {
    this.requireFree(name)
    if (!isolation) this.#makeRoom()
    return this.#fork(name, own, scenarios, isolation)
  }

  /** @throws {ConflictError} if the name is taken. */
  requireFree(name: string): void {
    if (!this.#byName.has(name)) return
    const isOwn = name !== defaultWorkspace
    const orRotate = isOwn && !this.policy.hasPublicKeys ? 'rotate it to get new keys, ' : ''
    const orDelete = isOwn ? 'delete it, or ' : ''
    throw new ConflictError(`workspace '${name}' already exists: ${orRotate}${orDelete}use another name`)
  }

  /** @throws {TooManyWorkspacesError} at the limit, if none may be evicted. */
  requireRoom(): void {
    if (this.#isFull && this.#toForget() === undefined) throw new TooManyWorkspacesError()
  }

  /** The copies of partners do not count. */
  get #isFull(): boolean {
    if (this.#byName.size <= this.#most) return false
    return this.all().filter((one) => !isCopy(one)).length > this.#most
  }

  #makeRoom(): void {
    if (!this.#isFull) return
    const name = this.#toForget()
    if (name === undefined) throw new TooManyWorkspacesError()
    this.delete(name)
    this.onEvictedForRoom?.(name)
  }

  /** Returns the workspace to evict for a new one; undefined if none may be. */
  #toForget(): string | undefined {
    // With a store, `makeRoom` has evicted what it could.
    return this.#makesRoom && !this.ownership?.isShared ? this.idleness.longest()[0]?.[0] : undefined
  }

  idle(): (readonly [name: string, since: number])[] {
    return this.idleness.list()
  }

  async forget(name: string, since: number, asks = false): Promise<boolean> {
    const there = this.#byName.get(name)
    if (this.idleness.touchOriginals().has(name)) return false
    if (there?.uses !== 0 || there.usedAt !== since) return false
    try {
      return await this.deleteAnywhere(name, asks)
    } catch (error) {
      if (error instanceof OwnedElsewhereError) return false
      throw error
    }
  }

  /**
   * Deletes a workspace, also one that this process has not open; false if it does not exist.
   * @param asks whether another owner is asked to release it.
   * @throws {OwnedElsewhereError} by rejecting: only its owner removes it.
   */
  async deleteAnywhere(name: string, asks = true): Promise<boolean> {
    const closed = this.closed(name)
    if (!closed || !this.ownership?.isShared) return this.delete(name)
    await this.ownership.dropClosed(name, asks)
    if (closed.isolation?.of === name) this.deleteRevokedCopies(name)
    return true
  }

  /**
   * Deletes workspaces that were idle longest until there is room for one more, where a store may have more of them than
   * this process knows. @param name of the new one.
   */
  async makeRoom(name?: string): Promise<void> {
    if (!this.ownership?.isShared) return
    await this.ownership.refreshNames()
    // The list of a store has it from the moment in which it is opened.
    if (name !== undefined && this.closed(name)) this.remove(name)
    if (!this.#makesRoom) return
    for (const [old, since] of this.idleness.longest()) {
      // Another process may own it: it releases it soon.
      if (!this.#isFull || !(await this.forget(old, since, true))) return
      this.onEvictedForRoom?.(old)
    }
  }

  /** Returns an unused name; the same names in the same order for the same seed. */
  newName(): string {
    let name: string
    do name = idAt(this.#origin.seed, this.#namesMade++, 'ws')
    while (this.isTaken(name))
    return name
  }

  /** Whether a workspace still exists, open or closed. */
  stillExists(made: Workspace): boolean {
    return (this.find(made.name) ?? this.closed(made.name)?.shell) === made
  }

  /** Whether a list has a workspace of this name. */
  isTaken(name: string): boolean {
    return this.#byName.has(name)
  }

  /** Returns every workspace in memory, in the order of first use. */
  list(): Workspace[] {
    return this.all().filter((workspace) => workspace instanceof Workspace)
  }

  /** Returns every workspace, including closed ones, in the order of first use. */
  all(): (Workspace | ClosedWorkspace)[] {
    return [...this.#byName.values()]
  }

  /** Replaces a workspace, or adds one, by its metadata: its rows are in storage. `default` stays, and refuses writes. */
  close(closed: ClosedWorkspace): void {
    const { name } = closed
    const open = this.find(name)
    open?.outbox?.cancel()
    if (open) open.saver = refusingSaver(name)
    if (name !== defaultWorkspace) this.#byName.set(name, closed)
  }

  /**
   * Returns a workspace that was closed, with its initial state. It is not registered yet, and the caller loads its
   * rows.
   */
  revive(closed: ClosedWorkspace, own: Partial<Beginning>, start?: ScenarioStart): Workspace {
    const { name, shell, isolation } = closed
    const workspace = shell ?? new Workspace(name, this.#origin, own, start, isolation)
    workspace.own = own
    return workspace
  }

  /** Registers a workspace again. Its keys may have been rotated meanwhile, by another process. */
  reopen(workspace: Workspace): void {
    const { name, isolation } = workspace
    this.#byName.set(name, workspace)
    if (isolation?.of === name) this.deleteRevokedCopies(name)
    workspace.outbox?.schedule()
  }

  /**
   * Deletes a workspace; false if it does not exist. Its open calls finish in it, and no other caller sees it again.
   * @throws {ConflictError} for `default`, which always exists.
   */
  delete(name: string): boolean {
    if (name === defaultWorkspace) {
      throw new ConflictError(`workspace '${defaultWorkspace}' always exists; reset it instead`)
    }
    const gone = this.#byName.get(name)
    if (!gone || !this.remove(name)) return false
    if (gone.isolation?.of === name) this.deleteRevokedCopies(name)
    this.ownership?.drop(name)
    return true
  }

  /** Removes a workspace from memory only. @returns false if it does not exist. */
  remove(name: string): boolean {
    const gone = this.find(name)
    for (const watcher of gone?.watchers ?? []) watcher.end()
    gone?.outbox?.cancel()
    if (gone) this.#noteDeleted(gone)
    return this.#byName.delete(name)
  }

  /**
   * Revokes every key of a workspace, and replaces its initial keys. No key opens its copies any more: the caller
   * deletes them after saving.
   * @throws {ConflictError} with `--isolation test`, for `default` and for a copy. @throws {NotSavedError}
   */
  rotate(workspace: Workspace): PartnerKeys {
    return workspace.rotate(this.#origin, this.policy.rotated(workspace))
  }

  /** Deletes the copies of a workspace whose keys are no longer its own. */
  deleteRevokedCopies(of: string): void {
    for (const { name, isolation } of this.all()) {
      if (isolation?.of === of && this.owners.isRevoked(name)) this.delete(name)
    }
  }

  #noteDeleted({ name, state: { sequences } }: Workspace): void {
    if (sequences.events === 0 && sequences.generation === undefined) return
    this.#deleted.delete(name)
    this.#deleted.set(name, sequences)
    const [oldest] = this.#deleted.keys()
    if (oldest !== undefined && this.#deleted.size > maxDeleted) this.#deleted.delete(oldest)
  }

  /** Returns the rows that a reset of a workspace restores; immutable. */
  baselineOf(workspace: Workspace): State {
    return workspace.baseline(this.#origin)
  }

  /** Restores the initial state of a workspace; see `Workspace.reset`. */
  reset(workspace: Workspace, continuesIds = false): void {
    workspace.reset(this.#origin, continuesIds)
  }

  /**
   * Replaces the baseline, for new and existing workspaces: each is reset and stays the same object, so that references
   * to it stay valid. One with its own initial state is reset to that.
   */
  rebase({ state, firstProduct }: Pick<Beginning, 'state' | 'firstProduct'>): void {
    this.#origin = { ...this.#origin, state, firstProduct }
    this.default.journal.secrets.note(state.secretRows())
    for (const workspace of this.list()) this.reset(workspace)
  }

  #fork(
    name: string,
    own?: Partial<Beginning>,
    scenarios?: ScenarioStart,
    isolation = name === defaultWorkspace ? undefined : this.policy.begin(name),
  ): Workspace {
    const workspace = new Workspace(name, this.#origin, own, scenarios, isolation)
    const { state } = workspace
    const deleted = this.#deleted.get(name)
    if (deleted) state.sequences = nextGeneration(state.sequences, deleted)
    this.#byName.set(name, workspace)
    return workspace
  }
}

/** @throws {ClosedError} for one that is closed. */
function inMemory(existing: Workspace | ClosedWorkspace): Workspace {
  if (existing instanceof Workspace) return existing
  throw new ClosedError(existing.name)
}
