// What makes a workspace answer differently from a sandbox that was just started without options.
import type { AssumptionView } from '../input/resolve-assumptions.ts'
import type { StateDiff } from '../workspaces/state-diff.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** What differs from a fresh sandbox; of a fresh one the lists are empty, `clock` is null and `rows` 0. */
export interface Differences {
  /** The scenarios that are on, in the order in which they decide. */
  scenarios: string[]
  /** How far the clock was moved (milliseconds; less than 0 for the past) and whether it stands still; null for neither. */
  clock: { moved_ms: number; frozen: boolean } | null
  /** How many rows were added, changed or removed since the snapshot `baseline`. */
  rows: number
  /** The ids of the assumptions whose values are not the defaults. */
  assumptions: string[]
}

/** A clock that was only started and stopped differs by less (milliseconds). */
const minMove = 1_000

/** @param since what became of the rows. */
export function differencesOf(
  { scenarios, clock }: Workspace,
  since: StateDiff,
  assumptions: readonly AssumptionView[],
): Differences {
  const { frozen } = clock
  const { offset } = clock.standing
  const moved = Math.abs(offset) < minMove ? 0 : offset
  return {
    scenarios: [...scenarios.active],
    clock: moved === 0 && !frozen ? null : { moved_ms: moved, frozen },
    rows: Object.values(since).reduce(
      (sum, { added, changed, removed }) => sum + added.length + changed.length + removed.length,
      0,
    ),
    assumptions: assumptions.filter(({ value, default: usual }) => value !== usual).map(({ id }) => id),
  }
}
