import { requireName } from './names.ts'
import { NotFoundError, notThere } from '../reading/refusals.ts'
import { Snapshot, type SandboxSnapshot } from './snapshot.ts'
import type { StateDiff } from './state-diff.ts'
import type { Workspace } from './workspace.ts'

/** The snapshots of a workspace that have names. */
export interface SandboxSnapshots {
  /** Every one, by name. */
  list(): SandboxSnapshot[]
  /** One as a state document, or undefined; a copy. */
  get(name: string): object | undefined
  /**
   * What changed since a snapshot was taken, or from it to another one: by collection, rows that were added, changed
   * (each field before and after) and removed.
   * @throws {NotFoundError} for a name that no snapshot has.
   * @example
   * snapshots.diff('before')   // { rewards: { added: [], changed: [{ id: 'rwd_1', fields: { … } }], removed: [] } }
   */
  diff(from: string | SandboxSnapshot, to?: string | SandboxSnapshot): StateDiff
  /** Forgets one; false when none has this name. */
  delete(name: string): boolean
}

/** Takes and keeps the snapshots of one workspace. */
export class Snapshots implements SandboxSnapshots {
  readonly #workspace: Workspace
  readonly #named = new Map<string, Snapshot>()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /**
   * Takes one; with a name, it replaces the one that had it.
   * @throws {InvalidError} for a text that cannot be a name.
   */
  take(name?: string): Snapshot {
    if (name === undefined) return new Snapshot(this.#workspace)
    requireName('snapshot', name)
    const snapshot = new Snapshot(this.#workspace, name)
    this.#named.set(name, snapshot)
    return snapshot
  }

  /**
   * Puts the workspace back to a snapshot; see `Snapshot.restore`.
   * @throws {NotFoundError} for a name that no snapshot has, and for a snapshot of another workspace.
   */
  restore(which: string | SandboxSnapshot): Snapshot {
    const snapshot = this.find(which)
    snapshot.restore()
    return snapshot
  }

  list(): Snapshot[] {
    const byName = ([a]: [string, Snapshot], [b]: [string, Snapshot]): number => (a < b ? -1 : 1)
    return [...this.#named].toSorted(byName).map(([, snapshot]) => snapshot)
  }

  get(name: string): object | undefined {
    const snapshot = this.#named.get(name)
    return snapshot && structuredClone(snapshot.document())
  }

  diff(from: string | SandboxSnapshot, to?: string | SandboxSnapshot): StateDiff {
    return structuredClone(this.compare(from, to))
  }

  /** As `diff`, with rows that are the states' own. */
  compare(from: string | SandboxSnapshot, to?: string | SandboxSnapshot): StateDiff {
    const earlier = this.find(from)
    return earlier.diff(to === undefined ? this.#workspace.state : this.find(to))
  }

  delete(name: string): boolean {
    return this.#named.delete(name)
  }

  /** @throws {NotFoundError} for a name that no snapshot has, and for a snapshot of another workspace. */
  find(which: string | SandboxSnapshot): Snapshot {
    if (typeof which === 'string') {
      const found = this.#named.get(which)
      if (!found) throw notThere('snapshot', which, this.#named.keys())
      return found
    }
    if (which instanceof Snapshot && which.isOf(this.#workspace)) return which
    throw new NotFoundError(
      `this is no snapshot of workspace '${this.#workspace.name}': restore takes what its own snapshot() gave`,
    )
  }
}
