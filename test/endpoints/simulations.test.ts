import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeB, shapeC } from '../helpers/answers.ts'
import { startSandbox, type CallApi } from '../helpers/sandbox.ts'
import { documented, startServing } from '../helpers/unlisted.ts'

const [events, rewards] = ['/v2/simulate_transaction_event', '/v2/simulate_reward']

const first = {
  payment_method_id: 'pm_ada_card',
  status: 'APPROVED',
  amount: 5000,
  currency: 'USD',
  merchant: { name: 'Skyline Air', category_code: '4511' },
}

const play = (call: CallApi, json: object) => call('POST', events, { json })

describe('a step in the life of a transaction', () => {
  test('the first one, with every field -> 200 with the ids and the status, and the rows', async () => {
    const { call, state } = await startServing()
    const answer = await play(call, {
      ...first,
      transaction_id: '',
      authorization_code: 'A1',
      network_transaction_id: 'ntx_new',
      purchase_method: 'ONLINE',
      merchant: { ...first.merchant, network_id: 'n1', category: 'Travel', address: { city: 'Oslo' } },
    })
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        transaction_id: expect.stringMatching(/^txn_\w{12}$/),
        event_id: expect.stringMatching(/^txe_\w{12}$/),
        status: 'APPROVED',
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    const { transaction_id, event_id } = answer.json
    expect((await call('GET', `/v2/transactions/${transaction_id}`)).json).toEqual({
      id: transaction_id,
      customer_id: 'cus_ada',
      payment_method_id: 'pm_ada_card',
      amount: 5000,
      currency: 'USD',
      status: 'APPROVED',
      network_transaction_id: 'ntx_new',
      created_at: '2026-11-21T12:00:00.000Z',
      authorization_code: 'A1',
      purchase_method: 'ONLINE',
      merchant: {
        network_id: 'n1',
        name: 'Skyline Air',
        category: 'Travel',
        category_code: '4511',
        address: { city: 'Oslo' },
      },
    })
    expect(state.get('transaction_events', event_id)).toStrictEqual({
      id: event_id,
      transaction_id,
      n: 1,
      status: 'APPROVED',
      amount: 5000,
      posted_at: '2026-11-21T12:00:00.000Z',
    })
  })

  test('with what it needs alone -> in the currency of the account, at a merchant without a name', async () => {
    const { call } = await startServing()
    const { json } = await play(call, { payment_method_id: 'pm_ada_card', status: 'CAPTURED', amount: 100 })
    expect((await call('GET', `/v2/transactions/${json.transaction_id}`)).json).toEqual({
      id: json.transaction_id,
      customer_id: 'cus_ada',
      payment_method_id: 'pm_ada_card',
      amount: 100,
      currency: 'USD',
      status: 'CAPTURED',
      network_transaction_id: `ntx_${json.transaction_id}`,
      created_at: '2026-11-21T12:00:00.000Z',
      merchant: { name: 'Unknown merchant' },
    })
  })

  test('a whole life -> one transaction, a step and a reward for each that moves money', async () => {
    const { call, state } = await startServing()
    const { transaction_id } = (await play(call, first)).json
    const next = async (status: string, more: object = {}) => {
      const json = { payment_method_id: 'pm_ada_card', status, transaction_id, ...more }
      const answer = await play(call, json)
      expect([answer.status, answer.json]).toEqual([
        200,
        { transaction_id, event_id: expect.stringMatching(/^txe_\w{12}$/), status },
      ])
      return answer.json.event_id as string
    }
    await next('UPDATED', { amount: 4000 })
    const capture = await next('CAPTURED', { amount: 3000 })
    await next('CAPTURED')
    const refund = await next('REFUNDED', { event_id: capture, amount: 500 })
    const posted_at = '2026-11-21T12:00:00.000Z'
    const own = { transaction_id, posted_at, id: expect.stringMatching(/^txe_\w{12}$/) }
    const money = { ...own, account_id: 'acct_ada', reward_id: expect.stringMatching(/^rwd_\w{12}$/) }
    const steps = state.list('transaction_events').filter((step) => step.transaction_id === transaction_id)
    expect(steps.toSorted((a, b) => (a.n ?? 0) - (b.n ?? 0))).toStrictEqual([
      { ...own, n: 1, status: 'APPROVED', amount: 5000 },
      { ...own, n: 2, status: 'UPDATED', amount: 4000 },
      { ...money, n: 3, status: 'CAPTURED', amount: 3000, earn_rate: '2.00', reward_amount: 60 },
      { ...money, n: 4, status: 'CAPTURED', amount: 1000, earn_rate: '2.00', reward_amount: 20 },
      { ...money, n: 5, status: 'REFUNDED', amount: 500, capture_id: capture, reward_amount: 10 },
    ])
    // Skyline Air earns 2 points for each dollar.
    const rewardOf = (id: string) => state.list('rewards').find((row) => row.transaction_event_id === id)
    expect([capture, refund].map(rewardOf)).toEqual([
      expect.objectContaining({ amount: 60, status: 'PENDING' }),
      expect.objectContaining({ amount: 10, status: 'PENDING_DEDUCTION' }),
    ])
    expect((await call('GET', `/v2/transactions/${transaction_id}`)).json).toMatchObject({
      status: 'REFUNDED',
      amount: 500,
    })
  })

  test('matched to the intent that announced it', async () => {
    const { call } = await startServing()
    const json = { ...first, network_transaction_id: 'ntx_new', amount: 777 }
    const { merchant: _merchant, status: _status, ...announced } = json
    const intent = await call('POST', '/v2/transaction_intents', {
      json: { customer_id: 'cus_ada', ...announced },
    })
    const { transaction_id } = (await play(call, json)).json
    expect((await call('GET', `/v2/transactions/${transaction_id}`)).json.intent_id).toBe(intent.json.id)
  })

  test.each<[string, object, string[]]>([
    [
      'nothing',
      {},
      ['payment_method_id: is required', 'status: is required', 'amount: is required without transaction_id'],
    ],
    [
      'wrong values',
      { ...first, status: 'POSTED', amount: -1, currency: 'usd', purchase_method: 'chip' },
      [
        'status: must be one of APPROVED, UPDATED, VOIDED, CAPTURED, REFUNDED',
        'amount: must not be negative',
        'currency: must be a 3-letter ISO 4217 code in upper case',
        'purchase_method: must be one of CHIP, CONTACTLESS, KEYEDIN, ONLINE, SWIPE, QRCODE, OCR, UNKNOWN',
      ],
    ],
    [
      'no amount for a new transaction',
      { payment_method_id: 'pm_ada_card', status: 'CAPTURED', transaction_id: '' },
      ['amount: is required without transaction_id'],
    ],
    [
      'the capture of a new refund',
      { ...first, status: 'REFUNDED', event_id: 'txe_1' },
      ['event_id: must be omitted without transaction_id'],
    ],
    [
      'a void with an amount',
      { payment_method_id: 'pm_hana_card', status: 'VOIDED', transaction_id: 'txn_hana_1', amount: 1 },
      ['amount: must be omitted: a void is of all that is authorised'],
    ],
    [
      'an update without one',
      { payment_method_id: 'pm_hana_card', status: 'UPDATED', transaction_id: 'txn_hana_1' },
      ['amount: is required: the new amount of the authorisation'],
    ],
    [
      'a capture of zero',
      { payment_method_id: 'pm_hana_card', status: 'CAPTURED', transaction_id: 'txn_hana_1', amount: 0 },
      ['amount: must be at least 1'],
    ],
  ])('%s -> 400 of shape A, and nothing changes', async (_, json, details) => {
    const { call, state } = await startServing()
    const merchantKey = JSON.stringify(json).includes('hana') ? 'mk_harbor' : 'mk_summit'
    if (merchantKey === 'mk_harbor')
      state.patch('transactions', 'txn_hana_1', { payment_method_id: 'pm_hana_card' })
    const before = state.document()
    const answer = await call('POST', events, {
      json,
      key: 'sk_sandbox_multi',
      headers: { 'x-service-merchant-key': merchantKey },
    })
    expect([answer.status, answer.json]).toEqual([400, invalid(events, ...details)])
    expect(state.document()).toEqual(before)
  })

  test.each<[string, object, string, string, string]>([
    [
      'an unknown payment method',
      { ...first, payment_method_id: 'pm_nobody' },
      'PAYMENT_METHOD_NOT_FOUND_ERROR',
      'payment_method_id',
      'No payment method has this payment_method_id.',
    ],
    [
      'one of the other product',
      { ...first, payment_method_id: 'pm_hana_card' },
      'PAYMENT_METHOD_NOT_FOUND_ERROR',
      'payment_method_id',
      'No payment method has this payment_method_id.',
    ],
    [
      'an unknown transaction',
      { ...first, transaction_id: 'txn_nobody' },
      'TRANSACTION_FOUND_ERROR',
      'transaction_id',
      'No transaction has this transaction_id.',
    ],
    [
      'one of the other product',
      { ...first, transaction_id: 'txn_hana_1' },
      'TRANSACTION_FOUND_ERROR',
      'transaction_id',
      'No transaction has this transaction_id.',
    ],
  ])('%s -> 404 of shape C', async (_, json, type, param, message) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await play(call, json)
    expect([answer.status, answer.json]).toEqual([404, shapeC(type, param, message)])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
    )
    expect(state.document()).toEqual(before)
  })

  const next = { payment_method_id: 'pm_ada_card', transaction_id: 'txn_ada_1' }

  test.each<[string, object, string]>([
    [
      'a step that cannot follow',
      { ...next, status: 'VOIDED' },
      "transaction 'txn_ada_1' is CAPTURED: only REFUNDED can follow, not VOIDED",
    ],
    [
      'a refund above the capture',
      { ...next, status: 'REFUNDED', amount: 8401, event_id: 'txe_ada_1_captured' },
      "capture 'txe_ada_1_captured' of transaction 'txn_ada_1' has 8400 left to refund, not 8401",
    ],
    [
      'a refund of no capture',
      { ...next, status: 'REFUNDED', amount: 1, event_id: 'txe_nobody' },
      "event_id 'txe_nobody' is no capture of transaction 'txn_ada_1': name one of txe_ada_1_captured",
    ],
    [
      'a void as the first step',
      { ...first, status: 'VOIDED' },
      'a transaction cannot begin as VOIDED, only as APPROVED, CAPTURED or REFUNDED: name its transaction_id',
    ],
    [
      'another payment method',
      { ...next, payment_method_id: 'pm_ada_secured', status: 'REFUNDED' },
      'The transaction has another payment_method_id.',
    ],
    [
      'another currency',
      { ...next, status: 'REFUNDED', currency: 'EUR' },
      'The transaction has another currency.',
    ],
    [
      'another network_transaction_id',
      { ...next, status: 'REFUNDED', network_transaction_id: 'ntx_other' },
      'The transaction has another network_transaction_id.',
    ],
  ])('%s -> 409 with type and message at top level, and nothing changes', async (_, json, message) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await play(call, json)
    expect([answer.status, answer.json]).toEqual([409, { type: 'SIMULATION_CONFLICT_ERROR', message }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    expect(state.document()).toEqual(before)
  })
})

