// The keys and rows that a target names: what is missing is named before anything but reads is sent.
import { describe, expect, it } from 'vitest'
import type { AssumptionId } from '../../src/contract/assumptions.ts'
import { calibrate, calibrationPlan } from '../../src/probe/calibrate.ts'
import { conform, conformPlan } from '../../src/probe/conform.ts'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { probedSandbox, type Rewrite } from '../helpers/probed-sandbox.ts'
import { testMachine } from '../helpers/probing.ts'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'

type Change = (target: GivenTarget) => GivenTarget
const ids =
  (changed: GivenTarget['ids']): Change =>
  (target) => ({ ...target, ids: { ...target.ids, ...changed } })
const keys =
  (changed: Partial<GivenTarget['keys']>): Change =>
  (target) => ({ ...target, keys: { ...target.keys, ...changed } })

/** The fields that both verbs refuse, and what they sent until then. */
async function refused(
  change: Change,
  assume: UnvalidatedSettings = {},
  rewrite?: Rewrite,
  verbs: readonly (typeof conform | typeof calibrate)[] = [conform, calibrate],
): Promise<string[]> {
  const { sandbox, target, calls } = await probedSandbox(assume, rewrite)
  try {
    const found = []
    for (const ask of verbs) {
      calls.length = 0
      const error: unknown = await ask(change(target), {}, testMachine()).catch((thrown: unknown) => thrown)
      if (!(error instanceof DocumentError)) return []
      found.push(error.problems.map(({ path }) => path))
      expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
      expect(calls.length).toBeLessThan(40)
    }
    expect(found.at(-1)).toEqual(found[0])
    return found[0] ?? []
  } finally {
    await sandbox.close()
  }
}

describe('a target that names what the service does not have', () => {
  it.each<[string, Change, string[]]>([
    ['a customer', ids({ customer: 'cus_nobody' }), ['ids.customer']],
    ['a partner identifier', ids({ partner_customer_id: 'p-none' }), ['ids.partner_customer_id']],
    ['an account', ids({ account: 'acct_none' }), ['ids.account']],
    ['an intent', ids({ intent: 'int_none' }), ['ids.intent']],
    ['a reward', ids({ reward: 'rwd_none' }), ['ids.reward']],
    ['two rows', ids({ reward: 'rwd_none', intent: 'int_none' }), ['ids.intent', 'ids.reward']],
    ['a key without a scope', keys({ without: { ACCOUNT_READ: 'sk_none' } }), ['keys.without.ACCOUNT_READ']],
    ['a key of several products', keys({ multi: 'sk_none' }), ['keys.multi']],
    [
      'a merchant key',
      (target) => ({ ...target, merchant_keys: ['mk_summit', 'mk_none'] }),
      ['merchant_keys[1]'],
    ],
  ])('%s -> it is named, and only reads are sent', async (_, change, fields) => {
    const found = await refused(change)
    expect(found.toSorted()).toEqual(fields.toSorted())
  })

  it('a payment method, where it is read', async () => {
    const change = ids({ payment_method: 'pm_none' })
    expect(await refused(change, {}, undefined, [conform])).toEqual(['ids.payment_method'])
  })

  it.each([404, 400, 410])('with not-found status %i', async (status) => {
    expect(await refused(ids({ reward: 'rwd_none' }), { not_found_status: status })).toEqual(['ids.reward'])
  })
})

it.each<[AssumptionId, Change, string]>([
  ['unknown_account_type', ids({ customer: 'cus_gone' }), 'ids.customer'],
  ['product_isolation', ids({ reward: 'rwd_gone' }), 'ids.reward'],
  ['forbidden_type', keys({ without: { ACCOUNT_READ: 'sk_gone' } }), 'keys.without.ACCOUNT_READ'],
  ['missing_merchant_key_status', keys({ multi: 'sk_full' }), 'merchant_keys[1]'],
  ['intent_foreign_payment_method', ids({ payment_method: 'pm_gone' }), 'ids.payment_method'],
])('calibrate of %s alone refuses what it uses and the service does not have', async (id, change, field) => {
  const { sandbox, target } = await probedSandbox({ unknown_merchant_key_status: 400 })
  const options = { only: [id], allow: ['write', 'irreversible'] } as const
  const refusal: unknown = await calibrate(change(target), options, testMachine()).catch(
    (thrown: unknown) => thrown,
  )
  expect(refusal).toMatchObject({ problems: [{ path: field }] })
  await sandbox.close()
})

