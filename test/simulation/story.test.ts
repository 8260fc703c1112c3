import { expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { startSandbox, type Answered } from '../helpers/sandbox.ts'

async function simulate(
  sandbox: Sandbox,
  what: 'transaction' | 'statement',
  body: object,
): Promise<Pick<Answered, 'status' | 'json'>> {
  const response = await sandbox.fetch(`/_sandbox/simulate/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: await response.json() }
}

/** The steps of a partner's test, over HTTP alone. */
it('from an announced purchase to the statement that it stands on, and the one on which it is paid', async () => {
  const sandbox = await startSandbox()
  const { call } = sandbox
  const balance = async () => (await call('GET', '/v2/customers/cus_ada/rewards_balance')).json.reward_balance
  const statements = async () =>
    (await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=2')).json.data
  const opening = await balance()
  const [newest] = await statements()

  const announced = await call('POST', '/v2/transaction_intents', {
    json: {
      customer_id: 'cus_ada',
      payment_method_id: 'pm_ada_card',
      amount: 12_345,
      currency: 'USD',
      merchant_name: 'Skyline Air',
      expected_date: '2026-11-22',
      metadata: { order: 'A-1' },
    },
  })

  // The network reports it a day later, without knowing of intents.
  sandbox.clock.advance({ days: 1 })
  const arrived = await simulate(sandbox, 'transaction', {
    customer_id: 'cus_ada',
    payment_method_id: 'pm_ada_card',
    amount: 12_345,
    currency: 'USD',
    merchant_name: 'Skyline Air',
  })
  expect(arrived.status).toBe(201)
  const { transaction, event, intent, reward } = arrived.json
  expect(intent).toEqual(announced.json)
  expect((await call('GET', `/v2/transaction_intents/${intent.id}`)).json).toEqual(announced.json)
  expect([transaction.intent_id, transaction.account_id]).toEqual([intent.id, 'acct_ada'])

  // Two points for each dollar of travel, not counted before it is settled.
  expect((await call('GET', `/v2/rewards/${reward.id}`)).json).toEqual(reward)
  expect([reward.amount, reward.status, reward.transaction_event_id]).toEqual([246, 'PENDING', event.id])
  expect(await balance()).toBe(opening)
  const settled = await call('PATCH', `/v2/rewards/${reward.id}`, { json: { status: 'AVAILABLE' } })
  expect([settled.status, settled.json.status]).toEqual([200, 'AVAILABLE'])
  expect(await balance()).toBe(opening + 246)

  const closed = await simulate(sandbox, 'statement', { account_id: 'acct_ada' })
  expect(closed).toEqual({
    status: 201,
    json: {
      statement: {
        statement_id: expect.stringMatching(/^stm_/),
        customer_id: 'cus_ada',
        account_id: 'acct_ada',
        period_start_date: '2026-11-01T00:00:00.000Z',
        period_end_date: '2026-11-22T12:00:00.000Z',
        due_date: '2026-12-17T12:00:00.000Z',
        currency: 'USD',
        statement_balance: newest.statement_balance + 12_345,
        minimum_due: 2500,
        previous_balance: newest.statement_balance,
        purchases: 12_345,
        payments: 0,
        credits: 0,
        refunds: 0,
        interest: 0,
        fees: 0,
      },
    },
  })
  const { statement } = closed.json
  const listed = await statements()
  expect(listed).toEqual([
    { ...statement, as_of: '2026-11-22T12:00:00.000Z', pdf_url: expect.any(String) },
    { ...newest, as_of: '2026-11-22T12:00:00.000Z', pdf_url: expect.any(String) },
  ])
  const document = await sandbox.fetch(listed[0].pdf_url)
  expect([document.status, document.headers.get('content-type')]).toEqual([200, 'application/pdf'])

  // A part is sent back, the rest paid; the next statement owes nothing.
  sandbox.clock.advance({ days: 20 })
  const from = { customer_id: 'cus_ada', currency: 'USD' }
  const refund = await simulate(sandbox, 'transaction', {
    transaction_id: transaction.id,
    status: 'REFUNDED',
    amount: 2345,
  })
  const payment = await simulate(sandbox, 'transaction', {
    ...from,
    payment_method_id: 'pm_ada_bank',
    amount: 2345 - statement.statement_balance,
    merchant_name: 'Payment, thank you',
  })
  expect([payment.json.event, payment.json.reward]).toEqual([null, null])
  // Two points for each dollar are taken back, once the refund is settled.
  const { reward: deduction } = refund.json
  expect([deduction.amount, deduction.status, deduction.transaction_event_id]).toEqual([
    46,
    'PENDING_DEDUCTION',
    refund.json.event.id,
  ])
  expect(await balance()).toBe(opening + 246)
  await simulate(sandbox, 'statement', { account_id: 'acct_ada' })
  const [last] = await statements()
  expect(last).toMatchObject({
    period_start_date: '2026-11-22T12:00:01.000Z',
    previous_balance: statement.statement_balance,
    purchases: 0,
    refunds: -2345,
    payments: 2345 - statement.statement_balance,
    statement_balance: 0,
    minimum_due: 0,
  })
  expect((await call('GET', `/v2/rewards/${deduction.id}`)).json.status).toBe('DEDUCTED')
  expect(await balance()).toBe(opening + 246 - 46)
})

it('the same story in the library', async () => {
  const sandbox = await startSandbox()
  const w1 = sandbox.workspace('w1')
  const { reward, transaction, event } = w1.simulate.transaction({
    intent_id: 'int_ada_1',
    status: 'APPROVED',
  })
  expect([reward, event?.status]).toEqual([null, 'APPROVED'])
  const captured = w1.simulate.transaction({ transaction_id: transaction.id })
  expect(captured.reward?.amount).toBe(252)
  const settled = await w1.fetch(`/v2/rewards/${captured.reward?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'AVAILABLE' }),
  })
  expect(settled.status).toBe(200)
  const { statement } = w1.simulate.statement({ account_id: 'acct_ada' })
  expect(statement.purchases).toBe(8400)
  const stepOf = (id = '') => w1.state.get('transaction_events', id)
  expect([stepOf(event?.id), stepOf(captured.event?.id)]).toStrictEqual([
    event,
    { ...captured.event, statement_id: statement.statement_id },
  ])
  const refund = w1.simulate.transaction({ transaction_id: transaction.id, status: 'REFUNDED' })
  expect(refund.reward).toMatchObject({ amount: 252, status: 'PENDING_DEDUCTION' })
  const { rewards } = w1.simulate.reward({ customer_id: 'cus_ada', reward_type: 'STATEMENT' })
  expect(rewards.find(({ id }) => id === refund.reward?.id)?.status).toBe('DEDUCTED')
  expect(sandbox.state.size('transactions')).toBe(0)
})
