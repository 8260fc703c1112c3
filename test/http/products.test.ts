import { describe, expect, test } from 'vitest'
import { fullKey, namedIn, startSandbox, type CallOptions } from '../helpers/sandbox.ts'

const multi = 'sk_sandbox_multi'
const merchant = (key: string): Record<string, string> => ({ 'x-service-merchant-key': key })

const missing = {
  error: {
    type: 'BAD_REQUEST_ERROR',
    message: 'This API key is for several products: select one with the header x-service-merchant-key.',
  },
}
const unknown = {
  error: {
    type: 'BAD_REQUEST_ERROR',
    message: 'The header x-service-merchant-key names no product of this API key.',
  },
}

describe('selecting a product', () => {
  test.each([
    ['case 30', 'one product, no header', fullKey, {}, 'POINTS'],
    ['case 30', 'one product, named', fullKey, merchant('mk_summit'), 'POINTS'],
    ['case 31', 'several products, the first named', multi, merchant('mk_summit'), 'POINTS'],
    ['case 31', 'several products, the second named', multi, merchant('mk_harbor'), 'USD'],
    ['case 31', 'several products, named with spaces around', multi, merchant('  mk_harbor '), 'USD'],
  ] as const)('%s: %s -> its data', async (_, __, key, headers, currency) => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/rewards/rewards_categories', { key, headers })
    expect(answer.status).toBe(200)
    expect(answer.json.currency).toBe(currency)
    expect(answer.version).toBe('2026-10-13')
    expect(answer.assumptions).toEqual([])
  })

  test('case 30: a key of one product -> all of its rows and none of another', async () => {
    const { call, state } = await startSandbox()
    const rows = state.list('customers') as { id: string; product: string }[]
    const ofSummit = rows.filter(({ product }) => product === 'mk_summit').map(({ id }) => id)
    const { json } = await call('GET', '/v2/customers?limit=100')
    expect(json.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(ofSummit.toSorted())
    expect({ total: json.total, has_more: json.has_more }).toEqual({
      total: ofSummit.length,
      has_more: false,
    })
  })

  test.each([
    ['GET', '/v2/customers', {}],
    ['GET', '/v2/rewards/rewards_categories', {}],
    ['GET', '/v2/rewards/unknown', {}],
    ['POST', '/v2/payment_methods', { json: {} }],
    ['POST', '/v2/keys', {}],
    ['DELETE', '/v2/order_events/ord_ada_1', {}],
  ] as const)('case 31: several products, no header, %s %s -> 400', async (method, path, options) => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const answer = await call(method, path, { key: multi, ...options })
    expect(answer.json).toEqual(missing)
    expect(answer.status).toBe(400)
    expect(answer.version).toBe('2026-10-13')
    expect(answer.assumptions).toEqual(['missing_merchant_key_status'])
    expect(state.document()).toEqual(before)
  })

  test('case 31: several products and no scope -> the product is asked for first', async () => {
    const { call, state } = await startSandbox()
    state.patch('api_keys', 'key_multi', { scopes: [] })
    const path = '/v2/transaction_intents/int_ada_1'
    expect((await call('GET', path, { key: multi })).json).toEqual(missing)
    expect((await call('GET', path, { key: multi, headers: merchant('mk_summit') })).status).toBe(403)
  })

  test.each([
    ['an unknown one', fullKey, 'mk_unknown'],
    ["another partner's", fullKey, 'mk_harbor'],
    ['an unknown one', multi, 'mk_unknown'],
    ['nothing', multi, ''],
    ['nothing', fullKey, ''],
    ['the name of the product', multi, 'Harbor Cash Card'],
    ['other casing', multi, 'MK_HARBOR'],
    ['both', multi, 'mk_summit, mk_harbor'],
    ['the same one twice', multi, 'mk_harbor, mk_harbor'],
    ['__proto__', multi, '__proto__'],
  ])('case 32: %s, by %s: %j -> 400', async (_, key, named) => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/customers', { key, headers: merchant(named) })
    expect(answer.json).toEqual(unknown)
    expect(answer.status).toBe(400)
    expect(answer.version).toBe('2026-10-13')
    expect(answer.assumptions).toEqual(['unknown_merchant_key_status'])
  })

  test("case 32: an unknown and another partner's merchant key -> equal bytes", async () => {
    const { call } = await startSandbox()
    const answers = [
      await call('GET', '/v2/customers', { headers: merchant('mk_unknown') }),
      await call('GET', '/v2/customers', { headers: merchant('mk_harbor') }),
    ]
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })
})

