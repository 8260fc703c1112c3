// Paths of probes come from the declarations, and no id of a target changes what is asked.
import { describe, expect, it } from 'vitest'
import { retrieveReward } from '../../src/endpoints/rewards.ts'
import { listStatements } from '../../src/endpoints/statements.ts'
import { findRoute } from '../../src/endpoints/routes.ts'
import { calibrationPlan } from '../../src/probe/calibrate.ts'
import { conformPlan } from '../../src/probe/conform.ts'
import { pathTo } from '../../src/probe/path-to.ts'
import { testMachine } from '../helpers/probing.ts'
import { richTarget } from '../helpers/probed-sandbox.ts'

describe('the path of an operation', () => {
  it.each([
    ['an id', pathTo(retrieveReward, { reward_id: 'rwd_1' }), '/v2/rewards/rwd_1'],
    ['an id that is open', pathTo(retrieveReward), '/v2/rewards/<reward>'],
    [
      'an id that is more than a name',
      pathTo(retrieveReward, { reward_id: 'a/../b?$& %' }),
      '/v2/rewards/a%2F..%2Fb%3F%24%26%20%25',
    ],
    [
      'two ids, and a query',
      pathTo(listStatements, { customer_id: 'c', account_id: 'a' }, '?limit=1'),
      '/v2/customers/c/accounts/a/statements?limit=1',
    ],
  ])('%s', (_, path, expected) => {
    expect(path).toBe(expected)
  })
})

it.each([
  ['conform', conformPlan],
  ['calibrate', calibrationPlan],
] as const)('%s asks for ids of any letters at the same places', (_, planFor) => {
  const odd = (id: string): string => `${id}/../x?a=b&c#d %$&`
  const all = { allow: ['write', 'irreversible'] as const }
  const oddTarget = {
    ...richTarget,
    ids: Object.fromEntries(Object.entries(richTarget.ids ?? {}).map(([name, id]) => [name, odd(id ?? '')])),
    expendable: Object.fromEntries(
      Object.entries(richTarget.expendable ?? {}).map(([name, ids]) => [name, (ids ?? []).map(odd)]),
    ),
  }
  const fetch = () => Promise.reject(new Error('nothing is sent'))
  const routeOf = (path: string): unknown => findRoute(path.split('?')[0] ?? '')?.path
  const [richPlan, plan] = [richTarget, oddTarget].map((target) =>
    planFor({ ...target, fetch }, all, testMachine()).requests.map(({ method, path }) => [
      method,
      routeOf(path),
    ]),
  )
  expect(plan?.length).toBeGreaterThan(100)
  expect(plan).toEqual(richPlan)
})
