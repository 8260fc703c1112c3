const { matchers, withSandbox, withWorkspace } = require('partner-rewards-sandbox/jest')
const { OutcomeUnknown, PartnerClient } = require('../partner-client/client.mjs')

expect.extend(matchers)

const purchase = { customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' }

/** Our client, in the workspace of its test. Waiting moves the clock of the workspace, and takes no time. */
const clientOf = (workspace) =>
  new PartnerClient({
    apiKey: workspace.apiKey,
    fetch: workspace.fetch,
    wait: async (milliseconds) => workspace.clock.advance({ seconds: milliseconds / 1000 }),
  })

test(
  'a linked customer is found by our identifier',
  withWorkspace(async ({ workspace }) => {
    const client = clientOf(workspace)
    await client.linkCustomer('cus_ben', 'shop-17')
    expect(await client.findCustomer('shop-17')).toMatchObject({ id: 'cus_ben' })
    expect(workspace).toHaveReceivedInOrder([{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
    expect(workspace).toHaveNoUnmatchedRequests()
  }),
)

test(
  'a purchase earns a reward, which is settled into the balance',
  withWorkspace(async ({ workspace }) => {
    const client = clientOf(workspace)
    const before = await client.balance('cus_ada')
    const intent = await client.createIntent(purchase)
    const { reward } = workspace.simulate.transaction({ intent_id: intent.id })
    await client.settleReward(String(reward?.id))
    expect(await client.balance('cus_ada')).toBe(before + 37)
  }),
)

test(
  '27 statements come in three pages',
  withWorkspace(async ({ workspace }) => {
    const ids = []
    for await (const { statement_id: id } of clientOf(workspace).statements('cus_ada', 'acct_ada'))
      ids.push(id)
    expect(new Set(ids).size).toBe(27)
    expect(workspace).toHaveReceived({ operation: 'listStatements', query: { limit: '10' }, count: 3 })
  }),
)

test(
  'a call that is refused for its rate is made again when the service says so',
  withWorkspace(
    async ({ workspace }) => {
      await clientOf(workspace).createIntent(purchase)
      expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', status: 429, count: 2 })
      expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', status: 200, count: 1 })
    },
    { scenarios: ['rate-limited'] },
  ),
)

test(
  'an intent whose answer is lost is not made twice',
  withWorkspace(async ({ workspace }) => {
    await workspace.scenarios.activate('commit-but-answer-lost')
    await expect(clientOf(workspace).createIntent(purchase)).rejects.toThrow(OutcomeUnknown)
    expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', count: 1 })
  }),
)

test(
  'fields that we do not know are no trouble',
  withWorkspace(async ({ workspace }) => {
    await workspace.scenarios.activate('unknown-fields')
    expect(await clientOf(workspace).createIntent(purchase)).toMatchObject({ status: 'CONFIRMED' })
  }),
)

test.each(['rwd_ada_pending', 'rwd_ada_pending'])(
  'each row of a table has a workspace: %s',
  withWorkspace(async ({ workspace }, id) => {
    expect(await clientOf(workspace).settleReward(id)).toMatchObject({ status: 'AVAILABLE' })
  }),
)

for (const nth of [1, 2, 3]) {
  test.concurrent(
    `over HTTP, the same reward is settled in each of three tests: ${nth}`,
    withWorkspace(async ({ workspace, server }) => {
      const { url } = await server
      const client = new PartnerClient({ baseUrl: url, apiKey: workspace.apiKey })
      expect(await client.settleReward('rwd_ada_pending')).toMatchObject({ status: 'AVAILABLE' })
      expect(workspace).toHaveReceived({ operation: 'updateReward', count: 1 })
    }),
  )
}

const inWinter = withSandbox({
  clock: '2027-01-15T12:00:00Z',
  frozen: true,
  fixtures: { customers: [{ id: 'cus_1' }] },
})

test(
  'a sandbox of our own',
  inWinter(async ({ workspace }) => {
    const { created_at: created } = await clientOf(workspace).createIntent({
      ...purchase,
      customer_id: 'cus_1',
    })
    expect(created).toBe('2027-01-15T12:00:00.000Z')
  }),
)
