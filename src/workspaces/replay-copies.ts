// The copies of workspaces that replays create: their names, and how many of them stay.
import type { ScenarioStart } from '../scenarios/engine.ts'
import type { ClosedWorkspace } from './closed.ts'
import { beginOfCopies, isCopy, type Isolation } from './isolation.ts'
import { useOf } from './open-uses.ts'
import type { Beginning, Workspace } from './workspace.ts'

/** Maximum number of copies from replays. */
const maxReplays = 20

/** The workspaces to which copies are added. */
interface Among {
  add(name: string, own: Partial<Beginning>, scenarios: ScenarioStart, isolation?: Isolation): Workspace
  all(): (Workspace | ClosedWorkspace)[]
  delete(name: string): boolean
  isTaken(name: string): boolean
  stillExists(made: Workspace): boolean
}

export class ReplayCopies {
  readonly #among: Among
  /** Oldest first. */
  #copies: Workspace[] = []
  readonly #made = new Map<string, number>()

  constructor(among: Among) {
    this.#among = among
  }

  /**
   * Adds a copy of a workspace for one replay. The newest 20 copies stay: the oldest is deleted first, so that replays
   * never use up the room of other workspaces. With `--isolation partner` each partner has 20, in addition to
   * --max-workspaces, and their names are counted for each: a partner cannot observe the copies of another.
   * @throws {TooManyWorkspacesError} at the limit.
   */
  add(of: Workspace): Workspace {
    const own = of.copyForReplay()
    const scenarios = of.scenarios.copy()
    const { isolation } = of
    this.#copies = this.#copies.filter((made) => this.#among.stillExists(made))
    // A partner's copy has its owner with it, so that those of an earlier process count, too.
    const those = isolation
      ? this.#among.all().filter((one) => isCopy(one) && one.isolation?.of === isolation.of)
      : this.#copies
    for (const made of those.slice(0, Math.max(0, those.length - maxReplays + 1))) {
      this.#among.delete(made.name)
    }
    const end = useOf(of)
    try {
      const made = this.#among.add(this.#newName(isolation), own, scenarios, isolation)
      this.#copies.push(made)
      return made
    } finally {
      end()
    }
  }

  /** Returns a free name. That of a partner's copy contains the partner's name, which others do not share. */
  #newName(isolation: Isolation | undefined): string {
    const begin = isolation ? beginOfCopies(isolation.of) : 'replay-'
    let made = this.#made.get(begin) ?? 0
    do made += 1
    while (this.#among.isTaken(begin + made))
    this.#made.set(begin, made)
    return begin + made
  }
}
