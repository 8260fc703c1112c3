// Requests about one reward that a probe may use up.
import { retrieveReward } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import type { RewardStatus } from '../../contract/resources/reward.ts'
import type { ProbeContext, Step } from '../probe.ts'

/** The changes of an update. */
interface Update {
  status?: RewardStatus
  amount?: number
}

const pathOf =
  (row: number): Step['path'] =>
  ({ rows }) =>
    pathTo(retrieveReward, { reward_id: rows.pending_rewards[row] })

/** Reads an expendable reward. */
export const readReward = (name: string, row: number): Step => ({
  name,
  risk: 'read',
  method: 'GET',
  path: pathOf(row),
  request: () => ({}),
})

/** Updates an expendable reward; `change` returns undefined to omit the step. */
export const updateReward = (
  name: string,
  row: number,
  change: (context: ProbeContext) => Update | undefined,
): Step => ({
  name,
  risk: 'irreversible',
  method: 'PATCH',
  path: pathOf(row),
  request(context) {
    const json = change(context)
    return json && { json }
  },
})
