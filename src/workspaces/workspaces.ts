// All workspaces of a sandbox: find, fork on first use, limit (--max-workspaces), delete, reset to the baseline.
import { idAt } from '../runtime/ids.ts'
import type { ScenarioStart } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'
import { ConflictError, NotFoundError, notThere } from '../input/refusals.ts'
import { ClosedError, type ByName, type ClosedWorkspace } from './closed.ts'
import type { Forgettable } from './forgetting.ts'
import { Idleness } from './idleness.ts'
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
    super('There are as many workspaces as --max-workspaces allows; delete some or raise it.')
  }
}

/** `default` always exists; any other is forked from the baseline on first use. */
export class Workspaces implements Forgettable {
  #origin: Origin
  readonly #most: number
  readonly #makesRoom: boolean
  readonly #byName: ByName = new Map()
  #namesMade = 0
  /** Names that are taken, on other machines, too; in the order of first use. */
  #taken: ReadonlySet<string> = new Set()
  /** Told of workspaces that come into being in this process. */
  onMake: ((made: Workspace) => void) | undefined
  /** Told of the names of workspaces that somebody deletes, and of what is known of those that are closed. */
  onDelete: ((name: string, closed: ClosedWorkspace | undefined) => void) | undefined
  /** Told of the name of a workspace that went for another one, as the longest idle. */
  onMadeRoom: ((name: string) => void) | undefined
  readonly policy: IsolationPolicy
  /** Whose each is. */
  readonly owners: Owners
  readonly idleness: Idleness
  /** The copies that replays made. */
  readonly replays: ReplayCopies
  readonly default: Workspace

