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

  /** Everything that opens a workspace of a partner. */
  readonly keysOf = (isolation: Isolation): PartnerKeys | undefined => this.#policy.keysOf(isolation)

  /** Returns what opens the workspace of a name, in memory or closed; undefined if nothing does. */
  keysFor(name: string): PartnerKeys | undefined {
    const isolation = this.isolationOf(name)
    return isolation && !this.isRevoked(name) ? this.keysOf(isolation) : undefined
  }

  /** Returns the owner of the workspace of a name, in memory or closed. */
  isolationOf(name: string): Isolation | undefined {
    return this.#byName.get(name)?.isolation
  }

  /** Returns the workspaces of the same owner: one and its copies, or all without owners. */
  ofSameOwner({ isolation }: Workspace): Workspace[] {
    const all = [...this.#byName.values()].filter((one) => one instanceof Workspace)
    return isolation ? all.filter((other) => isSameIsolation(other.isolation, isolation)) : all
  }

  /**
   * Whether nothing opens a workspace any more: a copy has the keys and the owner of its original only while the
   * original has them itself. With a store, a copy may be created before this process knows that they were revoked.
   */
  isRevoked(name: string): boolean {
    const isolation = this.isolationOf(name)
    return isolation !== undefined && !isSameIsolation(this.isolationOf(isolation.of), isolation)
  }

  /** Whether the workspace of this name is still the same one, with the same keys, and they open it. */
  isCurrent({ name, isolation }: Workspace): boolean {
    return isSameIsolation(this.isolationOf(name), isolation) && !this.isRevoked(name)
  }

  /** Returns how many clients watch the workspaces of the same owner, or all without owners. */
  watchersOfOwner(workspace: Workspace): number {
    return this.ofSameOwner(workspace).reduce((sum, { watchers }) => sum + (watchers?.size ?? 0), 0)
  }
}
