// The assumptions that the calls of a run rested on, so that another value could make a difference.
import type { AssumptionId, Assumptions } from '../../contract/assumptions.ts'
import type { TestName } from '../../call/test-of-call.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { RunTally } from '../../sandbox/runs/run-tally.ts'

/**
 * Assumptions that an answer may rest on without listing them, as detecting it needs a search or a scan of each body:
 * any call that they can change counts.
 */
export const unlistedAssumptions: Partial<Record<AssumptionId, (endpoint: Endpoint) => boolean>> = {
  intent_network_id_reuse: ({ id }) => id === 'createTransactionIntent',
  // The amount of a reward that was simulated or generated.
  reward_rounding: ({ path }) => path.includes('/rewards'),
  // The rewards of refunds that were simulated.
  refund_reward: ({ path }) => path.includes('/rewards'),
  transaction_amount: ({ path }) => path.includes('/transactions'),
}

/** Assumptions that any simulation rests on. */
const ofSimulations: ReadonlySet<AssumptionId> = new Set([
  'reward_rounding',
  'refund_reward',
  'transaction_amount',
])

/** Whether a call of the run rested on an assumption. @param values those of the run. */
export function isExercised(
  id: AssumptionId,
  { namedAssumptions: rested, operations, simulated }: RunTally,
  values: Pick<Assumptions, 'webhook_events'>,
): boolean {
  // No answer shows them: a suite that serves them tests its receiver.
  if (id === 'webhook_events') return values.webhook_events !== 'not_served'
  if (rested.has(id) || (simulated && ofSimulations.has(id))) return true
  return canChangeOneOf(operations, id)
}

/** The tests of the run whose calls rested on an assumption. */
export function testsOn(id: AssumptionId, { callsOfTests }: RunTally): TestName[] {
  return [...callsOfTests.values()]
    .filter(({ assumptions, operations }) => assumptions.has(id) || canChangeOneOf(operations, id))
    .map(({ test }) => test)
}

function canChangeOneOf(operations: ReadonlySet<string>, id: AssumptionId): boolean {
  const canChange = unlistedAssumptions[id]
  return (
    canChange !== undefined &&
    endpoints.some((endpoint) => operations.has(endpoint.id) && canChange(endpoint))
  )
}