describe("another product's rows", () => {
  const customerNotFound = { type: 'CUSTOMER_NOT_FOUND_ERROR', param: 'customer_id' }
  const rows: readonly (readonly [string, string, (id: string) => string, string, CallOptions, object])[] = [
    [
      'rewards_balance',
      'GET',
      (id) => `/v2/customers/${id}/rewards_balance`,
      'cus_ada',
      {},
      customerNotFound,
    ],
    [
      'statements',
      'GET',
      (id) => `/v2/customers/${id}/accounts/acct_ada/statements`,
      'cus_ada',
      {},
      customerNotFound,
    ],
    [
      'link',
      'POST',
      (id) => `/v2/customers/${id}/link`,
      'cus_ben',
      { json: { partner_customer_id: 'mine' } },
      customerNotFound,
    ],
    [
      'a payment method',
      'GET',
      (id) => `/v2/payment_methods/${id}`,
      'pm_ada_card',
      {},
      { type: 'PAYMENT_METHOD_NOT_FOUND_ERROR', param: 'payment_method_id' },
    ],
    [
      'an intent',
      'GET',
      (id) => `/v2/transaction_intents/${id}`,
      'int_ada_1',
      {},
      { type: 'TRANSACTION_INTENT_FOUND_ERROR', param: 'intent_id' },
    ],
    [
      'a reward',
      'GET',
      (id) => `/v2/rewards/${id}`,
      'rwd_ada_pending',
      {},
      { type: 'REWARD_NOT_FOUND_ERROR', param: 'reward_id' },
    ],
    [
      'a reward to update',
      'PATCH',
      (id) => `/v2/rewards/${id}`,
      'rwd_ada_pending',
      { json: { amount: 1 } },
      { type: 'REWARD_NOT_FOUND_ERROR', param: 'reward_id' },
    ],
  ]

  test.each(rows)(
    'case 33: %s -> 404 C as for an unknown id',
    async (_, method, path, id, options, error) => {
      const { call, state } = await startSandbox()
      const own = await call(method, path(id), { key: multi, ...options, headers: merchant('mk_summit') })
      expect(own.status).toBe(200)
      const before = state.document()
      const foreign = await call(method, path(id), { key: multi, ...options, headers: merchant('mk_harbor') })
      const nobodys = await call(method, path('nobody'), {
        key: multi,
        ...options,
        headers: merchant('mk_harbor'),
      })
      expect(foreign.status).toBe(404)
      expect(foreign.json).toEqual({ ...error, message: expect.any(String) })
      expect(foreign.version).toBe('2026-10-13')
      expect(foreign.text).toBe(nobodys.text)
      expect(state.document()).toEqual(before)
    },
  )

  const inBodies: readonly (readonly [
    string,
    string,
    string,
    (id: string) => object,
    string,
    number,
    object,
  ])[] = [
    [
      'the customer of a new intent',
      'POST',
      '/v2/transaction_intents',
      (id) => ({ customer_id: id, amount: 1, currency: 'USD' }),
      'cus_ada',
      404,
      { ...customerNotFound, message: 'No customer has this customer_id.' },
    ],
    [
      'the payment method of a new intent',
      'POST',
      '/v2/transaction_intents',
      (id) => ({ customer_id: 'cus_hana', amount: 1, currency: 'USD', payment_method_id: id }),
      'pm_ada_card',
      404,
      {
        type: 'PAYMENT_METHOD_NOT_FOUND_ERROR',
        param: 'payment_method_id',
        message: 'No payment method has this payment_method_id.',
      },
    ],
    [
      'payment methods by customer',
      'POST',
      '/v2/payment_methods',
      (id) => ({ customer_id: id }),
      'cus_ada',
      404,
      { ...customerNotFound, message: 'No customer has this customer_id.' },
    ],
    [
      'payment methods by card number',
      'POST',
      '/v2/payment_methods',
      (id) => ({ customer_id: 'cus_hana', pan: id === 'nobody' ? '4000000000000002' : id }),
      '4242424242424242',
      200,
      { data: [], has_more: false, total: 0 },
    ],
  ]

  test.each(inBodies)('case 33: %s -> as if unknown', async (_, method, path, body, id, status, json) => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const headers = merchant('mk_harbor')
    const foreign = await call(method, path, { key: multi, headers, json: body(id) })
    const nobodys = await call(method, path, { key: multi, headers, json: body('nobody') })
    expect(foreign.status).toBe(status)
    expect(foreign.json).toEqual(json)
    expect(foreign.text).toBe(nobodys.text)
    expect(state.document()).toEqual(before)
  })

  test('case 33: an order event -> 400 B as for an unknown one, and it is still there', async () => {
    const { call, state } = await startSandbox()
    const headers = merchant('mk_harbor')
    const foreign = await call('DELETE', '/v2/order_events/ord_ada_1', { key: multi, headers })
    const nobodys = await call('DELETE', '/v2/order_events/nobody', { key: multi, headers })
    expect(foreign.status).toBe(400)
    expect(foreign.json).toEqual({
      error: { type: 'BAD_REQUEST_ERROR', message: 'No order event has this order_event_id.' },
    })
    expect(foreign.text).toBe(nobodys.text)
    expect(state.get('order_events', 'ord_ada_1')).toBeDefined()
  })

  test('case 33: a page after a customer of another product -> 400 A as for an unknown cursor', async () => {
    const { call } = await startSandbox()
    const headers = merchant('mk_harbor')
    const foreign = await call('GET', '/v2/customers?starting_after=cus_ada', { key: multi, headers })
    const nobodys = await call('GET', '/v2/customers?starting_after=nobody', { key: multi, headers })
    expect(foreign.status).toBe(400)
    expect(foreign.text).toBe(nobodys.text)
  })

  test('case 33: one partner id in two products -> each product finds its own customer', async () => {
    const { call } = await startSandbox()
    const path = '/v2/customers?partner_customer_id=partner-ada'
    for (const [named, id] of [
      ['mk_summit', 'cus_ada'],
      ['mk_harbor', 'cus_ivan'],
    ] as const) {
      const { json } = await call('GET', path, { key: multi, headers: merchant(named) })
      expect(json).toMatchObject({ data: [{ id }], total: 1, has_more: false })
    }
  })

  test('case 33: linking to a partner id that is taken in another product -> 200', async () => {
    const { call } = await startSandbox()
    const json = { partner_customer_id: 'partner-hana' }
    const linked = await call('POST', '/v2/customers/cus_ben/link', { json })
    expect(linked.status).toBe(200)
    const path = '/v2/customers?partner_customer_id=partner-hana'
    const harbor = await call('GET', path, { key: multi, headers: merchant('mk_harbor') })
    expect(harbor.json).toMatchObject({ data: [{ id: 'cus_hana' }], total: 1 })
    expect((await call('GET', path)).json).toMatchObject({ data: [{ id: 'cus_ben' }], total: 1 })
  })
})

