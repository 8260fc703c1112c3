// All workspaces of a sandbox: find, fork on first use, limit (--max-workspaces), delete, reset to the baseline.
import { idAt } from '../runtime/ids.ts'
import type { ScenarioStart } from '../scenarios/engine.ts'
import { nextGeneration, type Sequences } from '../store/sequences.ts'
import type { State } from '../store/state.ts'
import { ConflictError, NotFoundError, notThere } from '../input/refusals.ts'
import { ClosedError, type ByName, type ClosedWorkspace } from './closed.ts'
import type { EvictionTarget } from './eviction.ts'
import { IdleTimes } from './idle-times.ts'
import { isCopy, isNameOfCopy, type Isolation } from './isolation.ts'
import type { IsolationPolicy } from './isolation-policy.ts'
import { Owners } from './owners.ts'
import type { PartnerKeys } from './partner-keys.ts'
import { ReplayCopies } from './replay-copies.ts'
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
  /** Names that are taken, including those on other machines, in the order of first use. */
  #taken: ReadonlySet<string> = new Set()
  /** Called when a workspace is created in this process. */
  onCreate: ((made: Workspace) => void) | undefined
  /** Called with the names of deleted workspaces, and the metadata of those that are closed. */
  onDelete: ((name: string, closed: ClosedWorkspace | undefined) => void) | undefined
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
    const others = [...this.#taken, ...this.#byName.keys()].filter((other) => other !== name)
    return notThere('workspace', name, new Set(others))
  }

  /**
   * Returns the workspace of this name, forked from the baseline on first use; the cost does not depend on the number
   * of rows.
   * @throws {TooManyWorkspacesError} at the limit. @throws {ClosedError}
   */
  open(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (existing) return inMemory(existing)
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
    if (!this.isTaken(name)) return
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
    return this.#makesRoom ? this.idleness.longest() : undefined
  }

  idle(): (readonly [name: string, since: number])[] {
    return this.idleness.list()
  }

  async forget(name: string, since: number): Promise<boolean> {
    const there = this.#byName.get(name)
    if (this.idleness.touchOriginals().inUse.has(name)) return false
    return there?.uses === 0 && there.usedAt === since && this.delete(name)
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

  /** Whether there is a workspace of this name, including other machines. */
  isTaken(name: string): boolean {
    return this.#byName.has(name) || this.#taken.has(name)
  }

  /** Returns every workspace in memory, in the order of first use. */
  list(): Workspace[] {
    return this.all().filter((workspace) => workspace instanceof Workspace)
  }

  /** Returns every workspace, including closed ones, in the order of first use. */
  all(): (Workspace | ClosedWorkspace)[] {
    return [...this.#byName.values()]
  }

  /** Replaces a workspace, or adds one, by its metadata: its rows are in its file. */
  close(closed: ClosedWorkspace): void {
    this.find(closed.name)?.outbox?.cancel()
    this.#byName.set(closed.name, closed)
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

  /** Registers a workspace again. */
  reopen(workspace: Workspace): void {
    this.#byName.set(workspace.name, workspace)
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
    const closed = this.closed(name)
    if (!gone || !this.#forget(name)) return false
    if (gone instanceof Workspace) this.#noteDeleted(gone)
    if (gone.isolation?.of === name) this.deleteRevokedCopies(name)
    this.#taken = new Set([...this.#taken].filter((taken) => taken !== name))
    this.onDelete?.(name, closed)
    return true
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

  #forget(name: string): boolean {
    const forgotten = this.find(name)
    for (const watcher of forgotten?.watchers ?? []) watcher.end()
    forgotten?.outbox?.cancel()
    return this.#byName.delete(name)
  }

  /** Registers the names that are taken on all machines, in the order of first use, which is the order of the list. */
  setTakenNames(names: readonly string[]): void {
    this.#taken = new Set(names)
    const there = names.filter((name) => this.#byName.has(name)).values()
    // Workspaces that no other process knows yet keep their positions.
    const inOrder = this.list().map((made) => {
      const name = this.#taken.has(made.name) ? there.next().value : undefined
      return (name !== undefined && this.find(name)) || made
    })
    this.#byName.clear()
    for (const workspace of inOrder) this.#byName.set(workspace.name, workspace)
  }

  /**
   * Returns the workspace of this name, and creates it here if needed: it exists on another machine, and was not used
   * here.
   */
  take(name: string): Workspace {
    const existing = this.find(name)
    if (existing) return existing
    const made = this.#fork(name)
    made.usedAt = -Infinity
    return made
  }

  /** Drops a workspace that was deleted on all machines; `default` is reset. */
  drop(name: string): void {
    if (name !== defaultWorkspace) return void this.#forget(name)
    const { state, clock, firstProduct } = this.#origin
    const { default: workspace } = this
    workspace.resetTo({ state, clock, firstProduct }, {}, undefined, clock.again().timestamp())
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
    this.onCreate?.(workspace)
    return workspace
  }
}

/** @throws {ClosedError} for one that is closed. */
function inMemory(existing: Workspace | ClosedWorkspace): Workspace {
  if (existing instanceof Workspace) return existing
  throw new ClosedError(existing.name)
}
