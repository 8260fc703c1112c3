import { expect, it } from 'vitest'
import { storyOf } from '../../src/explain/explain-events.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const purchase = {
  customer_id: 'cus_ada',
  payment_method_id: 'pm_ada_card',
  amount: 5000,
  currency: 'USD',
  merchant_name: 'Corner Bistro',
} as const

it('a call that reads a reward -> the step that made it: the capture, or the refund that takes it back', async () => {
  const sandbox = await startSandbox()
  const { transaction, event: capture, reward: earned } = sandbox.simulate.transaction(purchase)
  const back = sandbox.simulate.transaction({
    transaction_id: transaction.id,
    status: 'REFUNDED',
    amount: 1000,
  })
  const readOf = async (id = '') => {
    const { headers } = await sandbox.call('GET', `/v2/rewards/${id}`)
    const { sections = [] } = sandbox.requests.explain(headers.get('x-sandbox-request-id') ?? '') ?? {}
    return sections.flatMap(({ facts }) => facts).find(({ value }) => value === `rewards ${id}`)
  }
  expect(await readOf(earned?.id)).toEqual({
    name: 'read',
    value: `rewards ${earned?.id}`,
    note: `found, status PENDING, created by step ${capture?.id}, CAPTURED 5000 of transaction ${transaction.id}`,
  })
  expect(await readOf(back.reward?.id)).toEqual({
    name: 'read',
    value: `rewards ${back.reward?.id}`,
    note: `found, status PENDING_DEDUCTION, created by step ${back.event?.id}, REFUNDED 1000 of transaction ${transaction.id}`,
  })
})

it('a reward whose step is not in the state -> only that it was found', async () => {
  const sandbox = await startSandbox()
  const { headers } = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
  const { sections = [] } = sandbox.requests.explain(headers.get('x-sandbox-request-id') ?? '') ?? {}
  expect(sections.find(({ about }) => about === 'rows')?.facts[0]?.note).toBe('found, status PENDING')
})

it('an event -> the step that made it; none for an event of no step', async () => {
  const sandbox = await startSandbox({ webhooks: 'standard' })
  const { event } = sandbox.simulate.transaction(purchase)
  sandbox.simulate.account({ id: 'acct_ada', status: 'CLOSED' })
  const stories = sandbox.events
    .list()
    .toReversed()
    .map((one) => [one.type, storyOf({ ...one, deliveries: [] })])
  expect(stories).toEqual([
    ['transaction.captured', `Step ${event?.id} created it.`],
    ['reward.created', `Its reward was created by step ${event?.id}.`],
    ['account.closed', ''],
  ])
})