describe('reward categories', () => {
  const path = '/v2/rewards/rewards_categories'
  const foreign = [
    'product_id=mk_harbor',
    'product=mk_harbor',
    'merchant_key=mk_harbor',
    'customer_id=cus_hana',
  ]

  test.each(foreign)('case 34: ?%s -> ignored, the product comes from the key', async (query) => {
    const { call } = await startSandbox()
    const plain = await call('GET', path)
    const withQuery = await call('GET', `${path}?${query}`)
    expect(withQuery.status).toBe(200)
    expect(withQuery.json.currency).toBe('POINTS')
    expect(withQuery.text).toBe(plain.text)
  })

  test('case 34: a key of several products -> from the header, whatever the query says', async () => {
    const { call } = await startSandbox()
    const headers = merchant('mk_harbor')
    const withQuery = await call('GET', `${path}?product_id=mk_summit`, { key: multi, headers })
    expect(withQuery.json.currency).toBe('USD')
    expect(withQuery.text).toBe((await call('GET', path, { key: multi, headers })).text)
    // The query does not stand in for the header either.
    const without = await call('GET', `${path}?product_id=mk_summit`, { key: multi })
    expect({ status: without.status, json: without.json }).toEqual({ status: 400, json: missing })
  })
})

describe('assumptions', () => {
  test.each([
    ['default', {}, 400],
    ['400', { missing_merchant_key_status: 400 }, 400],
    ['403', { missing_merchant_key_status: 403 }, 403],
  ])('missing_merchant_key_status %s -> that status', async (_, assume, status) => {
    const { call } = await startSandbox({ assume })
    const answer = await call('GET', '/v2/customers', { key: multi })
    expect(answer.status).toBe(status)
    const type = status === 403 ? 'FORBIDDEN_ERROR' : 'BAD_REQUEST_ERROR'
    expect(answer.json).toEqual({ error: { ...missing.error, type } })
    expect(answer.version).toBe('2026-10-13')
    const rests = status === 403 ? ['forbidden_type'] : []
    expect(answer.assumptions).toEqual([...rests, 'missing_merchant_key_status'])
  })

  test.each([
    ['default', {}, 400],
    ['400', { unknown_merchant_key_status: 400 }, 400],
    ['403', { unknown_merchant_key_status: 403 }, 403],
    ['404', { unknown_merchant_key_status: 404 }, 404],
  ])('unknown_merchant_key_status %s -> that status, with equal bytes', async (_, assume, status) => {
    const { call } = await startSandbox({ assume })
    for (const named of ['mk_unknown', 'mk_harbor']) {
      const answer = await call('GET', '/v2/customers', { headers: merchant(named) })
      expect(answer.status).toBe(status)
      const type = { 400: 'BAD_REQUEST_ERROR', 403: 'FORBIDDEN_ERROR', 404: 'NOT_FOUND_ERROR' }[status]
      expect(answer.json).toEqual({ error: { ...unknown.error, type } })
      expect(answer.version).toBe('2026-10-13')
      const rests = status === 403 ? ['forbidden_type'] : []
      expect(answer.assumptions).toEqual([...rests, 'unknown_merchant_key_status'])
    }
  })
})