describe('the settlement of rewards', () => {
  const settling = { customer_id: 'cus_ada', reward_type: 'STATEMENT' }

  test('a sum beyond what a JSON number can hold -> 409 of shape B, and nothing changes', async () => {
    const { call, state, simulate } = await startServing()
    const product = state.get('products', 'mk_summit')
    state.patch('products', 'mk_summit', {
      rewards: { ...product?.rewards, accrual: 'statement_aggregated', precision: 2 },
    })
    const amount = Number.MAX_SAFE_INTEGER - 1
    for (let left = 64; left > 0; left -= 1)
      simulate.transaction({
        customer_id: 'cus_ada',
        amount,
        currency: 'USD',
        merchant_name: 'Corner Bistro',
      })
    const before = state.document()
    const answer = await call('POST', rewards, { json: settling })
    expect([answer.status, answer.json]).toEqual([
      409,
      shapeB('CONFLICT_ERROR', 'the rewards add up to more than a JSON number can hold exactly'),
    ])
    expect(state.document()).toEqual(before)
  })

  test('-> 200, and the rewards that wait have changed', async () => {
    const { call, state } = await startServing()
    const answer = await call('POST', rewards, { json: settling })
    expect([answer.status, answer.json]).toEqual([
      200,
      { debugging_id: expect.stringMatching(/^dbg_\w{12}$/) },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    const statuses = ['rwd_ada_pending', 'rwd_ada_referral', 'rwd_ada_pending_deduction', 'rwd_carla_offer']
    expect(statuses.map((id) => state.get('rewards', id)?.status)).toEqual([
      'AVAILABLE',
      'AVAILABLE',
      'DEDUCTED',
      'PENDING',
    ])
  })

  test.each<[object, string[]]>([
    [{}, ['customer_id: is required', 'reward_type: is required']],
    [{ ...settling, reward_type: 'OFFER' }, ['reward_type: must be one of STATEMENT, DELAYED']],
  ])('%j -> 400 of shape A', async (json, details) => {
    const { call } = await startServing()
    const answer = await call('POST', rewards, { json })
    expect([answer.status, answer.json]).toEqual([400, invalid(rewards, ...details)])
  })

  test('a type that does not fit the product -> 400 of shape B, and nothing changes', async () => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call('POST', rewards, { json: { ...settling, reward_type: 'DELAYED' } })
    expect([answer.status, answer.json]).toEqual([
      400,
      shapeB('BAD_REQUEST_ERROR', 'The reward_type does not match the product.'),
    ])
    expect(state.document()).toEqual(before)
  })

  test.each(['cus_nobody', 'cus_hana', 'constructor'])('customer %s -> 404 of shape B', async (id) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call('POST', rewards, { json: { ...settling, customer_id: id } })
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeB('NOT_FOUND_ERROR', 'No customer has this customer_id.'),
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    expect(state.document()).toEqual(before)
  })
})

