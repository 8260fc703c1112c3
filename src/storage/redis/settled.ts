// Where a workspace stands between batches: what is known to be kept, and how often it was emptied until then.
import type { Standing, Workspace } from '../../workspaces/workspace.ts'
import type { Mark } from '../delta.ts'

/** Where the workspace stood when all of it was known to be kept, or is about to be. */
export interface Settled {
  readonly mark: Mark
  readonly standing: Standing
  readonly emptied: Emptied
}

/** How often the workspace was reset, its journal emptied, its coverage emptied. */
type Emptied = readonly [resets: number, journal: number, coverage: number]

export function emptiedOf({ resets, journal, coverage }: Workspace): Emptied {
  return [resets, journal.clears, coverage.clears]
}

/** What was emptied, as the script takes it: j journal, n request numbers, c coverage. */
export function emptiedSince([resets, journal, coverage]: Emptied, now: Emptied): string {
  const isReset = now[0] !== resets
  return `${isReset || now[1] !== journal ? 'j' : ''}${isReset ? 'n' : ''}${now[2] === coverage ? '' : 'c'}`
}
