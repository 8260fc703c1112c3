import { expect, test as base } from 'partner-rewards-sandbox/playwright'
import { OutcomeUnknown, PartnerClient } from '../partner-client/client.mjs'

/** Our client, over HTTP. Waiting moves the clock of the workspace, and takes no time. */
const test = base.extend<{ client: PartnerClient }>({
  client: async ({ workspace, server }, use) => {
    await use(
      new PartnerClient({
        baseUrl: server.url,
        apiKey: workspace.apiKey,
        wait: async (milliseconds) => workspace.clock.advance({ seconds: milliseconds / 1000 }),
      }),
    )
  },
})

const purchase = { customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' }

test('a linked customer is found by our identifier', async ({ client, workspace }) => {
  await client.linkCustomer('cus_ben', 'shop-17')
  expect(await client.findCustomer('shop-17')).toMatchObject({ id: 'cus_ben' })
  expect(workspace).toHaveReceivedInOrder([{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
  expect(workspace).toHaveNoUnmatchedRequests()
})

test('a purchase earns a reward, which is settled into the balance', async ({ client, workspace }) => {
  const before = await client.balance('cus_ada')
  const intent = await client.createIntent(purchase)
  const { reward } = workspace.simulate.transaction({ intent_id: intent.id })
  await client.settleReward(String(reward?.id))
  expect(await client.balance('cus_ada')).toBe(before + 37)
})

test('27 statements come in three pages', async ({ client, workspace }) => {
  const ids = []
  for await (const { statement_id: id } of client.statements('cus_ada', 'acct_ada')) ids.push(id)
  expect(new Set(ids).size).toBe(27)
  expect(workspace).toHaveReceived({ operation: 'listStatements', count: 3 })
})

test.describe('while the service limits the rate', () => {
  test.use({ workspaceOptions: { scenarios: ['rate-limited'] } })

  test('a call is made again when the service says so', async ({ client, workspace }) => {
    await client.createIntent(purchase)
    expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', status: 429, count: 2 })
    expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', status: 200, count: 1 })
  })
})

test('an intent whose answer is lost is not made twice', async ({ client, workspace }) => {
  await workspace.scenarios.activate('commit-but-answer-lost')
  await expect(client.createIntent(purchase)).rejects.toThrow(OutcomeUnknown)
  expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', count: 1 })
})

test('fields that we do not know are no trouble', async ({ client, workspace }) => {
  await workspace.scenarios.activate('unknown-fields')
  expect(await client.createIntent(purchase)).toMatchObject({ amount: 1250, status: 'CONFIRMED' })
})

for (const nth of [1, 2, 3]) {
  test(`the same reward is settled in each of three tests: ${nth}`, async ({ client, workspace }) => {
    expect(await client.settleReward('rwd_ada_pending')).toMatchObject({ status: 'AVAILABLE' })
    expect(workspace).not.toHaveReceived({ operation: 'updateReward', at_least: 2 })
  })
}

test("Playwright's own HTTP client is in the workspace as well", async ({ api, workspace }) => {
  const answer = await api.patch('/v2/rewards/rwd_ada_pending', { data: { status: 'DEDUCTED' } })
  await expect(answer).toBeOK()
  expect(workspace).toHaveReceived({ operation: 'updateReward', body: { status: 'DEDUCTED' }, count: 1 })
})
