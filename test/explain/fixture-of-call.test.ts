import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const product = { collection: 'products', id: 'mk_summit' }
const notLookedUp = 'the call did not look it up: this is its current state'

/** The rows of a state document by collection, without what is no row. */
function idsIn(fixtures: object): Record<string, string[]> {
  const { schema_version: version, ...parts } = fixtures as { schema_version: number }
  expect(version).toBe(1)
  return Object.fromEntries(
    Object.entries(parts).map(([name, rows]) => [
      name,
      (rows as Record<string, string>[]).map(
        (row) =>
          row[name === 'products' ? 'merchant_key' : name === 'statements' ? 'statement_id' : 'id'] ?? '',
      ),
    ]),
  )
}

const fixtureOf = (sandbox: Sandbox, id = 'req_default_1') => sandbox.requests.fixture(id)

describe('the rows that a call looked up', () => {
  it('each once, in order; those of lists, too', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    await sandbox.call('GET', '/v2/customers?limit=1')
    await sandbox.call('GET', '/v2/rewards/nobody')
    await sandbox.call('POST', '/v2/payment_methods', { json: { customer_id: 'cus_ada' } })
    const reads = (number: number): unknown => sandbox.requests.get(`req_default_${number}`)?.reads
    expect(reads(1)).toEqual([
      { collection: 'rewards', id: 'rwd_ada_pending' },
      { collection: 'customers', id: 'cus_ada' },
    ])
    // One row more than the page has is looked up, to know whether there is more.
    expect(reads(2)).toHaveLength(2)
    expect(reads(3)).toEqual([])
    const methods = sandbox.state.list('payment_methods').filter((one) => one.customer_id === 'cus_ada')
    expect(reads(4)).toHaveLength(methods.length + 1)
    expect(reads(4)).toEqual(
      expect.arrayContaining([
        ...methods.map(({ id }) => ({ collection: 'payment_methods', id })),
        { collection: 'customers', id: 'cus_ada' },
      ]),
    )
  })
})

