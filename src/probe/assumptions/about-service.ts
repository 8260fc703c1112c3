// Probes of the assumptions about the service as a whole.
import { retrieveReward } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import { merchantKeyHeader } from '../../contract/credentials.ts'
import type { Answer } from '../read-answer.ts'
import { briefly } from '../error-shape.ts'
import { cannotTell, other, value, type Probe, type Step } from '../probe.ts'
import { need } from '../target.ts'
import type { ProbesOf } from './probes-of.ts'
import { isSuccess } from '../answers.ts'
import { answerTo } from './readings.ts'

type ServiceAssumptionId = 'product_isolation'

const asOf = (place: 0 | 1, name: string, noReward?: string): Step => ({
  name,
  risk: noReward === undefined ? 'read' : 'refusal',
  method: 'GET',
  path: ({ target }) => pathTo(retrieveReward, { reward_id: noReward ?? need(target, 'ids.reward') }),
  request: ({ target }) => ({
    key: 'multi',
    headers: { [merchantKeyHeader]: need(target, `merchant_keys[${place}]`) },
  }),
})
const unknownKey = 'rwd_cannot_exist'

/** An error without the id in it. */
const anyId = ({ status, text }: Answer, id: string): string => `${status} ${text.replaceAll(id, '<id>')}`

export const serviceProbes: Pick<ProbesOf<ServiceAssumptionId>, ServiceAssumptionId> = {
  product_isolation: {
    id: 'product_isolation',
    needs: ['keys.multi', 'merchant_keys[0]', 'merchant_keys[1]', 'ids.reward'],
    steps: [
      asOf(0, 'there 0'),
      asOf(1, 'there 1'),
      asOf(0, 'missing 0', unknownKey),
      asOf(1, 'missing 1', unknownKey),
    ],
    read(context) {
      const shown = ([0, 1] as const).filter((place) => isSuccess(answerTo(context, `there ${place}`)))
      const [own, ...others] = shown
      if (others.length > 0) return other('a reward is shown to both products')
      if (own === undefined)
        return cannotTell(
          'neither of the first two merchant_keys shows ids.reward',
          'the merchant key of ids.reward among the first two merchant_keys',
        )
      const foreign = answerTo(context, `there ${1 - own}`)
      const missing = answerTo(context, `missing ${1 - own}`)
      const isAlike = anyId(foreign, need(context.target, 'ids.reward')) === anyId(missing, unknownKey)
      return isAlike ? value('as_if_missing') : other(briefly(foreign))
    },
  } satisfies Probe<'as_if_missing'>,
}