describe('case 135: merchant_key_required=partnership_of_several_products', () => {
  const assume = { merchant_key_required: 'partnership_of_several_products' }
  const required = {
    error: {
      type: 'BAD_REQUEST_ERROR',
      message: 'The partnership has several products: select one with the header x-service-merchant-key.',
    },
  }

  test('case 135: a key of one product that selects none -> 400 B', async () => {
    const { call, requests } = await startSandbox({ assume })
    const answer = await call('GET', '/v2/customers')
    expect([answer.status, answer.json, answer.version]).toEqual([400, required, '2026-10-13'])
    expect(namedIn(answer.headers)).toEqual(['merchant_key_required', 'missing_merchant_key_status'])
    expect(requests.explain(String(answer.requestId))?.summary).toBe(
      'key_full is for mk_summit, but the partnership has several products, and x-service-merchant-key was not sent to select one.',
    )
  })

  test('case 135: a key that selects its product -> its data', async () => {
    const { call } = await startSandbox({ assume })
    const answer = await call('GET', '/v2/customers', { headers: merchant('mk_summit') })
    expect([answer.status, namedIn(answer.headers)]).toEqual([
      200,
      ['default_page_size', 'customers_without_filter', 'customers_order'],
    ])
  })

  test.each([['key_of_several_products'], ['partnership_of_several_products']])(
    'case 135: a partnership of one product, %s -> nothing to select',
    async (merchant_key_required) => {
      const [product] = (await startSandbox()).state.list('products')
      const fixtures = { products: [product] }
      const { call } = await startSandbox({ assume: { merchant_key_required }, fixtures })
      const answer = await call('GET', '/v2/rewards/rewards_categories')
      expect([answer.status, namedIn(answer.headers)]).toEqual([200, []])
    },
  )
})
