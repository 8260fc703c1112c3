// The owner of each workspace (--isolation partner), and the keys that open it.
import type { ByName } from './closed.ts'
import { isSameIsolation, type Isolation } from './isolation.ts'
import type { IsolationPolicy } from './isolation-policy.ts'
import type { PartnerKeys } from './partner-keys.ts'
import { Workspace } from './workspace.ts'

export class Owners {
  readonly #byName: ByName
  readonly #policy: IsolationPolicy

  constructor(byName: ByName, policy: IsolationPolicy) {
    this.#byName = byName
    this.#policy = policy
  }

  /** What opens a workspace of a partner. */
  keysOf(isolation: Isolation): PartnerKeys | undefined {
    return this.#policy.keysOf(isolation)
  }

  /** What opens the workspace of a name, in memory or closed; undefined where nothing does. */
  keysFor(name: string): PartnerKeys | undefined {
    const isolation = this.isolationOf(name)
    return isolation && !this.isEnded(name) ? this.keysOf(isolation) : undefined
  }

  /** Whose the workspace of a name is, in memory or closed. */
  isolationOf(name: string): Isolation | undefined {
    return this.#byName.get(name)?.isolation
  }

  /** The workspaces that are for the same as one: it and its copies, or all where none has an owner. */
  beside({ isolation }: Workspace): Workspace[] {
    const all = [...this.#byName.values()].filter((one) => one instanceof Workspace)
    return isolation ? all.filter((other) => isSameIsolation(other.isolation, isolation)) : all
  }

  /**
   * Whether nothing opens a workspace any more: a copy has the keys and the owner of what it is a copy of, only as long as
   * that has them itself. With a store a copy may be made where it is not known yet that those were ended.
   */
  isEnded(name: string): boolean {
    const isolation = this.isolationOf(name)
    return isolation !== undefined && !isSameIsolation(this.isolationOf(isolation.of), isolation)
  }

  /** Whether the workspace of this name is still that one, with the same keys, and they open it. */
  isCurrent({ name, isolation }: Workspace): boolean {
    return isSameIsolation(this.isolationOf(name), isolation) && !this.isEnded(name)
  }

  /** How many clients watch the workspaces of the same owner, or all where none has one. */
  watchingBeside(workspace: Workspace): number {
    return this.beside(workspace).reduce((sum, { watchers }) => sum + (watchers?.size ?? 0), 0)
  }
}
