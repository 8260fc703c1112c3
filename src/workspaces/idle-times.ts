// Idle workspaces and their last access; an access of a partner's copy counts for its original.
import { monotonicNow } from '../runtime/host.ts'
import type { ByName } from './closed.ts'
import { isCopy } from './isolation.ts'
import type { IsolationPolicy } from './isolation-policy.ts'
import { defaultWorkspace, Workspace } from './workspace.ts'

export class IdleTimes {
  readonly #byName: ByName
  readonly #policy: IsolationPolicy

  constructor(byName: ByName, policy: IsolationPolicy) {
    this.#byName = byName
    this.#policy = policy
  }

  /** Returns workspaces that are not in use, without `default`, with their last access in monotonic time (ms). */
  list(): (readonly [name: string, since: number])[] {
    const inUse = this.touchOriginals()
    return [...this.#byName.values()]
      .filter(({ name, uses }) => uses === 0 && name !== defaultWorkspace && !inUse.has(name))
      .map(({ name, usedAt }) => [name, usedAt])
  }

  /**
   * Counts an access of a partner's copy for its original, with which it is deleted. Returns the names of workspaces
   * whose copies are in use.
   */
  touchOriginals(): ReadonlySet<string> {
    const inUse = new Set<string>()
    if (!this.#policy.copiesBelongToOriginal) return inUse
    for (const made of this.#byName.values()) {
      if (!made.isolation || !isCopy(made)) continue
      const { of } = made.isolation
      const used = this.#byName.get(of)
      if (used) {
        const usedAt = Math.max(used.usedAt, made.uses > 0 ? monotonicNow() : made.usedAt)
        if (used instanceof Workspace) used.usedAt = usedAt
        else this.#byName.set(of, { ...used, usedAt })
      }
      if (made.uses > 0) inUse.add(of)
    }
    return inUse
  }

  /** Returns the workspaces that may be evicted for a new one, the one that was idle for longest first. */
  longest(): (readonly [name: string, since: number])[] {
    const isOwn = ([name]: readonly [name: string, since: number]): boolean => {
      const there = this.#byName.get(name)
      return there !== undefined && !isCopy(there)
    }
    return this.list()
      .filter(isOwn)
      .toSorted(([, one], [, other]) => one - other)
  }
}
