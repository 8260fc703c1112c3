import type { AssumptionId } from '../../src/contract/assumptions.ts'
import { describe, expect, test } from 'vitest'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { headersOf, invalid as invalidAt, jsonHeaders, shapeB, shapeC } from '../helpers/answers.ts'
import { startSandbox, testNow, type Answered } from '../helpers/sandbox.ts'

const intents = '/v2/transaction_intents'

const minimal = { customer_id: 'cus_ada', amount: 4599, currency: 'USD' }

/** Every field that the contract lists for the body. */
const whole = {
  ...minimal,
  payment_method_id: 'pm_ada_card',
  network_transaction_id: '016153570198200',
  merchant_name: 'Skyline Air',
  merchant_address: {
    street_line1: '1 Runway Road',
    street_line2: 'Gate 7',
    city: 'Denver',
    state: 'CO',
    postal_code: '80202',
    country: 'US',
  },
  merchant_id: 'mer_skyline',
  merchant_code: '4511',
  expected_date: '2026-11-22',
  metadata: { order: 'A-1027', lines: [{ sku: 1 }, null, true] },
}

/** The validation shape that an intent is refused with. */
const invalid = (...details: string[]) => invalidAt(intents, ...details)

const customerNotFound = shapeC(
  'CUSTOMER_NOT_FOUND_ERROR',
  'customer_id',
  'No customer has this customer_id.',
)
const methodNotFound = shapeC(
  'PAYMENT_METHOD_NOT_FOUND_ERROR',
  'payment_method_id',
  'No payment method has this payment_method_id.',
)
const intentNotFound = shapeC(
  'TRANSACTION_INTENT_FOUND_ERROR',
  'intent_id',
  'No transaction intent has this intent_id.',
)

/** A sandbox that creates intents, and tells whether anything in it has changed since it started. */
async function start(assume: UnvalidatedSettings = {}) {
  const sandbox = await startSandbox({ assume })
  const before = JSON.stringify(sandbox.state.document())
  return {
    call: sandbox.call,
    clock: sandbox.clock,
    state: sandbox.state,
    create: (json: unknown, headers: Record<string, string> = {}): Promise<Answered> =>
      sandbox.call('POST', intents, { json, headers }),
    retrieve: (id: string): Promise<Answered> => sandbox.call('GET', `${intents}/${id}`),
    expectUnchanged: () => expect(JSON.stringify(sandbox.state.document())).toBe(before),
  }
}

describe('case 62: required fields', () => {
  test.each([
    ['customer_id', { amount: 1, currency: 'USD' }],
    ['amount', { customer_id: 'cus_ada', currency: 'USD' }],
    ['currency', { customer_id: 'cus_ada', amount: 1 }],
  ])('case 62: without %s -> 400 A that names it', async (field, json) => {
    const { create, expectUnchanged } = await start()
    const answer = await create(json)
    expect([answer.status, answer.json]).toEqual([400, invalid(`${field}: is required`)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['intent_required_fields']))
    expectUnchanged()
  })

  test('case 62: without any of them -> three details, in the order of the declaration', async () => {
    const { create } = await start()
    expect((await create({})).json).toEqual(
      invalid('customer_id: is required', 'amount: is required', 'currency: is required'),
    )
  })

  const requiredIn = {
    minimal: [minimal, []],
    'with a payment method': [{ ...minimal, payment_method_id: 'pm_ada_card' }, ['payment_method_id']],
    'with both': [
      { ...minimal, payment_method_id: 'pm_ada_card', network_transaction_id: 'n1' },
      ['payment_method_id', 'network_transaction_id'],
    ],
  } as const
  test.each([
    ['customer_amount_currency', 'minimal', []],
    ['customer_amount_currency', 'with a payment method', []],
    ['customer_amount_currency', 'with both', []],
    ['with_payment_method', 'minimal', ['payment_method_id']],
    ['with_payment_method', 'with a payment method', []],
    ['with_payment_method', 'with both', []],
    ['with_payment_method_and_network_id', 'minimal', ['payment_method_id', 'network_transaction_id']],
    ['with_payment_method_and_network_id', 'with a payment method', ['network_transaction_id']],
    ['with_payment_method_and_network_id', 'with both', []],
  ] as const)('case 62: intent_required_fields=%s, a body %s -> missing %o', async (value, kind, missing) => {
    const { create } = await start({ intent_required_fields: value })
    const [json, sent] = requiredIn[kind]
    const answer = await create(json)
    // A body that has every field that could be required does not rest on which ones are.
    const rests = sent.length === 2 ? [] : ['intent_required_fields']
    if (missing.length > 0) {
      expect(answer.json).toEqual(invalid(...missing.map((field) => `${field}: is required`)))
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', rests))
    } else {
      expect(answer.status).toBe(200)
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['create_status', ...rests]))
    }
  })

  test('case 62: a required field that is null -> as if it was left out', async () => {
    const { create } = await start({ intent_required_fields: 'with_payment_method' })
    const answer = await create({ ...minimal, payment_method_id: null })
    expect(answer.json).toEqual(invalid('payment_method_id: is required'))
  })
})

