import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { startServing } from '../helpers/unlisted.ts'

const of = (id: string, list: string): string => `/v2/customers/${id}/${list}`
const idsOf = ({ data }: { data: { id: string }[] }): string[] => data.map(({ id }) => id)

const transactions = [
  {
    id: 'txn_ada_2',
    customer_id: 'cus_ada',
    amount: 150,
    currency: 'USD',
    status: 'REFUNDED',
    network_transaction_id: 'ntx_txn_ada_2',
    created_at: '2026-10-31T06:00:00.000Z',
    merchant: { name: 'Wool & Co.' },
  },
  {
    id: 'txn_ada_1',
    customer_id: 'cus_ada',
    payment_method_id: 'pm_ada_card',
    amount: 8400,
    currency: 'USD',
    status: 'CAPTURED',
    network_transaction_id: 'ntx_ada_0001',
    created_at: '2026-10-21T06:00:00.000Z',
    intent_id: 'int_ada_1',
    merchant: { name: 'Corner Bistro', category_code: '5812' },
  },
]

const newestRewards = [
  'rwd_ada_referral',
  'rwd_ada_pending_deduction',
  'rwd_ada_pending',
  'rwd_ada_available',
  'rwd_ada_offer',
  'rwd_ada_deducted',
  'rwd_ada_one_time',
]