describe.each<[string, string, object]>([
  [events, 'simulateTransactionEvent', first],
  [rewards, 'simulateReward', { customer_id: 'cus_ada', reward_type: 'STATEMENT' }],
])('%s', (path, operation, json) => {
  test('with a key of production -> 403 of shape B, and nothing changes', async () => {
    const { call, state } = await startServing({ environment: 'production' })
    const before = state.document()
    const answer = await call('POST', path, { json, key: 'sk_production_full' })
    expect([answer.status, answer.json]).toEqual([
      403,
      shapeB('FORBIDDEN_ERROR', 'Only an API key of the sandbox can simulate.'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'forbidden_type'], '2025-05-05'),
    )
    expect(state.document()).toEqual(before)
  })

  test('with a key of production and an invalid body -> 403 all the same', async () => {
    const { call } = await startServing({ environment: 'production' })
    expect((await call('POST', path, { json: {}, key: 'sk_production_full' })).status).toBe(403)
  })

  test('without the assumption -> 404, and nothing changes', async () => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const answer = await call('POST', path, { json })
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeB(
        'NOT_FOUND_ERROR',
        `No endpoint has this path. --assume unlisted_operations=documented serves ${operation}, which is outside the contract.`,
      ),
    ])
    expect(state.document()).toEqual(before)
  })

  test('GET -> 405', async () => {
    const { call } = await startSandbox({ assume: documented })
    const answer = await call('GET', path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})