describe('case 63: the customer', () => {
  test.each([
    ['unknown', 'cus_nobody'],
    ['of another product', 'cus_hana'],
    ['empty', ''],
    ['of other casing', 'CUS_ADA'],
    ['with a blank', ' cus_ada'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['with a zero byte', 'cus_ada\u0000'],
    ['a lone surrogate', '\ud800'],
    ['100,000 characters long', 'c'.repeat(100_000)],
  ])('case 63: %s -> 404 C, the same bytes, nothing stored', async (_, customer_id) => {
    const { create, expectUnchanged } = await start()
    const answer = await create({ ...whole, customer_id })
    expect([answer.status, answer.text]).toEqual([404, JSON.stringify(customerNotFound)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
    expectUnchanged()
  })

  test('case 63: unknown, and a bad amount -> 400 A, as validation comes first', async () => {
    const { create } = await start()
    const answer = await create({ ...minimal, customer_id: 'cus_nobody', amount: 'x' })
    expect(answer.json).toEqual(invalid('amount: must be an integer'))
  })

  test('case 63: unknown, and an unknown payment method -> the customer is told of', async () => {
    const { create } = await start()
    const answer = await create({ ...minimal, customer_id: 'cus_nobody', payment_method_id: 'pm_nobody' })
    expect(answer.json).toEqual(customerNotFound)
  })
})

describe('case 64: the payment method', () => {
  test.each([
    ['unknown', 'pm_nobody'],
    ['of another customer', 'pm_carla_card'],
    ['of another product', 'pm_hana_card'],
    ['empty', ''],
    ['__proto__', '__proto__'],
    ['the id of something else', 'rwd_ada_pending'],
  ])('case 64: %s -> 404 C, the same bytes, nothing stored', async (_, payment_method_id) => {
    const { create, expectUnchanged, state } = await start()
    if (payment_method_id.endsWith('_card'))
      expect(state.get('payment_methods', payment_method_id)).toBeDefined()
    const answer = await create({ ...whole, payment_method_id })
    expect([answer.status, answer.text]).toEqual([404, JSON.stringify(methodNotFound)])
    const foreign = payment_method_id === 'pm_carla_card' ? ['intent_foreign_payment_method'] : []
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status', ...foreign]))
    expectUnchanged()
  })

  test.each(['pm_ada_card', 'pm_ada_secured', 'pm_ada_bank', 'pm_ada_loan', 'pm_ada_old'])(
    'case 64: %s of the customer -> 200, whatever its kind and status',
    async (payment_method_id) => {
      const { create } = await start()
      const answer = await create({ ...minimal, payment_method_id })
      expect([answer.status, answer.json.payment_method_id]).toEqual([200, payment_method_id])
    },
  )
})

describe('case 65: a valid intent', () => {
  const statuses = [
    [{}, 200],
    [{ create_status: 201 }, 201],
  ] as const

  test.each(statuses)(
    'case 65: every field, under %j -> %i CONFIRMED with the fields of an intent, and no others',
    async (assume, status) => {
      const { create } = await start(assume)
      const answer = await create(whole)
      expect(answer.status).toBe(status)
      expect(answer.json).toEqual({
        id: expect.stringMatching(/^int_[0-9a-z]{12}$/),
        customer_id: 'cus_ada',
        amount: 4599,
        currency: 'USD',
        status: 'CONFIRMED',
        created_at: testNow,
        payment_method_id: 'pm_ada_card',
        network_transaction_id: '016153570198200',
        metadata: whole.metadata,
      })
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['create_status']))
    },
  )

  test.each(statuses)(
    'case 65: the required fields only, under %j -> %i, optional ones are left out, not null',
    async (assume, status) => {
      const { create } = await start(assume)
      const answer = await create(minimal)
      expect(answer.status).toBe(status)
      expect(Object.keys(answer.json)).toEqual([
        'id',
        'customer_id',
        'amount',
        'currency',
        'status',
        'created_at',
      ])
      expect(headersOf(answer)).toEqual(
        jsonHeaders('req_default_1', ['create_status', 'intent_required_fields']),
      )
    },
  )

  test.each([
    ['every field', {}, whole],
    ['the required fields', {}, minimal],
    ['every field', { create_status: 201 }, whole],
    ['the required fields', { create_status: 201 }, minimal],
  ])('case 65: %s, under %j -> GET at once gives the same bytes', async (_, assume, json) => {
    const { create, retrieve } = await start(assume)
    const created = await create(json)
    const retrieved = await retrieve(created.json.id)
    expect([retrieved.status, retrieved.text]).toEqual([200, created.text])
    expect(headersOf(retrieved)).toEqual(jsonHeaders('req_default_2', []))
  })

  test('case 65: what is not served is kept in the state', async () => {
    const { create, state } = await start()
    const { json } = await create(whole)
    expect(state.get('transaction_intents', json.id)).toEqual({
      id: json.id,
      ...whole,
      status: 'CONFIRMED',
      created_at: testNow,
    })
  })

  test('case 65: one row more and nothing else changes', async () => {
    const { create, state } = await start()
    const before = state.document()
    const { json } = await create(whole)
    const after = state.document()
    const added = after.transaction_intents.filter(({ id }) => id === json.id)
    expect(added).toHaveLength(1)
    expect({
      ...after,
      transaction_intents: after['transaction_intents']?.filter((row) => row !== added?.[0]),
      sandbox: undefined,
    }).toEqual({ ...before, sandbox: undefined })
  })

  test('case 65: a state with created intents is a fixture that serves the same', async () => {
    const { create, state } = await start()
    const created = [await create(whole), await create(minimal), await create({ ...whole, metadata: {} })]
    const again = await startSandbox({ fixtures: state.document() as Record<string, unknown> })
    for (const { json, text } of created) {
      expect((await again.call('GET', `${intents}/${json.id}`)).text).toBe(text)
    }
  })

  test('case 65: created_at follows the sandbox clock', async () => {
    const { create, retrieve, clock } = await start()
    clock.advance({ days: 1, hours: 2 })
    const created = await create(minimal)
    expect(created.json.created_at).toBe('2026-11-22T14:00:00.000Z')
    clock.advance({ days: 1 })
    expect((await retrieve(created.json.id)).text).toBe(created.text)
  })

  test('case 65: another workspace does not see it', async () => {
    const sandbox = await start()
    const { json } = await sandbox.create(minimal)
    const elsewhere = await sandbox.call('GET', `${intents}/${json.id}`, { key: 'sk_sandbox_full.w1' })
    expect([elsewhere.status, elsewhere.json]).toEqual([404, intentNotFound])
  })

  test('case 65: reset takes it away again', async () => {
    const sandbox = await startSandbox()
    const created = await sandbox.call('POST', intents, { json: minimal })
    sandbox.reset()
    expect((await sandbox.call('GET', `${intents}/${created.json.id}`)).json).toEqual(intentNotFound)
    expect((await sandbox.call('POST', intents, { json: minimal })).text).toBe(created.text)
  })

  test.each([
    [undefined, 200],
    [201, 201],
    [200, 200],
  ])('case 65: create_status=%s -> %s', async (create_status, status) => {
    const { create } = await start(create_status === undefined ? {} : { create_status })
    const answer = await create(whole)
    expect([answer.status, answer.assumptions]).toEqual([status, ['create_status']])
  })

  test('case 65: two products: the intent is in the one that was selected', async () => {
    const { call } = await start()
    const json = { customer_id: 'cus_hana', amount: 1, currency: 'USD', payment_method_id: 'pm_hana_card' }
    const inHarbor = { key: 'sk_sandbox_multi', headers: { 'x-service-merchant-key': 'mk_harbor' } }
    const inSummit = { key: 'sk_sandbox_multi', headers: { 'x-service-merchant-key': 'mk_summit' } }
    const created = await call('POST', intents, { ...inHarbor, json })
    expect(created.status).toBe(200)
    expect((await call('GET', `${intents}/${created.json.id}`, inHarbor)).text).toBe(created.text)
    expect((await call('GET', `${intents}/${created.json.id}`, inSummit)).json).toEqual(intentNotFound)
    expect((await call('POST', intents, { ...inSummit, json })).json).toEqual(customerNotFound)
  })
})

describe('case 66: an intent that does not exist', () => {
  test.each([
    ['unknown', 'int_nobody'],
    ['of another product', 'int_hana_1'],
    ['of other casing', 'INT_ADA_1'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['an encoded slash', 'a%2Fb'],
    ['an encoded zero byte', 'a%00b'],
    ['a percent sign that encodes nothing', '%zz'],
    ['5 KB long', 'i'.repeat(5000)],
    ['the id of something else', 'rwd_ada_pending'],
  ])('case 66: %s -> 404 C, its type spelt as the service spells it', async (_, id) => {
    const { retrieve, state } = await start()
    expect(state.get('transaction_intents', 'int_hana_1')).toBeDefined()
    const answer = await retrieve(id)
    expect([answer.status, answer.text]).toEqual([404, JSON.stringify(intentNotFound)])
    expect(answer.json.type).toBe('TRANSACTION_INTENT_FOUND_ERROR')
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
  })

  test.each([404, 400, 410])('case 66: not_found_status=%s -> that status', async (not_found_status) => {
    const { create, retrieve, expectUnchanged } = await start({ not_found_status })
    const answers = [
      [await retrieve('int_nobody'), intentNotFound],
      [await create({ ...whole, customer_id: 'cus_nobody' }), customerNotFound],
      [await create({ ...whole, payment_method_id: 'pm_nobody' }), methodNotFound],
    ] as const
    for (const [place, [answer, body]] of answers.entries()) {
      expect([answer.status, answer.json]).toEqual([not_found_status, body])
      expect(headersOf(answer)).toEqual(jsonHeaders(`req_default_${place + 1}`, ['not_found_status']))
    }
    expectUnchanged()
  })

  test.each([
    [
      'int_ada_1',
      {
        id: 'int_ada_1',
        customer_id: 'cus_ada',
        amount: 8400,
        currency: 'USD',
        status: 'CONFIRMED',
        created_at: '2026-10-20T18:00:00.000Z',
        payment_method_id: 'pm_ada_card',
        network_transaction_id: 'ntx_ada_0001',
        partner_transaction_id: 'partner-tx-1001',
        metadata: { order_id: 'order_ada_1' },
      },
    ],
    [
      'int_ada_2',
      {
        id: 'int_ada_2',
        customer_id: 'cus_ada',
        amount: 15900,
        currency: 'USD',
        status: 'CANCELED',
        created_at: '2026-10-12T09:20:00.000Z',
        payment_method_id: 'pm_ada_card',
        updated_at: '2026-10-12T10:00:00.000Z',
      },
    ],
  ])('%s of the fixtures -> 200 with exactly its served fields', async (id, body) => {
    const { retrieve } = await start()
    const answer = await retrieve(id)
    expect([answer.status, answer.json, answer.assumptions]).toEqual([200, body, []])
  })
})

describe('case 67: expected_date', () => {
  test.each([
    '2026-02-28',
    '2024-02-29',
    '2026-02-28T10:00:00Z',
    '2026-02-28t10:00:00z',
    '2026-02-28T10:00:00.123+05:30',
    '1990-12-31T23:59:60Z',
  ])('case 67: %s -> accepted, kept as it is, never served', async (expected_date) => {
    const { create, state } = await start()
    const answer = await create({ ...minimal, expected_date })
    expect(answer.status).toBe(200)
    expect(answer.json).not.toHaveProperty('expected_date')
    expect(state.get('transaction_intents', answer.json.id)).toHaveProperty('expected_date', expected_date)
  })

  test.each([
    '2026-02-30',
    '2026-02-28T10:00',
    '2026-02-28T10:00:00',
    '2026-02-29',
    '2026-2-28',
    'tomorrow',
    '',
    ' 2026-02-28',
  ])('case 67: %j -> 400 A', async (expected_date) => {
    const { create, expectUnchanged } = await start()
    const answer = await create({ ...minimal, expected_date })
    expect(answer.json).toEqual(invalid('expected_date: must be an RFC 3339 date or date-time'))
    expectUnchanged()
  })

  test.each([[1772272800], [['2026-02-28']]])('case 67: %j -> 400 A', async (expected_date) => {
    const { create } = await start()
    const answer = await create({ ...minimal, expected_date })
    expect(answer.json).toEqual(invalid('expected_date: must be a string'))
  })
})

describe('case 68: the same call twice', () => {
  test.each([
    ['as it is', {}, ['create_status']],
    ['with an Idempotency-Key', { 'idempotency-key': 'k1' }, ['create_status', 'idempotency_key']],
  ])('case 68: %s -> two intents, both to be had', async (_, headers, assumptions) => {
    const { create, retrieve, state } = await start()
    const before = state.size('transaction_intents')
    const first = await create(whole, headers)
    const second = await create(whole, headers)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.json).toEqual({ ...first.json, id: expect.any(String) })
    expect(second.json.id).not.toBe(first.json.id)
    expect([first.assumptions, second.assumptions]).toEqual([assumptions, assumptions])
    expect(state.size('transaction_intents')).toBe(before + 2)
    for (const { json, text } of [first, second]) expect((await retrieve(json.id)).text).toBe(text)
  })

  test('case 68: idempotency_key=refused -> 400 B, nothing stored; without the header nothing differs', async () => {
    const { create, expectUnchanged } = await start({ idempotency_key: 'refused' })
    const refused = await create(whole, { 'Idempotency-Key': 'k1' })
    expect([refused.status, refused.json]).toEqual([
      400,
      shapeB('BAD_REQUEST_ERROR', 'The header Idempotency-Key is not supported.'),
    ])
    expect(headersOf(refused)).toEqual(jsonHeaders('req_default_1', ['idempotency_key']))
    expectUnchanged()
    const created = await create(whole)
    expect([created.status, created.assumptions]).toEqual([200, ['create_status']])
  })

  test('case 68: an Idempotency-Key on a read -> means nothing, whatever is assumed', async () => {
    const { call } = await start({ idempotency_key: 'refused' })
    const answer = await call('GET', `${intents}/int_ada_1`, { headers: { 'idempotency-key': 'k1' } })
    expect([answer.status, answer.assumptions]).toEqual([200, []])
  })

  test('case 68: fifty at once -> fifty intents with ids of their own', async () => {
    const { create, state } = await start()
    const before = state.size('transaction_intents')
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(whole)))
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(50)
    expect(state.size('transaction_intents')).toBe(before + 50)
  })
})

