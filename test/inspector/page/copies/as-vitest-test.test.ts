import { runInThisContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { asVitestTest } from '../../../../src/inspector/page/copies/as-vitest-test.ts'
import type { SandboxWorkspace } from '../../../../src/index.ts'
import { lookedAt, type Sent } from './called.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const intent = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
const scenario = (name: string): Record<string, string> => ({ 'x-sandbox-scenario': name })

const calls: [string, Sent][] = [
  ['a row', { path: reward }],
  ['a list', { path: '/v2/customers?limit=2' }],
  ['a list with a token', { path: '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1' }],
  ['a changed row', { method: 'PATCH', path: reward, body: { amount: 7 } }],
  ['a new row', { method: 'POST', path: '/v2/transaction_intents', body: intent }],
  ['a new key', { method: 'POST', path: '/v2/keys' }],
  ['no body', { method: 'DELETE', path: '/v2/order_events/ord_ada_1' }],
  ['a HEAD', { method: 'HEAD', path: reward }],
  ['card numbers', { path: '/v2/payment_methods/pm_ada_card' }],
  ['a broken rule', { method: 'PATCH', path: reward, body: { amount: 'x' } }],
  ['a body that is no JSON', { method: 'PATCH', path: reward, body: '{"a' }],
  ['no key', { path: reward, key: null }],
  ['a key that nobody has', { path: reward, key: 'sk_nobody' }],
  ['no credential', { path: reward, headers: { authorization: 'x' } }],
  ['another key', { path: '/v2/customers/cus_ada/accounts/acct_ada/statements', key: 'sk_sandbox_none' }],
  ['no endpoint', { path: '/v2/nope' }],
  ['a page of a gateway', { path: reward, headers: scenario('html-gateway-error') }],
  ['a service that is busy', { path: reward, headers: scenario('unavailable') }],
  ['fields that nobody knows', { path: reward, headers: scenario('unknown-fields') }],
  ['a lost answer', { path: reward, headers: scenario('reset') }],
  ['half an answer', { path: reward, headers: scenario('truncated') }],
]

type Test = (kit: { workspace: SandboxWorkspace }) => Promise<void>

/** The test of a file, without a runner. */
function testOf(text: string): Test {
  const body = text.replace(/^import .*\n/, '')
  const tests: Test[] = []
  const declare = runInThisContext(`(expect, test) => { ${body} }`) as (
    asserts: typeof expect,
    test: (name: string, run: Test) => void,
  ) => void
  declare(expect, (_name, run) => tests.push(run))
  const [one] = tests
  if (!one) throw new Error('it declares no test')
  return one
}

describe('a vitest test', () => {
  it.each(calls)('%s', async (_what, sent) => {
    const { entryOf, points } = await lookedAt()
    const text = asVitestTest(await entryOf(sent), points)
    const { sandbox } = await lookedAt()
    const run = testOf(text)
    await run({ workspace: sandbox.workspace('w1') })
    // It asserts what was answered: an answer of another status fails it.
    const other = testOf(text.replace(/toBe\(\d{3}\)/, 'toBe(999)').replace('.rejects', '.resolves'))
    await expect(other({ workspace: sandbox.workspace('w2') })).rejects.toThrow()
  })

  it('is a file of the kit', async () => {
    const { entryOf, points } = await lookedAt()
    const entry = await entryOf({ method: 'PATCH', path: reward, body: { status: 'AVAILABLE' } })
    expect(asVitestTest(entry, points)).toBe(`import { expect, test } from 'partner-rewards-sandbox/vitest'

test('updateReward is answered 200', async ({ workspace }) => {
  const response = await workspace.fetch('/v2/rewards/rwd_ada_pending', {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      status: 'AVAILABLE',
    }),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    id: 'rwd_ada_pending',
    customer_id: 'cus_ada',
    transaction_event_id: 'txn_ada_1',
    amount: 252,
    type: 'TRANSACTION',
    currency: 'POINTS',
    status: 'AVAILABLE',
    created_at: '2026-10-20T18:05:00Z',
    updated_at: expect.any(String),
    metadata: {
      merchant_name: 'Corner Bistro',
    },
  })
})
`)
  })
})