describe('a target is used where nothing is certain', () => {
  it.each<[string, Change, Rewrite?]>([
    ['all is there', (target) => target],
    [
      'nothing is named',
      ({ fetch, budget }) => ({
        keys: { full: 'sk_full' },
        ...(fetch && { fetch }),
        ...(budget && { budget }),
      }),
    ],
    [
      'the read of a row is refused with 403',
      ids({ reward: 'rwd_none' }),
      ({ path }, answer) =>
        path.includes('rwd_none')
          ? Response.json({ error: { type: 'F', message: 'No.' } }, { status: 403 })
          : answer,
    ],
    [
      'the refusal is of a type that no contract shows',
      ids({ reward: 'rwd_none' }),
      (_, answer) =>
        answer.status === 404 ? Response.json({ error: { type: 'GONE' } }, { status: 410 }) : answer,
    ],
    [
      'the refusal of a merchant key does not name it',
      (target) => ({ ...target, merchant_keys: ['mk_summit', 'mk_none'] }),
      ({ headers }, answer) =>
        headers.get('x-service-merchant-key') === 'mk_none'
          ? Response.json({ error: { type: 'NOT_FOUND_ERROR', message: 'None.' } }, { status: 404 })
          : answer,
    ],
    [
      'the service fails',
      ids({ reward: 'rwd_none' }),
      ({ path }, answer) => (path.includes('rwd_none') ? new Response(null, { status: 500 }) : answer),
    ],
  ])('%s', async (_, change, rewrite) => {
    expect(await refused(change, {}, rewrite)).toEqual([])
  })

  it('a row is one of another product of keys.multi', async () => {
    const inHarbor: Rewrite = ({ path, headers }, answer) =>
      path === '/v2/rewards/rwd_pending' && headers.get('x-service-merchant-key') !== 'mk_harbor'
        ? Response.json(
            { type: 'REWARD_NOT_FOUND_ERROR', message: 'No.', param: 'reward_id' },
            { status: 404 },
          )
        : path === '/v2/rewards/rwd_pending'
          ? Response.json({ id: 'rwd_pending' })
          : answer
    expect(await refused(ids({ reward: 'rwd_pending' }), {}, inHarbor)).toEqual([])
  })
})

it('the reads are in the plan, and a run never sends more than that', async () => {
  const { sandbox, target, calls } = await probedSandbox()
  const badTarget = ids({ reward: 'rwd_none' })(target)
  for (const plan of [conformPlan, calibrationPlan]) {
    const { requests } = plan(badTarget, {}, testMachine())
    expect(
      requests.filter(({ probe }) => probe === 'target').every(({ class: risk }) => risk === 'read'),
    ).toBe(true)
    expect(requests.length).toBeLessThanOrEqual(500)
  }
  const only = { only: ['retrieveReward/success'] }
  const planned = conformPlan(badTarget, only, testMachine()).requests.map(({ path }) => path)
  await expect(conform(badTarget, only, testMachine())).rejects.toThrow(
    'target ids.reward: the service does not have it: retrieveReward is answered status 404 REWARD_NOT_FOUND_ERROR; name one that exists, or remove it',
  )
  expect(calls.map(({ path }) => path)).toEqual([
    '/v2/rewards/rewards_categories',
    '/v2/rewards/rwd_none',
    '/v2/rewards/rwd_none',
    '/v2/rewards/rwd_none',
  ])
  expect(calls.length).toBeLessThanOrEqual(planned.length)
  await sandbox.close()
})

it('points that do not use a row ask nothing of it', async () => {
  const { sandbox, target, calls } = await probedSandbox()
  const { summary } = await conform(
    ids({ customer: 'cus_nobody' })(target),
    { only: ['retrieveReward/success'] },
    testMachine(),
  )
  expect(summary.holds).toBe(1)
  expect(calls.map(({ path }) => path)).not.toContain('/v2/customers/cus_nobody/rewards_balance')
  await sandbox.close()
})
