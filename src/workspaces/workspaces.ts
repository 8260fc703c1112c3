// All workspaces of a sandbox: find, fork on first use, limit (--max-workspaces), delete, reset to the baseline.
import { idAt } from '../runtime/ids.ts'
import type { ScenarioStart } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'
import { ConflictError, notThere, type NotFoundError } from '../reading/refusals.ts'
import { defaultWorkspace, Workspace, type Beginning, type Origin } from './workspace.ts'

/** Thrown when one more workspace would exceed `--max-workspaces`. */
export class TooManyWorkspacesError extends ConflictError {
  override name = 'TooManyWorkspacesError'

  constructor() {
    super('There are as many workspaces as --max-workspaces allows; delete some or raise it.')
  }
}

/** How many copies that replays made stay. */
const mostReplays = 20

/** `default` always exists; any other is forked from the baseline on first use. */
export class Workspaces {
  #origin: Origin
  readonly #most: number
  readonly #byName = new Map<string, Workspace>()
  #namesMade = 0
  /** Names that are taken, on other machines, too; in the order of first use. */
  #taken: ReadonlySet<string> = new Set()
  /** Told of workspaces that come into being in this process. */
  onMake: ((made: Workspace) => void) | undefined
  /** Told of the names of workspaces that somebody deletes. */
  onDelete: ((name: string) => void) | undefined
  /** The copies that replays made, oldest first. */
  #replays: Workspace[] = []
  #replaysMade = 0
  readonly default: Workspace

  /** @param most how many workspaces there may be beside `default`. */
  constructor(origin: Origin, most: number) {
    this.#origin = origin
    this.#most = most
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

  /** The workspace of this name, if it exists. */
  find(name: string): Workspace | undefined {
    return this.#byName.get(name)
  }

  /** The workspace of this name. @throws {NotFoundError} where there is none. */
  require(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (!existing) throw this.notThere(name)
    return existing
  }

  /** The refusal of a name that no workspace has. */
  notThere(name: string): NotFoundError {
    return notThere('workspace', name, new Set([...this.#taken, ...this.#byName.keys()]))
  }

  /**
   * The workspace of this name, forked from the baseline on first use; costs the same for any number of rows.
   * @throws {TooManyWorkspacesError} when there are as many as allowed.
   */
  open(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (existing) return existing
    this.requireRoom()
    return this.#fork(name)
  }

  /**
   * Adds a workspace that begins with things of its own.
   * @throws {ConflictError} when there is one of this name, or as many as allowed.
   */
  add(name: string, own: Partial<Beginning>, scenarios: ScenarioStart | undefined): Workspace {
    this.requireFree(name)
    this.requireRoom()
    return this.#fork(name, own, scenarios)
  }

  /**
   * Adds a copy of a workspace for one replay. Of these the newest 20 stay: the oldest goes first, so that replays alone
   * never fill the room of the others.
   * @throws {TooManyWorkspacesError} when there are as many as allowed.
   */
  addReplay(of: Workspace): Workspace {
    const own = of.copy()
    const scenarios = of.scenarios.copy()
    this.#replays = this.#replays.filter((made) => this.#byName.get(made.name) === made)
    while (this.#replays.length >= mostReplays) this.delete(this.#replays.shift()?.name ?? '')
    let name: string
    do name = `replay-${++this.#replaysMade}`
    while (this.#isTaken(name))
    const made = this.add(name, own, scenarios)
    this.#replays.push(made)
    return made
  }

  /** A copy that turned out to be that of another process. */
  disown(made: Workspace): void {
    this.#replays = this.#replays.filter((replay) => replay !== made)
  }

  /** @throws {ConflictError} when there is a workspace of this name. */
  requireFree(name: string): void {
    if (!this.#isTaken(name)) return
    const orDelete = name === defaultWorkspace ? '' : 'delete it, or '
    throw new ConflictError(`workspace '${name}' exists already: ${orDelete}take another name`)
  }

  /** @throws {TooManyWorkspacesError} when there are as many as allowed. */
  requireRoom(): void {
    if (this.#byName.size > this.#most) throw new TooManyWorkspacesError()
  }

  /** A name that no workspace has; the same ones in the same order for the same seed. */
  newName(): string {
    let name: string
    do name = idAt(this.#origin.seed, this.#namesMade++, 'ws')
    while (this.#isTaken(name))
    return name
  }

  #isTaken(name: string): boolean {
    return this.#byName.has(name) || this.#taken.has(name)
  }

  /** Every workspace, in the order of first use. */
  list(): Workspace[] {
    return [...this.#byName.values()]
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
    if (!this.#forget(name)) return false
    this.#taken = new Set([...this.#taken].filter((taken) => taken !== name))
    this.onDelete?.(name)
    return true
  }

  #forget(name: string): boolean {
    for (const watcher of this.#byName.get(name)?.watchers ?? []) watcher.end()
    return this.#byName.delete(name)
  }

  /** Learns which names are taken on all machines, in the order of first use, which is that of the list, too. */
  know(names: readonly string[]): void {
    this.#taken = new Set(names)
    const there = names.filter((name) => this.#byName.has(name)).values()
    // Those that nobody else knows yet stay where they are.
    const inOrder = this.list().map((made) => {
      const name = this.#taken.has(made.name) ? there.next().value : undefined
      return (name !== undefined && this.#byName.get(name)) || made
    })
    this.#byName.clear()
    for (const workspace of inOrder) this.#byName.set(workspace.name, workspace)
  }

  /** The workspace of this name, made here where it is not: it is there on another machine. */
  take(name: string): Workspace {
    return this.#byName.get(name) ?? this.#fork(name)
  }

  /** Forgets a workspace that is gone on all machines; `default` begins anew. */
  drop(name: string): void {
    if (name !== defaultWorkspace) return void this.#forget(name)
    const { state, clock, firstProduct } = this.#origin
    const { default: workspace } = this
    workspace.beginAs({ state, clock, firstProduct }, {}, undefined, clock.again().timestamp())
  }

  /** How many watch, in all workspaces. */
  get watching(): number {
    return this.list().reduce((sum, { watchers }) => sum + (watchers?.size ?? 0), 0)
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
    for (const workspace of this.#byName.values()) this.reset(workspace)
  }

  #fork(name: string, own?: Partial<Beginning>, scenarios?: ScenarioStart): Workspace {
    const workspace = new Workspace(name, this.#origin, own, scenarios)
    this.#byName.set(name, workspace)
    this.onMake?.(workspace)
    return workspace
  }
}
