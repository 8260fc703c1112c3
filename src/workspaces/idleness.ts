// Which workspaces nobody uses just now, and since when; a use of a partner's copy is one of what it is a copy of.
import { monotonicNow } from '../runtime/host.ts'
import type { ByName } from './closed.ts'
import { isCopy } from './isolation.ts'
import type { IsolationPolicy } from './isolation-policy.ts'
import { defaultWorkspace, Workspace } from './workspace.ts'

export class Idleness {
  readonly #byName: ByName
  readonly #policy: IsolationPolicy

  constructor(byName: ByName, policy: IsolationPolicy) {
    this.#byName = byName
    this.#policy = policy
  }

  /** Those that nobody uses just now, without `default`, and since when, in the machine's own time (ms). */
  list(): (readonly [name: string, since: number])[] {
    const copied = this.noteUsesOfCopies()
    return [...this.#byName.values()]
      .filter(({ name, uses }) => uses === 0 && name !== defaultWorkspace && !copied.inUse.has(name))
      .map(({ name, usedAt }) => [name, usedAt])
  }

  /**
   * A use of a partner's copy is one of the workspace that it is a copy of, with which it goes. Gives the names of those
   * whose copies are in use just now, and of those that are elsewhere.
   */
  noteUsesOfCopies(): { inUse: ReadonlySet<string>; elsewhere: ReadonlySet<string> } {
    const [inUse, elsewhere] = [new Set<string>(), new Set<string>()]
    if (!this.#policy.copiesBelongToOriginal) return { inUse, elsewhere }
    for (const made of this.#byName.values()) {
      if (!made.isolation || !isCopy(made)) continue
      const { of } = made.isolation
      const used = this.#byName.get(of)
      if (!used) elsewhere.add(of)
      else {
        const usedAt = Math.max(used.usedAt, made.uses > 0 ? monotonicNow() : made.usedAt)
        if (used instanceof Workspace) used.usedAt = usedAt
        else this.#byName.set(of, { ...used, usedAt })
      }
      if (made.uses > 0) inUse.add(of)
    }
    return { inUse, elsewhere }
  }

  /** The one that goes for another, where one has to; undefined where all are in use. */
  longest(): string | undefined {
    let longest: readonly [name: string, since: number] | undefined
    for (const one of this.list()) {
      const there = this.#byName.get(one[0])
      if (there && !isCopy(there) && (!longest || one[1] < longest[1])) longest = one
    }
    return longest?.[0]
  }
}