describe('case 138: what an intent may use', () => {
  const validFields = { payment_method_id: 'pm_ada_card', network_transaction_id: 'ntx_new' }
  const ofMethod = 'payment_method_id: must'
  test.each<[AssumptionId, object, string]>([
    [
      'intent_payment_method_status',
      { payment_method_id: 'pm_ada_old' },
      `${ofMethod} not be a canceled payment method`,
    ],
    ['intent_payment_method_type', { payment_method_id: 'pm_ada_bank' }, `${ofMethod} be a card`],
    ['intent_payment_method_type', { payment_method_id: 'pm_ada_loan' }, `${ofMethod} be a card`],
    [
      'intent_network_id_reuse',
      { network_transaction_id: 'ntx_ada_0001' },
      'network_transaction_id: must not be that of another transaction intent',
    ],
    ['intent_past_date', { expected_date: '2026-11-20' }, 'expected_date: must not be in the past'],
    ['intent_past_date', { expected_date: '2026-11-21T11:59:59Z' }, 'expected_date: must not be in the past'],
  ])('case 138: %s, %j -> accepted, or 400 A', async (id, change, detail) => {
    const accepting = await start()
    const accepted = await accepting.create({ ...minimal, ...validFields, ...change })
    expect(accepted.status).toBe(200)
    expect(accepted.assumptions.includes(id)).toBe(id !== 'intent_network_id_reuse')
    const refusing = await start({ [id]: 'refuse' })
    const refused = await refusing.create({ ...minimal, ...validFields, ...change })
    expect([refused.status, refused.json]).toEqual([400, invalid(detail)])
    expect(refused.assumptions).toEqual([id])
    refusing.expectUnchanged()
    expect((await refusing.create({ ...minimal, ...validFields })).status).toBe(200)
  })

  test('case 138: intent_past_date=refuse, today and later -> accepted', async () => {
    const { create } = await start({ intent_past_date: 'refuse' })
    for (const expected_date of ['2026-11-21', '2026-11-21T12:00:00Z', '2026-12-01']) {
      const answer = await create({ ...minimal, ...validFields, expected_date })
      expect([answer.status, answer.assumptions]).toEqual([200, ['create_status']])
    }
  })

  test.each([
    [
      'of another customer',
      'pm_carla_card',
      [400, invalid(`${ofMethod} be a payment method of the customer`)],
    ],
    ['of another product', 'pm_hana_card', [404, methodNotFound]],
    ['unknown', 'pm_nobody', [404, methodNotFound]],
  ])(
    'case 138: intent_foreign_payment_method=refuse, a method %s',
    async (_, payment_method_id, expected) => {
      const { create } = await start({ intent_foreign_payment_method: 'refuse' })
      const answer = await create({ ...minimal, ...validFields, payment_method_id })
      expect([answer.status, answer.json]).toEqual(expected)
    },
  )

  test('case 138: several at once -> all are told', async () => {
    const { create } = await start({
      intent_payment_method_status: 'refuse',
      intent_past_date: 'refuse',
      intent_network_id_reuse: 'refuse',
    })
    const answer = await create({
      ...minimal,
      payment_method_id: 'pm_ada_old',
      network_transaction_id: 'ntx_ada_0001',
      expected_date: '2020-01-01',
    })
    expect(answer.json.details).toEqual([
      'payment_method_id: must not be a canceled payment method',
      'network_transaction_id: must not be that of another transaction intent',
      'expected_date: must not be in the past',
    ])
  })
})