describe('the fixture of a call', () => {
  it('holds the rows as they were before the call, and what they name', async () => {
    const sandbox = await startSandbox({ assume: { link_replaces: 'replace' } })
    const before = sandbox.state.get('rewards', 'rwd_ada_pending')
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    const linked = await sandbox.call('POST', '/v2/customers/cus_ada/link', {
      json: { partner_customer_id: 'later' },
    })
    expect(linked.status).toBe(200)
    const made = fixtureOf(sandbox)
    expect(idsIn(made?.fixtures ?? {})).toMatchObject({
      products: ['mk_summit'],
      customers: ['cus_ada'],
      rewards: ['rwd_ada_pending'],
    })
    expect(made?.fixtures).toMatchObject({ rewards: [before], customers: [{ id: 'cus_ada' }] })
    expect(JSON.stringify(made?.fixtures)).not.toContain('later')
  })

  it('loads, and the call is answered as it was', async () => {
    const sandbox = await startSandbox()
    for (const [at, [method, path, json]] of (
      [
        ['PATCH', '/v2/rewards/rwd_ada_pending', { status: 'AVAILABLE' }],
        ['GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=3', undefined],
        ['POST', '/v2/payment_methods', { customer_id: 'cus_ada' }],
        ['GET', '/v2/customers/cus_ada/rewards_balance', undefined],
        ['GET', '/v2/rewards/nobody', undefined],
        ['GET', '/v2/customers?limit=100', undefined],
      ] as const
    ).entries()) {
      const options = json === undefined ? {} : { json }
      const first = await sandbox.call(method, path, options)
      const fixtures = fixtureOf(sandbox, `req_default_${at + 1}`)?.fixtures
      const again = await startSandbox({ fixtures: fixtures ?? {} })
      const { status, json: answer } = await again.call(method, path, options)
      const plain = (body: unknown): string =>
        JSON.stringify(body).replaceAll(/\/v1\/[^"]*|"(as_of|pdf_url|next_page_token)":"[^"]*"/g, '')
      expect([path, status, plain(answer)]).toEqual([path, first.status, plain(first.json)])
    }
  })

  it('rows that are named and were not looked up -> as they are now, and said so', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/payment_methods/pm_ada_card')
    const named = sandbox.state.get('payment_methods', 'pm_ada_card')?.account_id ?? ''
    const made = fixtureOf(sandbox)
    expect(made?.unknown).toContainEqual({ collection: 'accounts', id: named, why: notLookedUp })
    expect(made?.fixtures).toMatchObject({
      accounts: expect.arrayContaining([sandbox.state.get('accounts', named)]),
    })
    expect(made?.unknown).not.toContainEqual(expect.objectContaining(product))
  })

  it('rows that are gone -> with the id alone, and it still loads', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/payment_methods/pm_ada_card')
    await sandbox.state.replace({ customers: [] })
    const made = fixtureOf(sandbox)
    const why = 'it no longer exists: missing fields are filled in when it is loaded'
    expect(made?.unknown).toContainEqual({ collection: 'accounts', id: 'acct_ada', why })
    expect(made?.fixtures).toMatchObject({
      accounts: expect.arrayContaining([{ id: 'acct_ada', customer_id: 'cus_ada' }]),
    })
    const again = await createSandbox({ fixtures: made?.fixtures ?? {} })
    expect(again.state.get('accounts', 'acct_ada')).toMatchObject({ customer_id: 'cus_ada' })
  })

  it('a row that a later call changed -> as it was before that', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('POST', '/v2/transaction_intents', {
      json: { customer_id: 'cus_ben', amount: 1, currency: 'USD', merchant_name: 'x' },
    })
    const before = sandbox.state.get('customers', 'cus_ben')
    await sandbox.call('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'later' } })
    expect(fixtureOf(sandbox)?.fixtures).toMatchObject({ customers: [before] })
  })

  it('a row that it names and that later calls changed -> as it was before the first of them', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/payment_methods/pm_ada_card')
    const before = sandbox.state.get('accounts', 'acct_ada')
    for (const currency of ['EUR', 'GBP']) {
      const change = { accounts: { acct_ada: { currency } } }
      const rules = [{ on: 'searchCustomers', effect: { change } }]
      await sandbox.scenarios.register({ name: 'moves-account', description: 'An account moves.', rules })
      await sandbox.scenarios.activate('moves-account')
      await sandbox.call('GET', '/v2/customers?limit=1')
    }
    expect(sandbox.state.get('accounts', 'acct_ada')).toMatchObject({ currency: 'GBP' })
    const made = fixtureOf(sandbox)
    expect(made?.fixtures).toMatchObject({ accounts: [before] })
    expect(made?.unknown).not.toContainEqual(expect.objectContaining({ collection: 'accounts' }))
  })

  it('of a long list the beginning, and how many more there were', async () => {
    const rewards = Array.from({ length: 1_005 }, (_, at) => ({ id: `rwd_${at}`, customer_id: 'cus_1' }))
    const sandbox = await startSandbox({ fixtures: { customers: [{ id: 'cus_1' }], rewards } })
    await sandbox.call('GET', '/v2/customers/cus_1/rewards_balance')
    const made = fixtureOf(sandbox)
    expect(idsIn(made?.fixtures ?? {})['rewards']).toHaveLength(1_000)
    expect(made?.unknown).toEqual([
      {
        collection: 'rewards',
        id: null,
        why: 'the call looked up 5 more rows, which the journal does not store',
      },
    ])
  })

  it('over HTTP: ?format=fixture', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/payment_methods/pm_ada_card')
    const path = '/requests/req_default_1?format='
    const { status, json } = await askControl(sandbox, 'GET', `${path}fixture`)
    expect([status, json]).toEqual([200, fixtureOf(sandbox)])
    expect(Object.keys(json)).toEqual(['fixtures', 'unknown'])
    expect(await askControl(sandbox, 'GET', `${path}har`)).toMatchObject({
      status: 400,
      json: { error: { message: 'query format: must be one of json, fixture' } },
    })
    expect((await askControl(sandbox, 'GET', '/requests/req_default_9?format=fixture')).status).toBe(404)
    expect(fixtureOf(sandbox, 'req_default_9')).toBeUndefined()
  })
})
