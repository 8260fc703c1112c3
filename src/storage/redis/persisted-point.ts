// The last state of a workspace that is known to be persisted, with its counts of resets and clears.
import type { Standing, Workspace } from '../../workspaces/workspace.ts'
import type { Mark } from '../delta.ts'

/** The state of a workspace at a point of its log that is persisted, or is about to be. */
export interface PersistedPoint {
  readonly mark: Mark
  readonly standing: Standing
  readonly emptied: Emptied
}

/** How often the workspace was reset, its journal emptied, its coverage emptied. */
type Emptied = readonly [resets: number, journal: number, coverage: number]

export function emptiedOf({ resets, journal, coverage }: Workspace): Emptied {
  return [resets, journal.clears, coverage.clears]
}

/** The clears since, as flags of the script: j journal, n request numbers, c coverage. */
export function emptiedSince([resets, journal, coverage]: Emptied, now: Emptied): string {
  const isReset = now[0] !== resets
  return `${isReset || now[1] !== journal ? 'j' : ''}${isReset ? 'n' : ''}${now[2] === coverage ? '' : 'c'}`
}