describe('decisions about the customer, the payment method and the currency', () => {
  const path = '/v2/transaction_intents'
  const ofCard = { customer_id: 'cus_ada', amount: 4599, currency: 'USD', payment_method_id: 'pm_ada_card' }
  const euros = { ...ofCard, currency: 'EUR' }
  const closed = { customer_id: 'cus_grace', amount: 1, currency: 'USD' }
  const inactive = { ...ofCard, payment_method_id: 'pm_ada_virtual' }
  const small = { ...ofCard, currency: 'usd' }

  test.each<[Record<string, string>, object, string]>([
    [{ intent_inactive_method: 'accept' }, inactive, 'USD'],
    [{ intent_inactive_method: 'refuse' }, { ...ofCard, payment_method_id: 'pm_ada_old' }, 'USD'],
    [{ intent_payment_method_status: 'refuse' }, inactive, 'USD'],
    [{ intent_closed_customer: 'accept' }, closed, 'USD'],
    [{ intent_closed_customer: 'refuse' }, { ...closed, customer_id: 'cus_ben' }, 'USD'],
    [{ intent_currency: 'any_code' }, euros, 'EUR'],
    [{ intent_currency: 'of_the_account' }, ofCard, 'USD'],
    [{ intent_currency: 'of_the_account' }, { ...euros, payment_method_id: undefined }, 'EUR'],
    [{ intent_currency: 'of_the_account' }, { ...euros, payment_method_id: 'pm_ada_bank' }, 'EUR'],
  ])('%j, %j -> created in %s', async (assume, json, currency) => {
    const { call } = await startSandbox({ assume })
    const answer = await call('POST', path, { json })
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        ...JSON.parse(JSON.stringify(json)),
        currency,
        id: expect.any(String),
        status: 'CONFIRMED',
        created_at: '2026-11-21T12:00:00.000Z',
      },
    ])
    const read = await call('GET', `${path}/${answer.json.id}`)
    expect(read.text).toBe(answer.text)
  })

  test.each<[Record<string, string>, object, string]>([
    [
      { intent_inactive_method: 'refuse' },
      inactive,
      'payment_method_id: must not be an inactive payment method',
    ],
    [{ intent_closed_customer: 'refuse' }, closed, 'customer_id: must not be a closed customer'],
    [
      { intent_currency: 'of_the_account' },
      euros,
      'currency: must be that of the account of the payment method',
    ],
    [{}, small, 'currency: must be a 3-letter ISO 4217 code in upper case'],
  ])('%j, %j -> 400 of shape A: %s', async (assume, json, detail) => {
    const { call, state } = await startSandbox({ assume })
    const before = state.document()
    const answer = await call('POST', path, { json })
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        path,
        details: [detail],
        error: 'Bad Request',
        status: 400,
        timestamp: '2026-11-21T12:00:00.000Z',
      },
    ])
    expect(answer.assumptions).toEqual(['intent_required_fields', ...Object.keys(assume)])
    expect(state.document()).toEqual(before)
  })

  test('a customer who is closed in one of two programs, or has none -> created', async () => {
    const { call, state } = await startSandbox({ assume: { intent_closed_customer: 'refuse' } })
    const none = { 'Summit Rewards Card': null, other: null }
    for (const statuses of [{ other: 'ACTIVE' }, none]) {
      state.patch('customers', 'cus_grace', { statuses } as object)
      expect((await call('POST', path, { json: closed })).status).toBe(200)
    }
  })
})
