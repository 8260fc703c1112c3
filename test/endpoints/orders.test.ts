import { describe, expect, test } from 'vitest'
import { bareHeaders, headersOf, invalid, jsonHeaders, shapeB, shapeC } from '../helpers/answers.ts'
import { newOrder, startServing } from '../helpers/unlisted.ts'

const path = '/v2/orders'
const one = `${path}/order_ada_1`
const idsOf = ({ data }: { data: { id: string }[] }): string[] => data.map(({ id }) => id)

const lines = [
  { name: 'Rain jacket', quantity: 1, rate: 6000, rewards_rate: 180 },
  { name: 'Wool socks', quantity: 2, rate: 1200, rewards_rate: 36 },
]

const firstOrder = {
  id: 'order_ada_1',
  customer_id: 'cus_ada',
  payment_method_id: 'pm_ada_card',
  partner_order_id: 'A-1027',
  merchant_id: 'merchant_0042',
  merchant_name: 'Corner Bistro',
  order_lines: lines,
  total_order_amount: 8400,
  total_rewards_amount: 252,
  currency: 'USD',
  created_at: '2026-10-20T18:00:00.000Z',
}

const secondOrder = {
  id: 'order_ada_2',
  customer_id: 'cus_ada',
  payment_method_id: 'pm_ada_card',
  partner_order_id: 'A-1044',
  total_order_amount: 3150,
  currency: 'USD',
  created_at: '2026-10-30T09:00:00.000Z',
  updated_at: '2026-10-31T09:00:00.000Z',
}

const wholeOrder = {
  customer_id: 'cus_ada',
  payment_method_id: 'pm_ada_secured',
  partner_order_id: 'A-2001',
  merchant_id: 'mer_1',
  merchant_name: 'Outdoor Corner',
  merchant_address: [{ city: 'Seattle', country: 'USA' }],
  order_lines: [...lines, { ...lines[0], product_url: 'https://shop.example.com/1' }],
  total_order_amount: 14_400,
  total_rewards_amount: 432,
  currency: 'USD',
}

const unknownMethod = shapeC(
  'PAYMENT_METHOD_NOT_FOUND_ERROR',
  'payment_method_id',
  'No payment method has this payment_method_id.',
)
const unknownOrder = shapeB('BAD_REQUEST_ERROR', 'No order has this order_id.')

