// The differences between a workspace and a sandbox that was just started without options.
import { z } from 'zod'
import { isNumbered } from '../store/sequences.ts'
import type { AssumptionView } from '../input/resolve-assumptions.ts'
import type { StateDiff } from '../workspaces/state-diff.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'

/** The differences to a fresh sandbox; for a fresh one the lists are empty, `clock` is null and `rows` 0. */
export interface Differences {
  /** The active scenarios, in the order in which they decide. */
  scenarios: string[]
  /** How far the clock was moved (ms; negative for the past) and whether it is frozen; null for neither. */
  clock: { moved_ms: number; frozen: boolean } | null
  /** How many rows were added, changed or removed since the snapshot `baseline`, without webhook events. */
  rows: number
  /** The ids of the assumptions whose values are not the defaults. */
  assumptions: string[]
}

/** A clock that was only frozen and started again differs by less (ms). */
const minMove = 1_000

/** @param since the rows that changed. */
export function differencesOf(
  { scenarios, clock }: Workspace,
  since: StateDiff,
  assumptions: readonly AssumptionView[],
): Differences {
  const { frozen } = clock
  const { offset } = clock.position
  const moved = Math.abs(offset) < minMove ? 0 : offset
  return {
    scenarios: [...scenarios.active],
    clock: moved === 0 && !frozen ? null : { moved_ms: moved, frozen },
    // Events and their endpoints change no answer of the API.
    rows: Object.entries(since)
      .filter(([collection]) => !isNumbered(collection))
      .reduce(
        (sum, [, { added, changed, removed }]) => sum + added.length + changed.length + removed.length,
        0,
      ),
    assumptions: assumptions
      .filter(({ value, default: defaultValue }) => value !== defaultValue)
      .map(({ id }) => id),
  }
}

export const differencesOperations = [
  operation({
    id: 'differences',
    route: 'GET /_sandbox/differences',
    about: 'list the differences to a fresh sandbox: active scenarios, the clock, edited rows, assumptions',
    result: z.object({
      scenarios: z.array(z.string()),
      clock: z.object({ moved_ms: z.number(), frozen: z.boolean() }).nullable(),
      rows: z.number(),
      assumptions: z.array(z.string()),
    }),
    expensive: true,
    run: ({ workspace }: { workspace: { differences(): Differences } }) => workspace.differences(),
  }),
]
