// Which assumptions the calls of a run rested on, so that another value of them could make a difference.
import type { AssumptionId } from '../../contract/assumptions.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { RunTally } from '../../sandbox/runs/run-tally.ts'

/**
 * Those that an answer may rest on without naming it, as it would take a search or a look at each body to know: any
 * call counts that they can change.
 */
export const unnamed: Partial<Record<AssumptionId, (endpoint: Endpoint) => boolean>> = {
  duplicate_json_keys: ({ body }) => body !== undefined,
  intent_network_id_reuse: ({ id }) => id === 'createTransactionIntent',
  // What a reward came to, when it was simulated or generated.
  reward_rounding: ({ path }) => path.includes('/rewards'),
}

/** Whether a call of the run rested on an assumption. */
export function isExercised(id: AssumptionId, { rested, operations, simulated }: RunTally): boolean {
  if (rested.has(id) || (id === 'reward_rounding' && simulated)) return true
  const canChange = unnamed[id]
  return (
    canChange !== undefined &&
    endpoints.some((endpoint) => operations.has(endpoint.id) && canChange(endpoint))
  )
}