describe('listing orders', () => {
  test.each([
    ['', [secondOrder, firstOrder]],
    ['?id=order_ada_1', [firstOrder]],
    ['?partner_order_id=A-1044', [secondOrder]],
    ['?id=order_ada_1&partner_order_id=A-1044', []],
    ['?id=order_nobody', []],
    ['?id=order_hana_1', []],
    ['?partner_order_id=H-1', []],
    ['?partner_order_id=a-1027', []],
  ])('%s -> 200 and the orders of the product that match, newest first', async (query, data) => {
    const { call } = await startServing()
    const answer = await call('GET', path + query)
    expect([answer.status, answer.json]).toEqual([200, { data }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })
})

describe('creating an order', () => {
  test.each([
    ['the required fields', newOrder],
    ['every field', wholeOrder],
    [
      'no lines and rewards',
      { ...newOrder, order_lines: [], total_order_amount: 0, total_rewards_amount: 0 },
    ],
  ])('%s -> 200 and all of it, with an id, an owner and the time; it is listed', async (_, json) => {
    const { call, state } = await startServing()
    const answer = await call('POST', path, { json })
    const { id } = answer.json
    expect(id).toMatch(/^order_\w+$/)
    const created = { ...json, id, customer_id: 'cus_ada', created_at: '2026-11-21T12:00:00.000Z' }
    expect([answer.status, answer.json]).toEqual([200, created])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    expect(state.get('orders', id)).toEqual(created)
    expect(idsOf((await call('GET', path)).json)).toEqual([id, 'order_ada_2', 'order_ada_1'])
  })

  test('an id in the body -> ignored, also that of another order', async () => {
    const { call, state } = await startServing()
    const answer = await call('POST', path, { json: { ...newOrder, id: 'order_ada_1' } })
    expect(answer.json.id).not.toBe('order_ada_1')
    expect(state.get('orders', 'order_ada_1')).toEqual(firstOrder)
  })

  test('the partner_order_id of another order -> a second order', async () => {
    const { call } = await startServing()
    const { json } = await call('POST', path, { json: { ...newOrder, partner_order_id: 'A-1027' } })
    const listed = await call('GET', `${path}?partner_order_id=A-1027`)
    expect(idsOf(listed.json)).toEqual([json.id, 'order_ada_1'])
  })
})

describe('replacing an order', () => {
  test('a whole order -> 200: its fields replace all others, created_at stays', async () => {
    const { call, state } = await startServing()
    const answer = await call('PUT', one, { json: newOrder })
    const replaced = {
      id: 'order_ada_1',
      ...newOrder,
      customer_id: 'cus_ada',
      created_at: '2026-10-20T18:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
    }
    expect([answer.status, answer.json]).toEqual([200, replaced])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    expect(state.get('orders', 'order_ada_1')).toEqual(replaced)
  })

  test('a payment method of another customer of the product -> the order belongs to them', async () => {
    const { call } = await startServing()
    const json = { ...newOrder, payment_method_id: 'pm_carla_card' }
    expect((await call('PUT', one, { json })).json.customer_id).toBe('cus_carla')
  })

  test.each(['order_nobody', 'order_hana_1', 'ORDER_ADA_1'])('%s -> 400 B', async (id) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call('PUT', `${path}/${id}`, { json: newOrder })
    expect([answer.status, answer.json]).toEqual([400, unknownOrder])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    expect(state.document()).toEqual(before)
  })
})

describe('an order in a body', () => {
  const sum = (total: string, value: number, rate: string): string =>
    `${total}: must be ${value}, the sum of quantity times ${rate} of order_lines`
  const withLines = { ...newOrder, order_lines: lines, total_order_amount: 8400 }
  const [line] = lines

  const violations: [string, object, string[]][] = [
    [
      'no field',
      {},
      ['payment_method_id: is required', 'partner_order_id: is required', 'total_order_amount: is required'],
    ],
    [
      'a total that is not the sum',
      { ...withLines, total_order_amount: 8399 },
      [sum('total_order_amount', 8400, 'rate')],
    ],
    [
      'rewards that are not the sum',
      { ...withLines, total_rewards_amount: 251 },
      [sum('total_rewards_amount', 252, 'rewards_rate')],
    ],
    [
      'both',
      { ...withLines, total_order_amount: 1, total_rewards_amount: 1 },
      [sum('total_order_amount', 8400, 'rate'), sum('total_rewards_amount', 252, 'rewards_rate')],
    ],
    ['a total of no lines', { ...newOrder, order_lines: [] }, [sum('total_order_amount', 0, 'rate')]],
    [
      'a line of none',
      { ...withLines, order_lines: [{ ...line, quantity: 0 }] },
      ['order_lines[0].quantity: must be at least 1'],
    ],
    [
      'a line without fields',
      { ...withLines, order_lines: [{}] },
      [
        'order_lines[0].name: is required',
        'order_lines[0].quantity: is required',
        'order_lines[0].rate: is required',
        'order_lines[0].rewards_rate: is required',
      ],
    ],
    [
      'a total that is a fraction',
      { ...newOrder, total_order_amount: 1.5 },
      ['total_order_amount: must be an integer'],
    ],
    [
      'a total that is a text',
      { ...withLines, total_order_amount: '8400' },
      ['total_order_amount: must be an integer'],
    ],
    ['lines that are no list', { ...newOrder, order_lines: {} }, ['order_lines: must be an array']],
    [
      'a customer who does not have the payment method',
      { ...newOrder, customer_id: 'cus_ben' },
      ['customer_id: must be the customer of the payment method'],
    ],
    [
      'a customer of the other product',
      { ...newOrder, customer_id: 'cus_hana' },
      ['customer_id: must be the customer of the payment method'],
    ],
  ]

  test.each(
    violations.flatMap(([title, json, details]) =>
      (
        [
          ['POST', path],
          ['PUT', one],
        ] as const
      ).map(([method, called]) => [title, method, called, json, details] as const),
    ),
  )('%s, %s %s -> 400 of shape A, and nothing is changed', async (_, method, called, json, details) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call(method, called, { json })
    expect([answer.status, answer.json]).toEqual([400, invalid(called, ...details)])
    expect(answer.assumptions).toContain('unlisted_operations')
    expect(state.document()).toEqual(before)
  })

  test.each([
    ['POST', path, 'pm_nobody'],
    ['POST', path, 'pm_hana_card'],
    ['PUT', one, 'pm_nobody'],
    ['PUT', one, 'pm_hana_card'],
  ])('%s %s of %s -> 404 C, and nothing is changed', async (method, called, payment_method_id) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call(method, called, { json: { ...newOrder, payment_method_id } })
    expect([answer.status, answer.json]).toEqual([404, unknownMethod])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
    )
    expect(state.document()).toEqual(before)
  })

  test('nulls in lines and addresses -> as if they were absent, and the sum still holds', async () => {
    const { call } = await startServing()
    const [first, ...rest] = lines
    const order_lines = [{ ...first, product_url: null }, ...rest]
    const json = { ...withLines, order_lines, merchant_address: [{ city: 'Seattle', state: null }] }
    const answer = await call('POST', path, { json })
    expect([answer.status, answer.json.order_lines, answer.json.merchant_address]).toEqual([
      200,
      lines,
      [{ city: 'Seattle' }],
    ])
    const wrong = await call('POST', path, { json: { ...json, total_order_amount: 1 } })
    expect([wrong.status, wrong.json]).toEqual([400, invalid(path, sum('total_order_amount', 8400, 'rate'))])
  })

  test('null_request_fields=refuse -> a null in a line is refused', async () => {
    const { call } = await startServing({ assume: { null_request_fields: 'refuse' } })
    const order_lines = [{ ...line, product_url: null }]
    const answer = await call('POST', path, { json: { ...newOrder, total_order_amount: 6000, order_lines } })
    expect([answer.status, answer.json.details]).toEqual([
      400,
      ['order_lines[0].product_url: must be a string'],
    ])
    expect(answer.assumptions).toEqual(['unlisted_operations', 'null_request_fields'])
  })

  test('a total of null, which is as if it were absent -> 200', async () => {
    const { call } = await startServing()
    const answer = await call('POST', path, { json: { ...withLines, total_rewards_amount: null } })
    expect([answer.status, answer.json.total_rewards_amount]).toEqual([200, undefined])
  })

  test('a sum beyond the exact integers -> 400 with every digit of it', async () => {
    const { call } = await startServing()
    const most = Number.MAX_SAFE_INTEGER
    const order_lines = [
      { name: 'a', quantity: 1, rate: most, rewards_rate: 0 },
      { name: 'b', quantity: 3, rate: most, rewards_rate: 0 },
    ]
    const answer = await call('POST', path, { json: { ...newOrder, order_lines, total_order_amount: most } })
    const exact = String(4n * BigInt(most))
    expect([answer.status, answer.json.details]).toEqual([
      400,
      [`total_order_amount: must be ${exact}, the sum of quantity times rate of order_lines`],
    ])
  })

  test('products beyond the exact integers that add up to an exact total -> 200', async () => {
    const { call } = await startServing()
    const rate = 3_002_399_751_580_331
    const order_lines = [
      { name: 'bought', quantity: 5, rate, rewards_rate: 0 },
      { name: 'returned', quantity: 5, rate: -rate + 1, rewards_rate: 0 },
    ]
    const json = { ...newOrder, order_lines, total_order_amount: 5 }
    expect((await call('POST', path, { json })).status).toBe(200)
  })
})

describe('deleting an order', () => {
  test('an order -> 204 without a body; it is gone, and its events stay', async () => {
    const { call, state } = await startServing()
    const answer = await call('DELETE', one)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(headersOf(answer)).toEqual(bareHeaders('req_default_1', ['unlisted_operations']))
    expect(state.get('orders', 'order_ada_1')).toBeUndefined()
    expect(idsOf((await call('GET', path)).json)).toEqual(['order_ada_2'])
    const events = await call('GET', '/v2/order_events?order_id=order_ada_1')
    expect(events.json.total).toBe(2)
  })

  test.each(['order_nobody', 'order_hana_1', '__proto__'])(
    '%s -> 400 B, and nothing is changed',
    async (id) => {
      const { call, state } = await startServing()
      const before = state.document()
      const answer = await call('DELETE', `${path}/${id}`)
      expect([answer.status, answer.json]).toEqual([400, unknownOrder])
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
      expect(state.document()).toEqual(before)
    },
  )

  test('twice -> the second is refused', async () => {
    const { call } = await startServing()
    const answers = await Promise.all([call('DELETE', one), call('DELETE', one)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400])
  })
})
