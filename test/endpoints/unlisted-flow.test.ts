import { expect, test } from 'vitest'
import { fullKey } from '../helpers/sandbox.ts'
import { startServing } from '../helpers/unlisted.ts'

test('a partner links a customer, confirms an intent, keeps an order and rotates its key', async () => {
  const { call, clock, state } = await startServing()
  const bank = { type: 'BANK_ACCOUNT', customer_id: 'cus_ben', status: 'ACTIVE' } as const
  state.put('payment_methods', 'pm_ben_bank', bank)

  const ben = await call('GET', '/v2/customers/cus_ben')
  expect([ben.status, ben.json.partner_customer_id]).toEqual([200, undefined])
  const link = await call('POST', '/v2/customers/cus_ben/link', {
    json: { partner_customer_id: 'partner-ben' },
  })
  expect([link.status, link.json]).toEqual([
    200,
    {
      customer_id: 'cus_ben',
      partner_customer_id: 'partner-ben',
      status: 'ACTIVE',
      created_at: '2026-11-21T12:00:00.000Z',
    },
  ])
  expect((await call('GET', '/v2/customers/cus_ben')).json.partner_customer_id).toBe('partner-ben')
  const found = await call('POST', '/v2/customers', { json: { partner_customer_id: 'partner-ben' } })
  expect(found.json.data.map(({ id }: { id: string }) => id)).toEqual(['cus_ben'])
  expect((await call('GET', '/v2/offers?partner_customer_id=partner-ben')).status).toBe(200)
  const methods = await call('GET', '/v2/customers/cus_ben/payment_methods')
  expect(methods.json.data).toEqual([(await call('GET', '/v2/payment_methods/pm_ben_bank')).json])
  expect(methods.json.data[0]).toMatchObject(bank)

  const intent = await call('POST', '/v2/transaction_intents', {
    json: { customer_id: 'cus_ada', amount: 4599, currency: 'USD', payment_method_id: 'pm_ada_card' },
  })
  expect(intent.status).toBe(200)
  const { id } = intent.json
  clock.advance({ minutes: 5 })
  const confirmed = await call('POST', `/v2/transaction_intents/${id}`, {
    json: { customer_id: 'cus_ada', amount: 4199, status: 'CONFIRMED', partner_transaction_id: 'A-3000' },
  })
  expect([confirmed.status, confirmed.json]).toEqual([
    200,
    {
      ...intent.json,
      amount: 4199,
      status: 'CONFIRMED',
      partner_transaction_id: 'A-3000',
      updated_at: '2026-11-21T12:05:00.000Z',
    },
  ])
  const intents = await call('GET', '/v2/customers/cus_ada/transaction_intents')
  expect(intents.json.data[0]).toEqual(confirmed.json)

  const order = await call('POST', '/v2/orders', {
    json: {
      payment_method_id: 'pm_ada_card',
      partner_order_id: 'A-3000',
      order_lines: [{ name: 'Tent', quantity: 1, rate: 4199, rewards_rate: 126 }],
      total_order_amount: 4199,
      total_rewards_amount: 126,
      currency: 'USD',
    },
  })
  expect(order.status).toBe(200)
  const event = { order_id: order.json.id, network_transaction_id: 'ntx_3000' }
  const events = []
  for (const json of [
    { ...event, type: 'CAPTURED', amount: 4199 },
    { ...event, type: 'REFUNDED', amount: 199 },
  ]) {
    events.push((await call('POST', '/v2/order_events', { json })).json)
  }
  const ofOrder = `/v2/order_events?order_id=${order.json.id}`
  const listed = await call('GET', ofOrder)
  expect([listed.json.total, new Set(listed.json.data)]).toEqual([2, new Set(events)])
  const [captured, refunded] = events
  expect((await call('DELETE', `/v2/order_events/${refunded.order_event_id}`)).status).toBe(204)
  expect((await call('GET', ofOrder)).json).toEqual({ data: [captured], has_more: false, total: 1 })

  const created = await call('POST', '/v2/keys')
  const next = { key: created.json.key as string }
  expect((await call('DELETE', '/v2/keys')).json.key).toBe(fullKey)
  expect((await call('GET', ofOrder)).status).toBe(401)
  expect((await call('GET', ofOrder, next)).json.data).toEqual([captured])
})
