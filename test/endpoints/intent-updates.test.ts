import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { startServing } from '../helpers/unlisted.ts'

const path = '/v2/transaction_intents'
const one = `${path}/int_ada_1`
const outcome = { customer_id: 'cus_ada', amount: 8000, status: 'CANCELED' }

describe('listing transaction intents', () => {
  const newest = ['int_ada_1', 'int_ada_2']

  test.each([
    ['', newest],
    ['?type=CONFIRMED', ['int_ada_1']],
    ['?type=CANCELED', ['int_ada_2']],
    ['?customer_id=cus_ada', newest],
    ['?customer_id=cus_ada&type=CANCELED', ['int_ada_2']],
    ['?customer_id=cus_ben', []],
    ['?customer_id=cus_hana', []],
    ['?customer_id=cus_nobody', []],
  ])('%s -> 200 and the intents of the product that match, newest first', async (query, ids) => {
    const { call } = await startServing()
    const answer = await call('GET', path + query)
    const each = await Promise.all(ids.map(async (id) => (await call('GET', `${path}/${id}`)).json))
    expect([answer.status, answer.json]).toEqual([200, { data: each, has_more: false, total: ids.length }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('pages -> limit and starting_after', async () => {
    const { call } = await startServing()
    const first = await call('GET', `${path}?limit=1`)
    expect([first.json.data[0].id, first.json.has_more, first.json.total]).toEqual(['int_ada_1', true, 2])
    const second = await call('GET', `${path}?limit=1&starting_after=int_ada_1`)
    expect([second.json.data[0].id, second.json.has_more, second.json.total]).toEqual(['int_ada_2', false, 2])
  })

  test.each([
    ['type=PENDING', 'type: must be one of CONFIRMED, CANCELED'],
    ['type=confirmed', 'type: must be one of CONFIRMED, CANCELED'],
    ['limit=0', 'limit: must be an integer of at least 1'],
    ['starting_after=int_hana_1', 'starting_after: must be the id of a listed transaction intent'],
    [
      'type=CONFIRMED&starting_after=int_ada_2',
      'starting_after: must be the id of a listed transaction intent',
    ],
  ])('%s -> 400 of shape A', async (query, detail) => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}?${query}`)
    expect([answer.status, answer.json]).toEqual([400, invalid(path, detail)])
    expect(answer.assumptions).toContain('unlisted_operations')
  })
})

describe('updating a transaction intent', () => {
  test('the required fields -> 200, and every other field stays', async () => {
    const { call, state } = await startServing()
    const stored = state.get('transaction_intents', 'int_ada_1')
    const before = (await call('GET', one)).json
    const answer = await call('POST', one, { json: outcome })
    const changed = { amount: 8000, status: 'CANCELED', updated_at: '2026-11-21T12:00:00.000Z' }
    expect([answer.status, answer.json]).toEqual([200, { ...before, ...changed }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_2', ['unlisted_operations']))
    expect((await call('GET', one)).text).toBe(answer.text)
    expect(state.get('transaction_intents', 'int_ada_1')).toEqual({ ...stored, ...changed })
  })

  test('every field -> 200 and all of them replaced, metadata as a whole', async () => {
    const { call } = await startServing()
    const json = {
      customer_id: 'cus_ada',
      amount: 1,
      status: 'CONFIRMED',
      currency: 'EUR',
      network_transaction_id: 'ntx_final',
      partner_transaction_id: 'partner-tx-final',
      metadata: { final: true },
    }
    const answer = await call('POST', one, { json })
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: 'int_ada_1',
        ...json,
        created_at: '2026-10-20T18:00:00.000Z',
        updated_at: '2026-11-21T12:00:00.000Z',
        payment_method_id: 'pm_ada_card',
      },
    ])
  })

  test('a canceled intent -> it can be confirmed, and updated_at increases each time', async () => {
    const { call } = await startServing()
    const times: string[] = []
    for (const status of ['CONFIRMED', 'CANCELED', 'CONFIRMED']) {
      const { json } = await call('POST', `${path}/int_ada_2`, { json: { ...outcome, status } })
      expect(json.status).toBe(status)
      times.push(json.updated_at)
    }
    expect(times).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.001Z',
      '2026-11-21T12:00:00.002Z',
    ])
  })

  test('the fields that it has already -> 200, and it stays as it is', async () => {
    const { call, state } = await startServing()
    const first = await call('POST', one, { json: outcome })
    const before = state.document()
    const again = await call('POST', one, { json: { ...outcome, metadata: { order_id: 'order_ada_1' } } })
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(state.document()).toEqual(before)
  })

  test('its own partner_transaction_id again -> 200', async () => {
    const { call } = await startServing()
    const json = { ...outcome, partner_transaction_id: 'partner-tx-1001' }
    expect((await call('POST', one, { json })).status).toBe(200)
  })

  test('nulls for optional fields -> as if they were absent', async () => {
    const { call } = await startServing()
    const nulls = {
      currency: null,
      network_transaction_id: null,
      partner_transaction_id: null,
      metadata: null,
    }
    const answer = await call('POST', one, { json: { ...outcome, ...nulls } })
    expect([
      answer.status,
      answer.json.currency,
      answer.json.network_transaction_id,
      answer.json.metadata,
    ]).toEqual([200, 'USD', 'ntx_ada_0001', { order_id: 'order_ada_1' }])
  })

  const statuses = 'status: must be one of CONFIRMED, CANCELED'
  test.each<[string, object, string[]]>([
    ['no field', {}, ['customer_id: is required', 'amount: is required', 'status: is required']],
    ['no amount', { customer_id: 'cus_ada', status: 'CONFIRMED' }, ['amount: is required']],
    ['no status', { customer_id: 'cus_ada', amount: 1 }, ['status: is required']],
    ['an unknown status', { ...outcome, status: 'REQUIRES_CONFIRMATION' }, [statuses]],
    ['a negative amount', { ...outcome, amount: -1 }, ['amount: must not be negative']],
    ['a fraction', { ...outcome, amount: 1.5 }, ['amount: must be an integer']],
    [
      'a currency of two letters',
      { ...outcome, currency: 'US' },
      ['currency: must be a 3-letter ISO 4217 code in upper case'],
    ],
    ['metadata that is a list', { ...outcome, metadata: [] }, ['metadata: must be a JSON object']],
    [
      'metadata that is too large',
      { ...outcome, metadata: { text: 'x'.repeat(20_000) } },
      ['metadata: must not be larger than 16384 bytes'],
    ],
    [
      'another customer of the product',
      { ...outcome, customer_id: 'cus_ben' },
      ['customer_id: must be the customer of the intent'],
    ],
    [
      'an unknown customer',
      { ...outcome, customer_id: 'cus_nobody' },
      ['customer_id: must be the customer of the intent'],
    ],
    [
      'the partner_transaction_id of another intent',
      { ...outcome, partner_transaction_id: 'partner-tx-2' },
      ['partner_transaction_id: must not be that of another transaction intent'],
    ],
  ])('%s -> 400 of shape A, and nothing is changed', async (_, json, details) => {
    const { call, state } = await startServing()
    state.patch('transaction_intents', 'int_ada_2', { partner_transaction_id: 'partner-tx-2' })
    const before = state.document()
    const answer = await call('POST', one, { json })
    expect([answer.status, answer.json]).toEqual([400, invalid(one, ...details)])
    expect(answer.assumptions).toContain('unlisted_operations')
    expect(state.document()).toEqual(before)
  })

  test.each(['int_nobody', 'int_hana_1', 'INT_ADA_1'])('%s -> 404 C', async (id) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call('POST', `${path}/${id}`, { json: { ...outcome, customer_id: 'cus_hana' } })
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeC('TRANSACTION_INTENT_FOUND_ERROR', 'intent_id', 'No transaction intent has this intent_id.'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
    )
    expect(state.document()).toEqual(before)
  })

  test('negative_amount=accept -> a negative amount is stored', async () => {
    const { call } = await startServing({ assume: { negative_amount: 'accept' } })
    const answer = await call('POST', one, { json: { ...outcome, amount: -5 } })
    expect([answer.status, answer.json.amount]).toEqual([200, -5])
    expect(answer.assumptions).toEqual(['unlisted_operations', 'negative_amount'])
  })

  test.each<[object, object, string]>([
    [{ zero_amount: 'refuse' }, { amount: 0 }, 'amount: must not be zero'],
    [
      { intent_network_id_reuse: 'refuse' },
      { network_transaction_id: 'ntx_other' },
      'network_transaction_id: must not be that of another transaction intent',
    ],
    [
      { intent_currency: 'of_the_account' },
      { currency: 'EUR' },
      'currency: must be that of the account of the payment method',
    ],
  ])('%j, as for a new intent: %j -> 400 A, and 200 by default', async (assume, change, detail) => {
    for (const settings of [assume, {}]) {
      const { call } = await startServing({ assume: settings as Record<string, string> })
      const other = {
        customer_id: 'cus_ada',
        amount: 1,
        currency: 'USD',
        network_transaction_id: 'ntx_other',
      }
      await call('POST', path, { json: other })
      const answer = await call('POST', one, { json: { ...outcome, ...change } })
      if (settings === assume) {
        expect([answer.status, answer.json]).toEqual([400, invalid(one, detail)])
        expect(answer.assumptions).toEqual(expect.arrayContaining(Object.keys(assume)))
      } else expect([answer.status, answer.json]).toEqual([200, expect.objectContaining(change)])
    }
  })

  test('two updates at once -> both succeed, one after the other', async () => {
    const { call } = await startServing()
    const answers = await Promise.all(
      [1, 2].map((amount) => call('POST', one, { json: { ...outcome, amount } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(({ json }) => json.updated_at)).size).toBe(2)
  })
})