  /**
   * @param most how many workspaces there may be beside `default`.
   * @param makesRoom whether the longest idle one is forgotten for one that would be too many.
   */
  constructor(origin: Origin, most: number, makesRoom = false) {
    this.#origin = origin
    this.#most = most
    this.#makesRoom = makesRoom
    this.policy = origin.policy
    this.owners = new Owners(this.#byName, origin.policy)
    this.idleness = new Idleness(this.#byName, origin.policy)
    this.replays = new ReplayCopies(this)
    this.default = this.#fork(defaultWorkspace)
  }

  /** The state that new workspaces begin with; nobody writes to it. */
  get baseline(): State {
    return this.#origin.state
  }

  /** What workspaces without a beginning of their own begin with. */
  get beginning(): Beginning {
    return this.#origin
  }

  /** The workspace of this name, if it is in memory and something opens it. */
  findOpen(name: string): Workspace | undefined {
    return this.owners.isEnded(name) ? undefined : this.find(name)
  }

  /** The workspace of this name, if it exists and is in memory. */
  find(name: string): Workspace | undefined {
    const existing = this.#byName.get(name)
    return existing instanceof Workspace ? existing : undefined
  }

  /** What is known of the workspace of this name, if it is closed. */
  closed(name: string): ClosedWorkspace | undefined {
    const existing = this.#byName.get(name)
    return existing instanceof Workspace ? undefined : existing
  }

  /** The workspace of this name. @throws {NotFoundError} where there is none. @throws {ClosedError} */
  require(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (!existing) throw this.notThere(name)
    return inMemory(existing)
  }

  /** The refusal of a name that no workspace has. A partner may ask for its copies, and learns of no other partner. */
  notThere(name: string): NotFoundError {
    const isOfPartner = this.policy.copiesBelongToOriginal && isNameOfCopy(name)
    if (isOfPartner) return new NotFoundError(`no workspace is called '${name}'`)
    const others = [...this.#taken, ...this.#byName.keys()].filter((other) => other !== name)
    return notThere('workspace', name, new Set(others))
  }

  /**
   * The workspace of this name, forked from the baseline on first use; costs the same for any number of rows.
   * @throws {TooManyWorkspacesError} when there are as many as allowed. @throws {ClosedError}
   */
  open(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (existing) return inMemory(existing)
    this.#makeRoom()
    return this.#fork(name)
  }

  /**
   * Adds a workspace that begins with things of its own.
   * @param isolation whose it is, where that is somebody who has one already.
   * @throws {ConflictError} when there is one of this name, or as many as allowed.
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

  /** @throws {ConflictError} when there is a workspace of this name. */
  requireFree(name: string): void {
    if (!this.isTaken(name)) return
    const isOwn = name !== defaultWorkspace
    const orRotate = isOwn && !this.policy.hasPublicKeys ? 'rotate it to get other keys, ' : ''
    const orDelete = isOwn ? 'delete it, or ' : ''
    throw new ConflictError(`workspace '${name}' exists already: ${orRotate}${orDelete}take another name`)
  }

  /** @throws {TooManyWorkspacesError} when there are as many as allowed, and none may be forgotten. */
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
    this.onMadeRoom?.(name)
  }

  /** The one that goes for another; undefined where none may. */
  #toForget(): string | undefined {
    return this.#makesRoom ? this.idleness.longest() : undefined
  }

  idle(): (readonly [name: string, since: number])[] {
    return this.idleness.list()
  }

  async forget(name: string, since: number): Promise<boolean> {
    const there = this.#byName.get(name)
    if (this.idleness.noteUsesOfCopies().inUse.has(name)) return false
    return there?.uses === 0 && there.usedAt === since && this.delete(name)
  }

  /** Begins generated names at another number, so that sandboxes of one run never share a name. */
  nameFrom(first: number): void {
    this.#namesMade = first
  }

  /** A name that no workspace has; the same ones in the same order for the same seed. */
  newName(): string {
    let name: string
    do name = idAt(this.#origin.seed, this.#namesMade++, 'ws')
    while (this.isTaken(name))
    return name
  }

  /** Whether a workspace is still there, open or closed. */
  isThere(made: Workspace): boolean {
    return (this.find(made.name) ?? this.closed(made.name)?.shell) === made
  }

  /** Whether there is a workspace of this name, on other machines, too. */
  isTaken(name: string): boolean {
    return this.#byName.has(name) || this.#taken.has(name)
  }

  /** Every workspace that is in memory, in the order of first use. */
  list(): Workspace[] {
    return this.all().filter((workspace) => workspace instanceof Workspace)
  }

  /** Every workspace, also those that are closed, in the order of first use. */
  all(): (Workspace | ClosedWorkspace)[] {
    return [...this.#byName.values()]
  }

  /** Puts what is known of a workspace in its place, or in that of none: its rows are in its file. */
  close(closed: ClosedWorkspace): void {
    this.#byName.set(closed.name, closed)
  }

  /** A workspace that was closed, with what it begins with. It is not in its place yet, and its rows are up to the caller. */
  revive(closed: ClosedWorkspace, own: Partial<Beginning>, start?: ScenarioStart): Workspace {
    const { name, shell, isolation } = closed
    const workspace = shell ?? new Workspace(name, this.#origin, own, start, isolation)
    workspace.own = own
    return workspace
  }

  /** Puts a workspace in its place again. */
  reopen(workspace: Workspace): void {
    this.#byName.set(workspace.name, workspace)
  }

  /**
   * Forgets a workspace; false when there is none of this name. Calls that it has begun are finished in it, and
   * nobody else sees it again.
   * @throws {ConflictError} for `default`, which always exists.
   */
  delete(name: string): boolean {
    if (name === defaultWorkspace) {
      throw new ConflictError(`workspace '${defaultWorkspace}' always exists; reset it instead`)
    }
    const gone = this.#byName.get(name)
    const closed = this.closed(name)
    if (!gone || !this.#forget(name)) return false
    if (gone.isolation?.of === name) this.deleteEndedCopies(name)
    this.#taken = new Set([...this.#taken].filter((taken) => taken !== name))
    this.onDelete?.(name, closed)
    return true
  }

  /**
   * Ends every key of a workspace; those that it began with get others. Nothing opens its copies any more: they are to
   * be deleted once it is kept.
   * @throws {ConflictError} with `--isolation test`, for `default` and for a copy. @throws {NotSavedError}
   */
  rotate(workspace: Workspace): PartnerKeys {
    return workspace.rotate(this.#origin, this.policy.rotated(workspace))
  }

  /** Deletes the copies of a workspace whose keys are no longer those that it has itself. */
  deleteEndedCopies(of: string): void {
    for (const { name, isolation } of this.all()) {
      if (isolation?.of === of && this.owners.isEnded(name)) this.delete(name)
    }
  }

  #forget(name: string): boolean {
    for (const watcher of this.find(name)?.watchers ?? []) watcher.end()
    return this.#byName.delete(name)
  }

  /** Learns which names are taken on all machines, in the order of first use, which is that of the list, too. */
  know(names: readonly string[]): void {
    this.#taken = new Set(names)
    const there = names.filter((name) => this.#byName.has(name)).values()
    // Those that nobody else knows yet stay where they are.
    const inOrder = this.list().map((made) => {
      const name = this.#taken.has(made.name) ? there.next().value : undefined
      return (name !== undefined && this.find(name)) || made
    })
    this.#byName.clear()
    for (const workspace of inOrder) this.#byName.set(workspace.name, workspace)
  }

  /** The workspace of this name, made here where it is not: it is there on another machine, and nobody used it here. */
  take(name: string): Workspace {
    const existing = this.find(name)
    if (existing) return existing
    const made = this.#fork(name)
    made.usedAt = -Infinity
    return made
  }

  /** Forgets a workspace that is gone on all machines; `default` begins anew. */
  drop(name: string): void {
    if (name !== defaultWorkspace) return void this.#forget(name)
    const { state, clock, firstProduct } = this.#origin
    const { default: workspace } = this
    workspace.beginAs({ state, clock, firstProduct }, {}, undefined, clock.again().timestamp())
  }

  /** The rows that a reset of a workspace brings back; nobody writes to them. */
  baselineOf(workspace: Workspace): State {
    return workspace.baseline(this.#origin)
  }

  /** Puts a workspace back to what it began with: state, ids, clock, scenarios and request numbers. */
  reset(workspace: Workspace): void {
    workspace.reset(this.#origin)
  }

  /**
   * Puts other rows in place of the baseline, for workspaces to come and for those there are: each is reset, and stays
   * the same object, so that whoever holds one goes on with it. One with a beginning of its own goes back to that.
   */
  rebase({ state, firstProduct }: Pick<Beginning, 'state' | 'firstProduct'>): void {
    this.#origin = { ...this.#origin, state, firstProduct }
    this.default.journal.secrets.note(state.all('api_keys'))
    for (const workspace of this.list()) this.reset(workspace)
  }

  #fork(
    name: string,
    own?: Partial<Beginning>,
    scenarios?: ScenarioStart,
    isolation = name === defaultWorkspace ? undefined : this.policy.begin(name),
  ): Workspace {
    const workspace = new Workspace(name, this.#origin, own, scenarios, isolation)
    this.#byName.set(name, workspace)
    this.onMake?.(workspace)
    return workspace
  }
}

/** @throws {ClosedError} for one that is closed. */
function inMemory(existing: Workspace | ClosedWorkspace): Workspace {
  if (existing instanceof Workspace) return existing
  throw new ClosedError(existing.name)
}
