import type { Clock } from '../runtime/clock.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'
import { defaultWorkspace, Workspace } from './workspace.ts'

/** The state right after start, which every workspace begins with and a reset returns to. */
export interface Origin {
  seed: number
  state: State
  clock: Clock
  /** The scenarios of a new workspace. */
  scenarios: () => ScenarioEngine
}

/** Thrown when one more workspace would exceed `--max-workspaces`. */
export class TooManyWorkspacesError extends Error {
  constructor() {
    super('There are as many workspaces as --max-workspaces allows; delete some or raise it.')
  }
}

/** Whether a text can name a workspace: 1 to 64 of `[A-Za-z0-9_-]`. */
export function isWorkspaceName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
}

/** All workspaces of a sandbox. `default` always exists; any other is forked from the baseline on first use. */
export class Workspaces {
  #origin: Origin
  readonly #most: number
  readonly #byName = new Map<string, Workspace>()
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

  /** The workspace of this name, if it exists. */
  find(name: string): Workspace | undefined {
    return this.#byName.get(name)
  }

  /**
   * The workspace of this name, forked from the baseline on first use; costs the same for any number of rows.
   * @throws {TooManyWorkspacesError} when there are as many as allowed.
   */
  open(name: string): Workspace {
    const existing = this.#byName.get(name)
    if (existing) return existing
    if (this.#byName.size > this.#most) throw new TooManyWorkspacesError()
    return this.#fork(name)
  }

  /** Every workspace, in the order of first use. */
  list(): Workspace[] {
    return [...this.#byName.values()]
  }

  /** Puts a workspace back to the baseline: state, ids, clock and request numbers. */
  reset(workspace: Workspace): void {
    workspace.replace(this.#origin.state.fork(), this.#origin.clock.fork())
    workspace.requests = 0
    workspace.scenarios.reset()
  }

  /**
   * Puts another state in place of the baseline, for workspaces to come and for those there are: each is reset, and
   * stays the same object, so that whoever holds one goes on with it.
   */
  rebase(state: State): void {
    this.#origin = { ...this.#origin, state }
    for (const workspace of this.#byName.values()) this.reset(workspace)
  }

  #fork(name: string): Workspace {
    const workspace = new Workspace(
      name,
      this.#origin.seed,
      this.#origin.state.fork(),
      this.#origin.clock.fork(),
      this.#origin.scenarios(),
    )
    this.#byName.set(name, workspace)
    return workspace
  }
}
