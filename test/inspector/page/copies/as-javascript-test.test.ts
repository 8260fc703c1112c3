import { runInThisContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../../src/index.ts'
import type { SandboxOptions, SandboxWorkspace, WorkspaceOptions } from '../../../../src/index.ts'
import { asJavascriptTest } from '../../../../src/inspector/page/copies/as-javascript-test.ts'
import { copiedTest } from '../../../../src/inspector/page/copies/copied-test.ts'
import { lookedAt, type Sent } from './called.ts'
import { copyOf } from './copied-calls.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
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

interface Kit {
  workspace: SandboxWorkspace
}

interface Declared {
  options: { sandboxOptions?: SandboxOptions; workspaceOptions?: WorkspaceOptions }
  run: (kit: Kit) => Promise<void>
}

/** The test of a file, without a runner. */
function testOf(text: string): Declared {
  const body = text.replace(/^import .*\n/, '')
  const tests: Declared[] = []
  const declare = runInThisContext(`(expect, base) => { ${body} }`) as (
    asserts: typeof expect,
    base: { extend: (options: Declared['options']) => (name: string, run: Declared['run']) => void },
  ) => void
  declare(expect, { extend: (options) => (_name, run) => tests.push({ options, run }) })
  const [one] = tests
  if (!one) throw new Error('it declares no test')
  return one
}

/** Runs it in a workspace of a sandbox of its own, as the kit does. */
async function runTest({ options, run }: Declared): Promise<void> {
  const sandbox = await createSandbox(options.sandboxOptions)
  await run({ workspace: await sandbox.workspaces.create(options.workspaceOptions) })
}

describe('a vitest test', () => {
  it.each(calls)('%s', async (_what, sent) => {
    const seen = await lookedAt()
    const text = asJavascriptTest(await copyOf(seen, await seen.entryOf(sent)), 'vitest')
    await runTest(testOf(text))
    // It asserts what was answered: an answer of another status fails it.
    const other = text.replace(/toBe\(\d{3}\)/, 'toBe(999)').replace('.rejects', '.resolves')
    await expect(runTest(testOf(other))).rejects.toThrow()
  })

  const keyed = calls.filter(
    ([, { key, headers }]) => key !== null && key !== 'sk_nobody' && !headers?.['authorization'],
  )
  it.each(keyed)('of a call in a workspace that has a name: %s', async (_what, sent) => {
    const seen = await lookedAt({}, 'shop')
    await runTest(testOf(asJavascriptTest(await copyOf(seen, await seen.entryOf(sent)), 'vitest')))
  })

  it('brings rows as they were before the call, the clock, and assumptions', async () => {
    const seen = await lookedAt({ assume: { not_found_status: 400 } })
    seen.sandbox.state.patch('rewards', 'rwd_ada_pending', { amount: 99 })
    seen.sandbox.clock.advance({ days: 40 })
    const entry = await seen.entryOf({ method: 'PATCH', path: reward, body: { status: 'AVAILABLE' } })
    const text = asJavascriptTest(await copyOf(seen, entry), 'vitest')
    await runTest(testOf(text))
    const { options } = testOf(text)
    expect(options.sandboxOptions).toEqual({ assume: { not_found_status: 400 } })
    expect(options.workspaceOptions).toMatchObject({
      clock: { now: entry.at, frozen: true },
      fixtures: { rewards: [{ id: 'rwd_ada_pending', status: 'PENDING', amount: 99 }] },
    })
  })

  it.each([
    ['customers', '/v2/customers?limit=2', 'customers', 'cus_ben', { first_name: 'Zed' }],
    ['statements', `${statements}?limit=2`, 'statements', 'stm_ada_27', { statement_balance: 1 }],
  ] as const)('brings the whole list of a page: %s', async (_what, path, collection, id, change) => {
    const seen = await lookedAt()
    seen.sandbox.state.patch(collection, id, change)
    await runTest(testOf(asJavascriptTest(await copyOf(seen, await seen.entryOf({ path })), 'vitest')))
  })

  it.each(['empty', 'malformed_json', { drip: { bytes_per_second: 5000 } }] as const)(
    'a transport fault: %j',
    async (transport) => {
      const seen = await lookedAt()
      const rules = [{ on: 'retrieveReward', effect: { transport, at: 'after' as const } }]
      await seen.sandbox.scenarios.register({ name: 'fault', description: 'A fault.', rules })
      await seen.sandbox.scenarios.activate('fault')
      await runTest(
        testOf(asJavascriptTest(await copyOf(seen, await seen.entryOf({ path: reward })), 'vitest')),
      )
    },
  )

  it('is refused, with the reason, for a call that no test can send again', async () => {
    const seen = await lookedAt({ generate: { customers: 120 } })
    const large = { metadata: { note: 'x'.repeat(90_000) } }
    const cut = await seen.entryOf({ method: 'PATCH', path: reward, body: large })
    await expect(copyOf(seen, cut)).rejects.toThrow('only the beginning of the request body')
    const first = (await (await seen.send({ path: `${statements}?limit=2` })).json()) as {
      next_page_token: string
    }
    const page = `${statements}?limit=2&starting_after=${encodeURIComponent(first.next_page_token)}`
    await expect(copyOf(seen, await seen.entryOf({ path: page }))).rejects.toThrow(
      'The page token of the call',
    )
    await expect(copyOf(seen, await seen.entryOf({ path: '/v2/customers?limit=2' }))).rejects.toThrow(
      'a test holds 100 at most',
    )
  })

  it('is refused for a page of a list in a large workspace', async () => {
    const customers = Array.from({ length: 10_001 }, (_, at) => ({ id: `cus_${at}` }))
    const seen = await lookedAt({ fixtures: { customers } })
    const entry = await seen.entryOf({ path: '/v2/customers?limit=2' })
    await expect(copyOf(seen, entry)).rejects.toThrow('is copied with 10000 at most')
  })

  it('is a file of the kit', async () => {
    const { entryOf, points } = await lookedAt()
    const entry = await entryOf({ method: 'PATCH', path: reward, body: { status: 'AVAILABLE' } })
    expect(asJavascriptTest(copiedTest(entry, { points }), 'vitest'))
      .toBe(`import { expect, test as base } from 'partner-rewards-sandbox/vitest'

const test = base.extend({
  workspaceOptions: {
    clock: {
      now: '${entry.at}',
      frozen: true,
    },
  },
})

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
  const body = await response.json()
  expect(body).toEqual({
    id: 'rwd_ada_pending',
    customer_id: 'cus_ada',
    transaction_event_id: 'txe_ada_1',
    amount: 252,
    type: 'TRANSACTION',
    currency: 'POINTS',
    status: 'AVAILABLE',
    created_at: '2026-10-20T18:05:00.000Z',
    updated_at: expect.any(String),
    metadata: {
      merchant_name: 'Corner Bistro',
    },
  })
})
`)
  })
})
