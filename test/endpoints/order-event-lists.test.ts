import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeB } from '../helpers/answers.ts'
import { newOrderEvent, startServing } from '../helpers/unlisted.ts'

const path = '/v2/order_events'

const [jacket, socks] = [
  { name: 'Rain jacket', quantity: 1, rate: 6000, rewards_rate: 180 },
  { name: 'Wool socks', quantity: 2, rate: 1200, rewards_rate: 36 },
]

const first = {
  order_event_id: 'ord_ada_1',
  partner_event_id: 'A-1027-1',
  order_id: 'order_ada_1',
  type: 'CAPTURED',
  amount: 8400,
  rewards_amount: 252,
  currency: 'USD',
  network_transaction_id: 'ntx_ada_0001',
  order_lines: [jacket, socks],
}
const second = {
  order_event_id: 'ord_ada_2',
  partner_event_id: 'A-1027-2',
  order_id: 'order_ada_1',
  type: 'REFUNDED',
  amount: 1200,
  rewards_amount: 36,
  currency: 'USD',
  network_transaction_id: 'ntx_ada_0001',
  order_lines: [{ ...socks, quantity: 1 }],
}
const third = {
  order_event_id: 'ord_ada_3',
  partner_event_id: 'A-1044-1',
  order_id: 'order_ada_2',
  type: 'CAPTURED',
  amount: 3150,
  currency: 'USD',
  network_transaction_id: 'ntx_ada_0002',
}
const fourth = {
  order_event_id: 'ord_ada_4',
  order_id: 'order_ada_2',
  type: 'REFUNDED',
  amount: 150,
  network_transaction_id: 'ntx_ada_0002',
}

describe('listing order events', () => {
  test.each<[string, object[]]>([
    ['', [first, second, third, fourth]],
    ['?order_event_id=ord_ada_2', [second]],
    ['?partner_event_id=A-1044-1', [third]],
    ['?order_id=order_ada_2', [third, fourth]],
    ['?network_transaction_id=ntx_ada_0001', [first, second]],
    ['?order_id=order_ada_1&network_transaction_id=ntx_ada_0002', []],
    ['?order_event_id=ord_hana_1', []],
    ['?partner_event_id=H-1-1', []],
    ['?order_id=order_hana_1', []],
    ['?order_event_id=ord_nobody', []],
  ])('%s -> 200 and the events of the product that match', async (query, data) => {
    const { call } = await startServing()
    const answer = await call('GET', path + query)
    expect([answer.status, answer.json]).toEqual([200, { data, has_more: false, total: data.length }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('pages -> limit and starting_after', async () => {
    const { call } = await startServing()
    const page = await call('GET', `${path}?limit=2&starting_after=ord_ada_1`)
    expect(page.json).toEqual({ data: [second, third], has_more: true, total: 4 })
    const last = await call('GET', `${path}?order_id=order_ada_2&starting_after=ord_ada_3`)
    expect(last.json).toEqual({ data: [fourth], has_more: false, total: 2 })
  })

  test.each([
    ['limit=0', 'limit: must be an integer of at least 1'],
    ['starting_after=ord_hana_1', 'starting_after: must be the id of a listed order event'],
    [
      'order_id=order_ada_1&starting_after=ord_ada_3',
      'starting_after: must be the id of a listed order event',
    ],
  ])('%s -> 400 of shape A', async (query, detail) => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}?${query}`)
    expect([answer.status, answer.json]).toEqual([400, invalid(path, detail)])
    expect(answer.assumptions).toContain('unlisted_operations')
  })
})

describe('creating an order event', () => {
  test.each<[string, object]>([
    ['the required fields', newOrderEvent],
    [
      'every field',
      {
        ...newOrderEvent,
        type: 'REFUNDED',
        partner_event_id: 'A-2000-1',
        amount: 8400,
        rewards_amount: 252,
        currency: 'USD',
        order_lines: [jacket, socks],
      },
    ],
    ['an amount that differs from that of the order', { ...newOrderEvent, amount: 1_000_000 }],
    ['the partner_event_id of another event', { ...newOrderEvent, partner_event_id: 'A-1027-1' }],
  ])('%s -> 200 and all of it, with an id; it is listed', async (_, json) => {
    const { call, state } = await startServing()
    const answer = await call('POST', path, { json })
    const { order_event_id: id } = answer.json
    expect(id).toMatch(/^ord_\w+$/)
    expect([answer.status, answer.json]).toEqual([200, { order_event_id: id, ...json }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    expect(state.get('order_events', id)).toEqual({ id, customer_id: 'cus_ada', ...json })
    const listed = await call('GET', `${path}?order_event_id=${id}`)
    expect(listed.json.data).toEqual([answer.json])
  })

  test('an id in the body -> ignored, also that of another event', async () => {
    const { call, state } = await startServing()
    const before = state.get('order_events', 'ord_ada_1')
    const answer = await call('POST', path, { json: { ...newOrderEvent, order_event_id: 'ord_ada_1' } })
    expect([answer.status, answer.json.order_event_id === 'ord_ada_1']).toEqual([200, false])
    expect(state.get('order_events', 'ord_ada_1')).toEqual(before)
  })

  const withLines = { ...newOrderEvent, amount: 8400, order_lines: [jacket, socks] }

  test.each<[string, object, string[]]>([
    [
      'no field',
      {},
      [
        'order_id: is required',
        'type: is required',
        'amount: is required',
        'network_transaction_id: is required',
      ],
    ],
    ['an unknown type', { ...newOrderEvent, type: 'VOIDED' }, ['type: must be one of CAPTURED, REFUNDED']],
    ['an amount that is a fraction', { ...newOrderEvent, amount: 0.5 }, ['amount: must be an integer']],
    [
      'an amount that is not the sum',
      { ...withLines, amount: 8401 },
      ['amount: must be 8400, the sum of quantity times rate of order_lines'],
    ],
    [
      'rewards that are not the sum',
      { ...withLines, rewards_amount: 0 },
      ['rewards_amount: must be 252, the sum of quantity times rewards_rate of order_lines'],
    ],
    [
      'a line without a rate',
      { ...withLines, order_lines: [{ name: 'a', quantity: 1, rewards_rate: 1 }] },
      ['order_lines[0].rate: is required'],
    ],
  ])('%s -> 400 of shape A, and nothing is changed', async (_, json, details) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call('POST', path, { json })
    expect([answer.status, answer.json]).toEqual([400, invalid(path, ...details)])
    expect(answer.assumptions).toContain('unlisted_operations')
    expect(state.document()).toEqual(before)
  })

  test.each(['order_nobody', 'order_hana_1', 'ord_ada_1'])(
    'of the order %s, which is unknown here -> 400 B, and nothing is changed',
    async (order_id) => {
      const { call, state } = await startServing()
      const before = state.document()
      const answer = await call('POST', path, { json: { ...newOrderEvent, order_id } })
      expect([answer.status, answer.json]).toEqual([
        400,
        shapeB('BAD_REQUEST_ERROR', 'No order has this order_id.'),
      ])
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
      expect(state.document()).toEqual(before)
    },
  )
})
