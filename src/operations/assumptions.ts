// The assumptions about open questions of the contract, with their current values, and the calls that rest on each.
import { z } from 'zod'
import type { AssumptionId } from '../contract/assumptions.ts'
import { notThere } from '../input/refusals.ts'
import type { AssumptionView } from '../input/resolve-assumptions.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'

/** An assumption, with the calls that rest on it. */
export interface AssumptionInUse extends AssumptionView {
  /** How many calls in the journal of the workspace rest on it. */
  used: number
}

/** Returns each assumption with the number of calls of a workspace that rest on it. */
export function assumptionsInUse(
  { journal }: Workspace,
  views: readonly AssumptionView[],
): AssumptionInUse[] {
  const uses = new Map<AssumptionId, number>()
  for (const { resolution } of journal.calls()) {
    for (const id of resolution.restsOn.ids) uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  return views.map((view) => ({ ...view, used: uses.get(view.id) ?? 0 }))
}

const value = z.union([z.string(), z.number()])
const assumption = z.looseObject({
  id: z.string(),
  question: z.string(),
  section: z.string(),
  default: value,
  alternatives: z.array(value),
  range: z.tuple([z.number(), z.number()]).exactOptional(),
  value,
  effect: z.string(),
  observable: z.boolean(),
  observable_reason: z.string().exactOptional(),
  evidence: z.enum(['documented', 'none']),
  provenance: z.enum(['default', 'set', 'calibrated']),
  calibrated: z.object({ host: z.string(), at: z.string() }).exactOptional(),
  follows: z.string().exactOptional(),
  used: z.number(),
})
type Assumption = z.output<typeof assumption>

interface AssumptionsTarget {
  workspace: { assumptions(): AssumptionInUse[] }
}

export const assumptionsOperations = [
  operation({
    id: 'assumptions',
    route: 'GET /_sandbox/assumptions',
    verb: 'assumptions',
    about: 'list the assumptions about open questions of the contract, with their current values',
    result: z.object({ assumptions: z.array(assumption) }),
    printed: { text: ({ assumptions }) => assumptions.map((one) => `${line(one)}\n`).join('') },
    run: ({ workspace }: AssumptionsTarget) => ({ assumptions: workspace.assumptions() }),
  }),
  operation({
    id: 'assumptions',
    route: 'GET /_sandbox/assumptions/:id',
    verb: 'assumptions',
    about: 'show one assumption in full',
    result: assumption,
    run({ workspace }: AssumptionsTarget, { path }) {
      const all = workspace.assumptions()
      const ids = all.map(({ id }) => id)
      const found = all.find(({ id }) => id === path.id)
      if (!found) throw notThere('assumption', path.id, ids)
      return found
    },
  }),
]

/** Formats an assumption as "rejected_status=400", with the default if it differs, and where the value was observed. */
function line({ id, value: inForce, default: defaultValue, calibrated, follows }: Assumption): string {
  const notes = [
    ...(inForce === defaultValue ? [] : [`default: ${defaultValue}`]),
    ...(follows
      ? [`follows ${follows}`]
      : calibrated
        ? [`observed at ${calibrated.host}, ${calibrated.at}`]
        : []),
  ]
  return `${id}=${inForce}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}
