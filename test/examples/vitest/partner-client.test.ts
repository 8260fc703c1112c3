import { expect, test as base } from 'partner-rewards-sandbox/vitest'
import { OutcomeUnknown, PartnerClient, Refused } from '../partner-client/client.mjs'

/** Our client, in the workspace of its test. Waiting moves the clock of the workspace, and takes no time. */
const test = base.extend<{ client: PartnerClient }>({
  client: async ({ workspace }, use) => {
    await use(
      new PartnerClient({
        apiKey: workspace.apiKey,
        fetch: workspace.fetch,
        wait: async (milliseconds) => workspace.clock.advance({ seconds: milliseconds / 1000 }),
      }),
    )
  },
})

const purchase = { customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' }

test('a linked customer is found by our identifier', async ({ client, workspace }) => {
  await client.linkCustomer('cus_ben', 'shop-17')
  expect(await client.findCustomer('shop-17')).toMatchObject({ id: 'cus_ben' })
  expect(workspace).toHaveReceivedInOrder([
    { operation: 'linkCustomer', params: { customer_id: 'cus_ben' } },
    { operation: 'searchCustomers', query: { partner_customer_id: 'shop-17' } },
  ])
  expect(workspace).toHaveNoUnmatchedRequests()
})

test('a purchase earns a reward, which is settled into the balance', async ({ client, workspace }) => {
  const before = await client.balance('cus_ada')
  const intent = await client.createIntent(purchase)
  const { reward } = workspace.simulate.transaction({ intent_id: intent.id })
  expect(reward).toMatchObject({ amount: 37, status: 'PENDING' })

  expect(await client.settleReward(String(reward?.id))).toMatchObject({ status: 'AVAILABLE' })
  expect(await client.balance('cus_ada')).toBe(before + 37)
})

test('27 statements come in three pages', async ({ client, workspace }) => {
  const ids = []
  for await (const { statement_id: id } of client.statements('cus_ada', 'acct_ada')) ids.push(id)
  expect(new Set(ids).size).toBe(27)
  expect(workspace).toHaveReceived({ operation: 'listStatements', query: { limit: '10' }, count: 3 })
})

test('a call that is refused for its rate is made again when the service says so', async ({
  client,
  workspace,
}) => {
  await workspace.scenarios.activate('rate-limited')
  const asked = Date.parse(workspace.clock.now())
  await client.createIntent(purchase)
  expect(Date.parse(workspace.clock.now()) - asked).toBeGreaterThanOrEqual(2000)
  expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', status: 429, count: 2 })
  expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', status: 200, count: 1 })
})

test('an intent whose answer is lost is not made twice', async ({ client, workspace }) => {
  await workspace.scenarios.activate('commit-but-answer-lost')
  const before = workspace.state.size('transaction_intents')
  await expect(client.createIntent(purchase)).rejects.toThrow(OutcomeUnknown)
  expect(workspace.state.size('transaction_intents')).toBe(before + 1)
  expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', count: 1 })
})

test('a reward whose settling is not answered turns out to be settled', async ({ client, workspace }) => {
  await workspace.scenarios.register({
    name: 'settled-unheard',
    description: 'The first update is made, but its answer never arrives.',
    rules: [{ on: 'updateReward', calls: '1', effect: { transport: 'reset', at: 'after' } }],
  })
  await workspace.scenarios.activate('settled-unheard')
  expect(await client.settleReward('rwd_ada_pending')).toMatchObject({ status: 'AVAILABLE' })
  expect(workspace).toHaveReceivedInOrder([{ operation: 'updateReward' }, { operation: 'retrieveReward' }])
})

test('fields that we do not know are no trouble', async ({ client, workspace }) => {
  await workspace.scenarios.activate('unknown-fields')
  expect(await client.createIntent(purchase)).toMatchObject({ amount: 1250, status: 'CONFIRMED' })
})

test('a row of our own', async ({ client, workspace }) => {
  workspace.state.put('rewards', 'rwd_mine', { customer_id: 'cus_ada', status: 'AVAILABLE', amount: 500 })
  await expect(client.settleReward('rwd_mine')).rejects.toThrow(Refused)
  expect(workspace).not.toHaveReceived({ operation: 'updateReward', status: 200 })
})

test.concurrent.for([1, 2, 3, 4, 5])(
  'the same reward is settled in each of five tests: %i',
  async (_, { client, workspace, expect: own }) => {
    own(await client.settleReward('rwd_ada_pending')).toMatchObject({ status: 'AVAILABLE' })
    own(workspace).toHaveReceived({ operation: 'updateReward', count: 1 })
  },
)

test('over HTTP, with nothing but a URL and a key', async ({ workspace, server }) => {
  const client = new PartnerClient({ baseUrl: server.url, apiKey: workspace.apiKey })
  await client.linkCustomer('cus_ben', 'shop-17')
  expect(workspace).toHaveReceived({ operation: 'linkCustomer', count: 1 })
})

const inWinter = test.extend({
  sandboxOptions: { clock: '2027-01-15T12:00:00Z', frozen: true, fixtures: { customers: [{ id: 'cus_1' }] } },
})

inWinter('a sandbox of our own', async ({ client, workspace }) => {
  const { created_at: created } = await client.createIntent({ ...purchase, customer_id: 'cus_1' })
  expect(created).toBe('2027-01-15T12:00:00.000Z')
  expect(workspace.state.size('customers')).toBe(1)
})
