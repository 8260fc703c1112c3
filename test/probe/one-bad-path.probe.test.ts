// A service with one bad path: only the checks of its operation change, and the target file is not blamed.
import { beforeAll, expect, it } from 'vitest'
import type { OperationId } from '../../src/contract/declared.generated.ts'
import { findRoute } from '../../src/endpoints/routes.ts'
import { conform, type Conformance } from '../../src/probe/conform.ts'
import { probedSandbox, type Arriving } from '../helpers/probed-sandbox.ts'
import { testMachine } from '../helpers/probing.ts'

const operationOf = ({ method, path }: Arriving): OperationId | undefined =>
  findRoute(path.split('?')[0] ?? '')?.byMethod.get(method)?.id

/** The findings about a service that answers one operation in its own way. */
async function findings(bad?: OperationId, answers?: (request: Arriving) => Response | undefined) {
  const { sandbox, target } = await probedSandbox({}, (request, answer) =>
    operationOf(request) === bad ? (answers?.(request) ?? answer) : answer,
  )
  try {
    return await conform(target, {}, testMachine())
  } finally {
    await sandbox.close()
  }
}

/** The verdicts on the points of an operation, and on all others. */
const verdictsOf = ({ points }: Conformance, bad: OperationId): { own: string[]; others: string[] } => {
  const verdicts = (some: Conformance['points']): string[] =>
    some.map(({ id, verdict }) => `${id}: ${verdict}`)
  return {
    own: verdicts(points.filter(({ operation }) => operation === bad)),
    others: verdicts(points.filter(({ operation }) => operation !== bad)),
  }
}

let unchanged: Conformance
beforeAll(async () => {
  unchanged = await findings()
}, 60_000)

const noReward = (): Response =>
  Response.json({ type: 'REWARD_NOT_FOUND_ERROR', message: 'None.', param: 'reward_id' }, { status: 404 })
const broken = (): never => {
  throw new TypeError('fetch failed')
}
const refusal = (status: number, type: string): Response =>
  Response.json({ error: { type, message: 'Refused.' } }, { status })

it.each<[string, OperationId, (request: Arriving) => Response | undefined]>([
  ['a literal path that is read as an id', 'listRewardCategories', noReward],
  [
    'no such path for keys of several products',
    'listRewardCategories',
    ({ headers }) => (headers.has('x-service-merchant-key') ? refusal(404, 'NOT_FOUND_ERROR') : undefined),
  ],
  ['the not-found error of another resource', 'retrieveTransactionIntent', noReward],
  [
    'its own type with the parameter of another',
    'retrieveReward',
    () =>
      Response.json({ type: 'REWARD_NOT_FOUND_ERROR', message: '', param: 'customer_id' }, { status: 404 }),
  ],
  ['no such path', 'retrieveRewardsBalance', () => refusal(404, 'NOT_FOUND_ERROR')],
  ['a refusal of everything', 'listStatements', () => refusal(400, 'BAD_REQUEST_ERROR')],
  ['a scope that no key has', 'retrievePaymentMethod', () => refusal(403, 'FORBIDDEN_ERROR')],
  ['a key that it does not know', 'searchCustomers', () => refusal(401, 'UNAUTHORIZED_ERROR')],
  [
    'a search that finds nothing',
    'searchCustomers',
    () => Response.json({ data: [], has_more: false, total: 0 }),
  ],
  ['an error of the server', 'listPaymentMethods', () => refusal(500, 'INTERNAL_ERROR')],
  [
    'a page of HTML',
    'listStatements',
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  ],
  [
    'a redirect',
    'retrievePaymentMethod',
    () => new Response(null, { status: 302, headers: { location: '/login' } }),
  ],
  ['a connection that breaks', 'listPaymentMethods', broken],
])('%s: %s is bad, and all other checks are judged as ever', async (_, bad, answers) => {
  const found = await findings(bad, answers)
  expect(found.lost).toBeUndefined()
  const [now, before] = [verdictsOf(found, bad), verdictsOf(unchanged, bad)]
  expect(now.others).toEqual(before.others)
  expect(now.own).not.toEqual(before.own)
})

it('a literal path that is read as an id for keys of several products hides no other check', async () => {
  const found = await findings('listRewardCategories', ({ headers }) =>
    headers.has('x-service-merchant-key') ? noReward() : undefined,
  )
  expect(verdictsOf(found, 'listRewardCategories')).toEqual(verdictsOf(unchanged, 'listRewardCategories'))
})

it('a silent path is left alone after five requests, with its reason', async () => {
  const { points, requests } = await findings('listStatements', broken)
  const whys = points.filter(({ verdict }) => verdict === 'not_called').map(({ why }) => why)
  expect(new Set(whys).size).toBe(1)
  expect(whys.length).toBeGreaterThan(20)
  expect(requests.sent).toBeLessThan(requests.planned)
})
