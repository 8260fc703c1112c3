// Copies of workspaces that replays made: their names, and how many of them stay.
import type { ScenarioStart } from '../scenarios/engine.ts'
import type { ClosedWorkspace } from './closed.ts'
import { beginOfCopies, isCopy, type Isolation } from './isolation.ts'
import { useOf } from './uses.ts'
import type { Beginning, Workspace } from './workspace.ts'

/** How many copies that replays made stay. */
const maxReplays = 20

/** The workspaces that copies come to stand among. */
interface Among {
  add(name: string, own: Partial<Beginning>, scenarios: ScenarioStart, isolation?: Isolation): Workspace
  all(): (Workspace | ClosedWorkspace)[]
  delete(name: string): boolean
  isTaken(name: string): boolean
  isThere(made: Workspace): boolean
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
   * Adds a copy of a workspace for one replay. Of these the newest 20 stay: the oldest goes first, so that replays alone
   * never fill the room of the others. With `--isolation partner` 20 of each do, beside --max-workspaces, and their
   * names count for each: what one has of them is nothing that another could notice.
   * @throws {TooManyWorkspacesError} when there are as many as allowed.
   */
  add(of: Workspace): Workspace {
    const own = of.copy()
    const scenarios = of.scenarios.copy()
    const { isolation } = of
    this.#copies = this.#copies.filter((made) => this.#among.isThere(made))
    // Whose copy one of a partner is stands with it, so that those of an earlier process, and of others, count, too.
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

  /** A free one. That of a partner has the partner's name in it, which others do not count with. */
  #newName(isolation: Isolation | undefined): string {
    const begin = isolation ? beginOfCopies(isolation.of) : 'replay-'
    let made = this.#made.get(begin) ?? 0
    do made += 1
    while (this.#among.isTaken(begin + made))
    this.#made.set(begin, made)
    return begin + made
  }

  /** A copy that turned out to be that of another process. */
  disown(made: Workspace): void {
    this.#copies = this.#copies.filter((copy) => copy !== made)
  }
}
