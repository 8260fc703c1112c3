// Probes of the assumptions about the service as a whole.
import { retrieveReward } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import { merchantKeyHeader } from '../../contract/credentials.ts'
import { versionHeader } from '../../contract/versions.ts'
import type { Answer } from '../read-answer.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, other, value, type Given, type Probe, type Reading, type Step } from '../probe.ts'
import { need } from '../target.ts'
import { anyRead, badKeyRead, badKeyReadWith, noSuchPath, step } from './common-steps.ts'
import type { ProbesOf } from './probes-of.ts'
import { emptySearch } from './customer-pages.ts'
import { rejectedIntentStep, faultless, fateOf, rejectedIntent, unlessFaultless } from './rejected-intent.ts'
import { isSuccess } from '../answers.ts'
import { answerTo, statusSeen } from './readings.ts'

type Ids = 'read_status' | 'order_of_refusals' | 'product_isolation'

const noVersion = { [versionHeader]: '1999-01-01' }
const noProduct = { [merchantKeyHeader]: 'mk_cannot_exist' }
const lacksScope = { key: 'without.TRANSACTION_INTENT_WRITE' } as const
const noCurrency = { json: { ...rejectedIntent, amount: 'none', currency: 1 } }

/** A call that breaks two rules, and calls that break one of them each: the first of the two should be reported. */
const pairs = [
  {
    both: badKeyReadWith('key and version', noVersion),
    first: badKeyRead,
    second: anyRead('version', { headers: noVersion }, 'refusal'),
  },
  {
    both: noSuchPath('version and route', { headers: noVersion }),
    first: anyRead('version', { headers: noVersion }, 'refusal'),
    second: noSuchPath(),
  },
  {
    both: noSuchPath('route and product', { headers: noProduct }),
    first: noSuchPath(),
    second: anyRead('product', { headers: noProduct }, 'refusal'),
  },
  {
    both: rejectedIntentStep('product and scope', {
      ...lacksScope,
      json: rejectedIntent,
      headers: noProduct,
    }),
    first: anyRead('product', { headers: noProduct }, 'refusal'),
    second: rejectedIntentStep('scope', { ...lacksScope, json: rejectedIntent }),
  },
  {
    both: rejectedIntentStep('scope and body', { ...lacksScope, ...noCurrency }),
    first: rejectedIntentStep('scope', { ...lacksScope, json: rejectedIntent }),
    second: rejectedIntentStep('body', noCurrency),
  },
] as const

/** Returns which of two refusals an answer is: by its kind, or by its words if both have the same kind. */
function whichOf(answer: Answer, first: Answer, second: Answer): 'first' | 'second' | undefined {
  for (const look of [kindOf, (one: Answer) => kindOf(one) + wordsOf(one)]) {
    const isFirst = look(answer) === look(first)
    if (isFirst !== (look(answer) === look(second))) return isFirst ? 'first' : 'second'
  }
  return undefined
}

function kindOf({ status, json }: Answer): string {
  const error = errorIn({ json })
  return JSON.stringify([status, error?.shape, error?.shape === 'A' ? error.details : error?.type])
}

function wordsOf(answer: Answer): string {
  const error = errorIn(answer)
  return error && error.shape !== 'A' ? error.message : ''
}

function readOrder(given: Given): Reading<'key_version_route_product_scope_body_rows'> {
  const unclear = unlessFaultless(given)
  if (unclear) return unclear
  const allowed = pairs
    .flatMap(({ first, second }) => [first, second])
    .find(({ name }) => isSuccess(answerTo(given, name)))
  if (allowed) return cannotTell(`a request that breaks only ${allowed.name} is accepted`)
  if (answerTo(given, 'scope').status !== 403) {
    return cannotTell(
      'the key is not refused for its scope',
      'a usable key under keys.without.TRANSACTION_INTENT_WRITE that lacks it',
    )
  }
  for (const { both, first, second } of pairs) {
    const [answer, ...alone] = [both, first, second].map(({ name }) => answerTo(given, name))
    const [one, two] = alone
    if (!answer || !one || !two) continue
    const which = whichOf(answer, one, two)
    const [before, after] = both.name.split(' and ')
    if (which === 'second') return other(`the ${after} is checked before the ${before}`)
    if (which === undefined)
      return cannotTell(
        `a request that breaks ${both.name} is answered ${briefly(answer)}, unlike either alone`,
      )
  }
  const body = answerTo(given, 'body')
  if (fateOf(body) === 'passed') return other('rows are checked before the body, or the body is not checked')
  return value('key_version_route_product_scope_body_rows')
}

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

export const serviceProbes: Pick<ProbesOf<Ids>, Ids> = {
  read_status: {
    id: 'read_status',
    needs: [],
    steps: [anyRead('categories'), step('customers', 'read', 'GET', emptySearch)],
    read(given) {
      const answers = [answerTo(given, 'categories'), answerTo(given, 'customers')]
      const failed = answers.find((answer) => !isSuccess(answer))
      if (failed) return cannotTell(`a read is answered ${briefly(failed)}`, 'a key that may read')
      return statusSeen('read_status', answers)
    },
  },
  order_of_refusals: {
    id: 'order_of_refusals',
    needs: ['keys.without.TRANSACTION_INTENT_WRITE'],
    steps: [
      faultless,
      ...new Map(
        pairs.flatMap(({ first, second, both }) => [first, second, both]).map((one) => [one.name, one]),
      ).values(),
    ],
    read: readOrder,
  },
  product_isolation: {
    id: 'product_isolation',
    needs: ['keys.multi', 'merchant_keys[0]', 'merchant_keys[1]', 'ids.reward'],
    steps: [
      asOf(0, 'there 0'),
      asOf(1, 'there 1'),
      asOf(0, 'missing 0', unknownKey),
      asOf(1, 'missing 1', unknownKey),
    ],
    read(given) {
      const shown = ([0, 1] as const).filter((place) => isSuccess(answerTo(given, `there ${place}`)))
      const [own, ...others] = shown
      if (others.length > 0) return other('a reward is shown to both products')
      if (own === undefined)
        return cannotTell(
          'neither of the first two merchant_keys shows ids.reward',
          'the merchant key of ids.reward among the first two merchant_keys',
        )
      const foreign = answerTo(given, `there ${1 - own}`)
      const missing = answerTo(given, `missing ${1 - own}`)
      const isAlike = anyId(foreign, need(given.target, 'ids.reward')) === anyId(missing, unknownKey)
      return isAlike ? value('as_if_missing') : other(briefly(foreign))
    },
  } satisfies Probe<'as_if_missing'>,
}