describe('lists of what belongs to a customer', () => {
  test('accounts -> 200 and each with its currency', async () => {
    const { call } = await startServing()
    const answer = await call('GET', of('cus_ada', 'accounts'))
    expect([answer.status, answer.json]).toEqual([
      200,
      { data: [{ id: 'acct_ada', customer_id: 'cus_ada', currency: 'USD' }] },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('payment methods -> 200 and each of them, of every status, newest first', async () => {
    const { call } = await startServing()
    const answer = await call('GET', of('cus_ada', 'payment_methods'))
    const ids = ['virtual', 'loan', 'secured', 'bank', 'card', 'old'].map((name) => `pm_ada_${name}`)
    const each = await Promise.all(
      ids.map(async (id) => (await call('GET', `/v2/payment_methods/${id}`)).json),
    )
    expect([answer.status, answer.json]).toEqual([200, { data: each }])
    expect(each[4].card.pci_details.pan).toBe('4242424242424242')
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', [
        'unlisted_operations',
        'payment_method_fields',
        'payment_methods_order',
        'payment_methods_listed',
      ]),
    )
  })

  test.each([of('cus_ada', 'payment_methods'), '/v2/payment_methods?customer_id=cus_ada'])(
    '%s under the assumptions of the list of the contract -> as that list',
    async (path) => {
      const { call } = await startServing({
        assume: { payment_methods_order: 'oldest_first', payment_methods_listed: 'active_only' },
      })
      const listed = await call('POST', '/v2/payment_methods', { json: { customer_id: 'cus_ada' } })
      expect(listed.json.data).toHaveLength(4)
      expect((await call('GET', path)).json.data).toEqual(listed.json.data)
    },
  )

  test('payment methods that all have metadata -> the assumption about fields is not named', async () => {
    const { call, state } = await startServing()
    state.patch('payment_methods', 'pm_carla_card', { metadata: {} })
    const answer = await call('GET', of('cus_carla', 'payment_methods'))
    expect(answer.assumptions).toEqual(['unlisted_operations'])
  })

  test('transaction intents -> 200 and each of them, newest first', async () => {
    const { call } = await startServing()
    const answer = await call('GET', of('cus_ada', 'transaction_intents'))
    const each = await Promise.all(
      ['int_ada_1', 'int_ada_2'].map(async (id) => (await call('GET', `/v2/transaction_intents/${id}`)).json),
    )
    expect([answer.status, answer.json]).toEqual([200, { data: each }])
    expect(each[0].partner_transaction_id).toBe('partner-tx-1001')
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('transactions -> 200 and a page of them, newest first', async () => {
    const { call } = await startServing()
    const answer = await call('GET', of('cus_ada', 'transactions'))
    expect([answer.status, answer.json]).toEqual([200, { data: transactions, has_more: false, total: 2 }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('rewards -> 200 and a page of them, the last changed first', async () => {
    const { call, state } = await startServing()
    const answer = await call('GET', of('cus_ada', 'rewards'))
    expect([answer.status, answer.json]).toEqual([
      200,
      { data: newestRewards.map((id) => state.get('rewards', id)), has_more: false, total: 7 },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('a reward that is updated -> it is the first of the list', async () => {
    const { call } = await startServing()
    await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { amount: 1 } })
    expect(idsOf((await call('GET', of('cus_ada', 'rewards'))).json)[0]).toBe('rwd_ada_pending')
  })

  test.each([
    ['accounts', { data: [] }],
    ['payment_methods', { data: [] }],
    ['transaction_intents', { data: [] }],
    ['transactions', { data: [], has_more: false, total: 0 }],
    ['rewards', { data: [], has_more: false, total: 0 }],
  ])('%s of a customer who has none -> 200 and an empty list', async (list, body) => {
    const { call } = await startServing()
    const answer = await call('GET', of('cus_ben', list))
    expect([answer.status, answer.json]).toEqual([200, body])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  const lists = ['accounts', 'payment_methods', 'transaction_intents', 'transactions', 'rewards']

  test.each(
    lists.flatMap((list) => ['cus_nobody', 'cus_hana', 'CUS_ADA', 'constructor'].map((id) => [list, id])),
  )('%s of %s, who is unknown here -> 404 C, the same bytes for all', async (list, id) => {
    const { call } = await startServing()
    const answer = await call('GET', of(id ?? '', list ?? ''))
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeC('CUSTOMER_NOT_FOUND_ERROR', 'customer_id', 'No customer has this customer_id.'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
    )
  })
})

describe('pages of what belongs to a customer', () => {
  test.each([
    ['limit=1', { data: transactions.slice(0, 1), has_more: true, total: 2 }],
    ['limit=2', { data: transactions, has_more: false, total: 2 }],
    ['starting_after=txn_ada_2', { data: transactions.slice(1), has_more: false, total: 2 }],
    ['starting_after=txn_ada_1', { data: [], has_more: false, total: 2 }],
  ])('transactions?%s', async (query, body) => {
    const { call } = await startServing()
    const answer = await call('GET', `${of('cus_ada', 'transactions')}?${query}`)
    expect([answer.status, answer.json]).toEqual([200, body])
  })

  test.each(
    ['transactions', 'rewards'].flatMap((list) =>
      ['0', '-1', '1.5', 'ten', ''].map((limit) => [list, limit]),
    ),
  )('%s?limit=%s -> 400 of shape A', async (list, limit) => {
    const { call } = await startServing()
    const path = of('cus_ada', list ?? '')
    const answer = await call('GET', `${path}?limit=${limit}`)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, 'limit: must be an integer of at least 1'),
    ])
    expect(answer.assumptions).toContain('unlisted_operations')
  })

  test.each([
    ['transactions', 'txn_hana_1'],
    ['transactions', 'txn_nobody'],
    ['rewards', 'rwd_carla_offer'],
    ['rewards', 'txn_ada_1'],
  ])('%s?starting_after=%s, which the list lacks -> 400 of shape A', async (list, id) => {
    const { call } = await startServing()
    const path = of('cus_ada', list)
    const answer = await call('GET', `${path}?starting_after=${id}`)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, `starting_after: must be the id of a listed ${list.replace(/s$/, '')}`),
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations', 'unknown_cursor']))
  })

  test.each([
    ['empty_page', [] as string[], false],
    ['first_page', newestRewards.slice(0, 2), true],
  ])('unknown_cursor=%s', async (value, ids, more) => {
    const { call } = await startServing({ assume: { unknown_cursor: value } })
    const answer = await call('GET', `${of('cus_ada', 'rewards')}?limit=2&starting_after=rwd_nobody`)
    expect([answer.status, idsOf(answer.json), answer.json.has_more, answer.json.total]).toEqual([
      200,
      ids,
      more,
      7,
    ])
  })

  test('default_page_size=3 -> a page of 3 rewards that names it', async () => {
    const { call } = await startServing({ assume: { default_page_size: 3 } })
    const answer = await call('GET', of('cus_ada', 'rewards'))
    expect([idsOf(answer.json), answer.json.has_more]).toEqual([newestRewards.slice(0, 3), true])
    expect(answer.assumptions).toEqual(['unlisted_operations', 'default_page_size'])
  })

  test('a limit above the number of rows -> all rows, without a cap', async () => {
    const { call, state } = await startServing()
    for (let at = 0; at < 120; at++) {
      state.put('transactions', `txn_${at}`, {
        customer_id: 'cus_ben',
        amount: at,
        currency: 'USD',
        merchant_name: 'Corner Bistro',
        status: 'CAPTURED',
        created_at: '2026-10-21T06:00:00.000Z',
      })
    }
    const { json } = await call('GET', `${of('cus_ben', 'transactions')}?limit=1000`)
    expect([json.data.length, json.has_more, json.total]).toEqual([120, false, 120])
  })
})
