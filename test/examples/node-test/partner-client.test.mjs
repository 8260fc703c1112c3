// @ts-check
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertNoUnmatchedRequests,
  assertReceived,
  assertReceivedInOrder,
  withSandbox,
  withWorkspace,
} from 'partner-rewards-sandbox/node-test'
import { OutcomeUnknown, PartnerClient } from '../partner-client/client.mjs'

const purchase = { customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' }

/**
 * Our client, in the workspace of its test. Waiting moves the clock of the workspace, and takes no time.
 * @param {import('partner-rewards-sandbox').SandboxWorkspace} workspace
 */
function clientOf(workspace) {
  return new PartnerClient({
    apiKey: workspace.apiKey,
    fetch: workspace.fetch,
    wait: async (milliseconds) => workspace.clock.advance({ seconds: milliseconds / 1000 }),
  })
}

test(
  'a linked customer is found by our identifier',
  withWorkspace(async ({ workspace }) => {
    const client = clientOf(workspace)
    await client.linkCustomer('cus_ben', 'shop-17')
    assert.equal((await client.findCustomer('shop-17'))?.id, 'cus_ben')
    assertReceivedInOrder(workspace, [{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
    assertNoUnmatchedRequests(workspace)
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
    assert.equal(await client.balance('cus_ada'), before + 37)
  }),
)

test(
  '27 statements come in three pages',
  withWorkspace(async ({ workspace }) => {
    const ids = new Set()
    for await (const { statement_id: id } of clientOf(workspace).statements('cus_ada', 'acct_ada'))
      ids.add(id)
    assert.equal(ids.size, 27)
    assertReceived(workspace, { operation: 'listStatements', query: { limit: '10' }, count: 3 })
  }),
)

test(
  'a call that is refused for its rate is made again when the service says so',
  withWorkspace(
    async ({ workspace }) => {
      await clientOf(workspace).createIntent(purchase)
      assertReceived(workspace, { operation: 'createTransactionIntent', status: 429, count: 2 })
      assertReceived(workspace, { operation: 'createTransactionIntent', status: 200, count: 1 })
    },
    { scenarios: ['rate-limited'] },
  ),
)

test(
  'an intent whose answer is lost is not made twice',
  withWorkspace(async ({ workspace }) => {
    await workspace.scenarios.activate('commit-but-answer-lost')
    await assert.rejects(clientOf(workspace).createIntent(purchase), OutcomeUnknown)
    assertReceived(workspace, { operation: 'createTransactionIntent', count: 1 })
  }),
)

test(
  'fields that we do not know are no trouble',
  withWorkspace(async ({ workspace }) => {
    await workspace.scenarios.activate('unknown-fields')
    assert.equal((await clientOf(workspace).createIntent(purchase)).status, 'CONFIRMED')
  }),
)

describe('the same reward is settled in each of three tests', { concurrency: true }, () => {
  for (const nth of [1, 2, 3]) {
    test(
      `over HTTP: ${nth}`,
      withWorkspace(async ({ workspace, server }) => {
        const { url } = await server
        const client = new PartnerClient({ baseUrl: url, apiKey: workspace.apiKey })
        assert.equal((await client.settleReward('rwd_ada_pending')).status, 'AVAILABLE')
        assertReceived(workspace, { operation: 'updateReward', count: 1 })
      }),
    )
  }
})

const inWinter = withSandbox({
  clock: '2027-01-15T12:00:00Z',
  frozen: true,
  fixtures: { customers: [{ id: 'cus_1' }] },
})

test(
  'a sandbox of our own',
  inWinter(async ({ workspace }) => {
    const intent = await clientOf(workspace).createIntent({ ...purchase, customer_id: 'cus_1' })
    assert.equal(intent.created_at, '2027-01-15T12:00:00.000Z')
  }),
)
