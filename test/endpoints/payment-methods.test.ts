import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { headersOf, invalid as invalidAt, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { startSandbox, type Answered, type CallOptions } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

const methods = '/v2/payment_methods'
const withoutPci = 'sk_sandbox_without_pci_details_read'

/** All of Ada's, newest first; the two of equal created_at by ascending id. */
const ofAda = ['pm_ada_virtual', 'pm_ada_loan', 'pm_ada_secured', 'pm_ada_bank', 'pm_ada_card', 'pm_ada_old']

const invalid = (...details: string[]) => invalidAt(methods, ...details)
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

/** A sandbox that lists, and fails when a list or a retrieval changes anything. */
async function start(assume: UnvalidatedSettings = {}) {
  const sandbox = await startSandbox({ assume })
  const unchanged = async (call: () => Promise<Answered>): Promise<Answered> => {
    const before = JSON.stringify(sandbox.state.document())
    const answer = await call()
    expect(JSON.stringify(sandbox.state.document())).toBe(before)
    return answer
  }
  return {
    ...sandbox,
    state: sandbox.state,
    list: (json: unknown, options: CallOptions = {}) =>
      unchanged(() => sandbox.call('POST', methods, { ...options, json })),
    retrieve: (id: string, options: CallOptions = {}) =>
      unchanged(() => sandbox.call('GET', `${methods}/${id}`, options)),
  }
}

const idsOf = ({ json }: Answered): string[] => json.data.map((row: { id: string }) => row.id)

/** The assumption of rows without metadata, which all but one lack. */
const lackingMetadata = (ids: readonly string[]) =>
  ids.some((id) => id !== 'pm_ada_card') ? ['payment_method_fields'] : []

const card = {
  id: 'pm_ada_card',
  type: 'CARD',
  customer_id: 'cus_ada',
  created_at: '2024-07-16T10:00:00.000Z',
  status: 'ACTIVE',
  metadata: { nickname: 'everyday' },
  card: {
    last4: '4242',
    network: 'VISA',
    card_type: 'PHYSICAL',
    card_design_id: 'design_summit_blue',
    exp_month: '09',
    exp_year: '2029',
    pci_details: { pan: '4242424242424242', exp_month: '09', exp_year: '2029', cvv: '737' },
    tokens: [
      {
        type: 'APPLE_WALLET',
        token: 'tok_ada_apple',
        created_at: '2024-08-01T12:00:00.000Z',
        updated_at: '2025-08-01T12:00:00.000Z',
        expires_at: '2029-09-30T23:59:59.000Z',
        pan_reference_id: 'panref_ada_1',
      },
      {
        type: 'ADYEN',
        token: 'tok_ada_google',
        created_at: '2025-02-11T08:30:00.000Z',
        updated_at: '2025-02-11T08:30:00.000Z',
        expires_at: '2029-09-30T23:59:59.000Z',
        pan_reference_id: 'panref_ada_2',
      },
    ],
  },
  updated_at: '2025-08-01T12:00:00.000Z',
}
const secured = {
  id: 'pm_ada_secured',
  type: 'CARD',
  customer_id: 'cus_ada',
  created_at: '2025-03-02T14:20:00.000Z',
  status: 'ACTIVE',
  secured_credit_card: {
    last4: '4444',
    network: 'MASTERCARD',
    card_type: 'PHYSICAL',
    card_design_id: 'design_summit_secured',
    exp_month: '03',
    exp_year: '2028',
    pci_details: { pan: '5555555555554444', exp_month: '03', exp_year: '2028', cvv: '204' },
  },
}
const bank = {
  id: 'pm_ada_bank',
  type: 'BANK_ACCOUNT',
  customer_id: 'cus_ada',
  created_at: '2024-07-20T11:00:00.000Z',
  status: 'ACTIVE',
  bank_account: {
    last4: '6789',
    routing_number: '110000000',
    bank_name: 'First Sandbox Bank',
    account_type: 'CHECKING',
  },
}
const loan = {
  id: 'pm_ada_loan',
  type: 'LOAN',
  customer_id: 'cus_ada',
  created_at: '2025-05-12T13:45:00.000Z',
  status: 'ACTIVE',
  loan: {
    amount: 500000,
    term_months: 24,
    currency: 'USD',
    remaining_balance: 312500,
    apr: '11.90',
    loan_status: 'ACTIVE',
  },
}

describe('case 69: listing', () => {
  test('case 69: a customer -> 200 with all of them, newest first, nothing changed', async () => {
    const { list } = await start()
    const answer = await list({ customer_id: 'cus_ada' })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['data', 'has_more', 'total'])
    expect(idsOf(answer)).toEqual(ofAda)
    expect([answer.json.has_more, answer.json.total]).toEqual([false, 6])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', [
        'payment_method_fields',
        'payment_methods_order',
        'payment_methods_listed',
      ]),
    )
  })

  test('case 69: a customer without any -> an empty list', async () => {
    const { list } = await start()
    const answer = await list({ customer_id: 'cus_ben' })
    expect([answer.status, answer.text]).toEqual([200, '{"data":[],"has_more":false,"total":0}'])
  })

  test('case 69: more than a page of other lists -> still all at once', async () => {
    const { list, state } = await start()
    for (let n = 1000; n < 1250; n++) {
      state.put('payment_methods', `pm_ben_${n}`, {
        type: 'BANK_ACCOUNT',
        customer_id: 'cus_ben',
        status: 'ACTIVE',
        bank_account: { last4: String(n) },
      })
    }
    const answer = await list({ customer_id: 'cus_ben' })
    expect([answer.json.data.length, answer.json.has_more, answer.json.total]).toEqual([250, false, 250])
  })

  test.each([
    ['CARD', ['pm_ada_virtual', 'pm_ada_secured', 'pm_ada_card', 'pm_ada_old']],
    ['BANK_ACCOUNT', ['pm_ada_bank']],
    ['LOAN', ['pm_ada_loan']],
  ])('case 69: type %s -> %o', async (type, ids) => {
    const { list } = await start()
    const answer = await list({ customer_id: 'cus_ada', type })
    expect([idsOf(answer), answer.json.has_more, answer.json.total]).toEqual([ids, false, ids.length])
  })

  test('case 69: each one of the list -> the same bytes when it is retrieved', async () => {
    const { list, retrieve } = await start()
    const { json } = await list({ customer_id: 'cus_ada' })
    for (const row of json.data) expect((await retrieve(row.id)).text).toBe(JSON.stringify(row))
  })

  test('case 69: limit and starting_after -> unknown fields, ignored whatever they hold', async () => {
    const { list } = await start()
    const plain = await list({ customer_id: 'cus_ada' })
    const extras = [{ limit: 1 }, { limit: 'x' }, { limit: 0, starting_after: 7 }]
    for (const [place, extra] of extras.entries()) {
      const answer = await list({ customer_id: 'cus_ada', ...extra })
      expect([answer.status, answer.text]).toEqual([200, plain.text])
      expect(headersOf(answer)).toEqual(
        jsonHeaders(`req_default_${place + 2}`, [
          'unknown_body_fields',
          'payment_method_fields',
          'payment_methods_order',
          'payment_methods_listed',
          'payment_methods_pagination',
        ]),
      )
    }
  })

  test('case 69: a method put into the state -> listed at once', async () => {
    const { list, state } = await start()
    state.put('payment_methods', 'pm_ben_bank', {
      type: 'BANK_ACCOUNT',
      customer_id: 'cus_ben',
      created_at: '2026-01-01T00:00:00Z',
      status: 'ACTIVE',
      bank_account: { last4: '0001' },
    })
    expect(idsOf(await list({ customer_id: 'cus_ben' }))).toEqual(['pm_ben_bank'])
  })
})

describe('case 70: the filter that is needed', () => {
  const bodies = {
    '{}': {},
    'a type': { type: 'CARD' },
    'a pan': { pan: '4242424242424242' },
    'a customer': { customer_id: 'cus_ada' },
  }
  test.each([
    [undefined, '{}', 'customer_id: is required'],
    [undefined, 'a type', 'customer_id: is required'],
    [undefined, 'a pan', 'customer_id: is required'],
    [undefined, 'a customer', ofAda],
    ['customer_id_or_pan', '{}', 'body: customer_id or pan is required'],
    ['customer_id_or_pan', 'a type', 'body: customer_id or pan is required'],
    ['customer_id_or_pan', 'a pan', ['pm_ada_card']],
    ['customer_id_or_pan', 'a customer', ofAda],
    ['customer_id', '{}', 'customer_id: is required'],
    ['customer_id', 'a type', 'customer_id: is required'],
    ['customer_id', 'a pan', 'customer_id: is required'],
    ['customer_id', 'a customer', ofAda],
    ['none', '{}', ['pm_ada_virtual', 'pm_ada_loan', 'pm_ada_secured', 'pm_carla_card', ...ofAda.slice(3)]],
    ['none', 'a type', ['pm_ada_virtual', 'pm_ada_secured', 'pm_carla_card', 'pm_ada_card', 'pm_ada_old']],
    ['none', 'a pan', ['pm_ada_card']],
    ['none', 'a customer', ofAda],
  ] as const)('case 70: payment_methods_required_filter=%s, %s -> %s', async (value, sent, outcome) => {
    const { list } = await start(value === undefined ? {} : { payment_methods_required_filter: value })
    const answer = await list(bodies[sent])
    const rests = sent === 'a customer' ? [] : ['payment_methods_required_filter']
    if (typeof outcome === 'string') {
      expect([answer.status, answer.json]).toEqual([400, invalid(outcome)])
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', rests))
    } else {
      expect([answer.status, idsOf(answer)]).toEqual([200, outcome])
      expect(headersOf(answer)).toEqual(
        jsonHeaders('req_default_1', [
          ...rests,
          ...lackingMetadata(outcome),
          ...(idsOf(answer).includes('pm_ada_old') ? ['payment_methods_listed'] : []),
          ...(outcome.length > 1 ? ['payment_methods_order'] : []),
        ]),
      )
    }
  })

  test.each([
    [{}, 'customer_id: is required'],
    [{ payment_methods_required_filter: 'customer_id_or_pan' }, 'body: customer_id or pan is required'],
  ])('case 70: null is no filter under %j', async (assume, detail) => {
    const { list } = await start(assume)
    const answer = await list({ customer_id: null })
    expect([answer.status, answer.json]).toEqual([400, invalid(detail)])
  })

  test('case 70, 130: no body -> 400 A', async () => {
    const { call } = await start()
    const answer = await call('POST', methods)
    expect([answer.status, answer.json]).toEqual([400, invalid('body: is empty; expected a JSON object')])
  })
})

describe('case 71: bad filters', () => {
  const typeRule = 'type: must be one of CARD, BANK_ACCOUNT, LOAN'
  const panRule = 'pan: must be 12 to 19 digits'
  test.each<[string, object, string[]]>([
    ['a type in lower case', { type: 'card' }, [typeRule]],
    ['a type that is no type', { type: 'CRYPTO' }, [typeRule]],
    ['an empty type', { type: '' }, [typeRule]],
    ['a type of another type', { type: 1 }, [typeRule]],
    ['a pan with blanks', { pan: '4242 4242 4242 4242' }, [panRule]],
    ['a short pan', { pan: '42424242424' }, [panRule]],
    ['a long pan', { pan: '4'.repeat(20) }, [panRule]],
    ['a pan of other digits', { pan: '４２４２４２４２４２４２４２４２' }, [panRule]],
    ['a pan that is a number', { pan: 4242424242424242 }, ['pan: must be a string']],
    ['a customer that is a list', { customer_id: ['cus_ada'] }, ['customer_id: must be a string']],
    [
      'all of it',
      { customer_id: 1, type: 'card', pan: '4242 4242' },
      ['customer_id: must be a string', typeRule, panRule],
    ],
  ])('case 71: %s -> 400 A, the PAN not told', async (_, json, details) => {
    const { list } = await start()
    const answer = await list({ customer_id: 'cus_ada', ...json })
    expect([answer.status, answer.json]).toEqual([400, invalid(...details)])
    expect(answer.text).not.toMatch(/4242|４２/)
  })
})

/** Rows as they are, without metadata that they lack. */
const asInTheState = { payment_method_fields: 'as_in_the_state' }

/** A list by card number alone. */
const byCustomerOrPan = { payment_methods_required_filter: 'customer_id_or_pan' }

describe('case 72: filters add up', () => {
  const pan = '4242424242424242'
  test.each<[string, object, string[]]>([
    ['pan alone', { pan }, ['pm_ada_card']],
    ['its customer and pan', { customer_id: 'cus_ada', pan }, ['pm_ada_card']],
    ['its customer, type and pan', { customer_id: 'cus_ada', type: 'CARD', pan }, ['pm_ada_card']],
    ['another type and pan', { customer_id: 'cus_ada', type: 'LOAN', pan }, []],
    ['another customer and pan', { customer_id: 'cus_carla', pan }, []],
    ['the pan of a secured card', { pan: '5555555555554444' }, ['pm_ada_secured']],
    ['the pan of a canceled card', { pan: '4111111111111111' }, ['pm_ada_old']],
    ['a pan nobody has', { pan: '4000000000000002' }, []],
    ['a pan of another product', { pan: '4000056655665556' }, []],
    ['the first digits of a pan', { pan: '424242424242' }, []],
  ])('case 72: %s -> %o', async (_, json, ids) => {
    const { list, state } = await start(byCustomerOrPan)
    expect(state.get('payment_methods', 'pm_hana_card')).toHaveProperty(
      'card.pci_details.pan',
      '4000056655665556',
    )
    for (const key of ['sk_sandbox_full', withoutPci, 'sk_sandbox_none']) {
      const answer = await list(json, { key })
      expect([answer.status, idsOf(answer)]).toEqual([200, ids])
      expect([answer.json.has_more, answer.json.total]).toEqual([false, ids.length])
    }
  })

  test.each<[object, string[]]>([
    [{ customer_id: 'cus_ada', pan }, ['pm_ada_card']],
    [{ customer_id: 'cus_ada', type: 'CARD', pan }, ['pm_ada_card']],
    [{ customer_id: 'cus_ada', type: 'LOAN', pan }, []],
    [{ customer_id: 'cus_carla', pan }, []],
    [{ customer_id: 'cus_ada', pan: '5555555555554444' }, ['pm_ada_secured']],
    [{ customer_id: 'cus_ada', pan: '4111111111111111' }, ['pm_ada_old']],
    [{ customer_id: 'cus_ada', pan: '4000000000000002' }, []],
    [{ customer_id: 'cus_ada', pan: '4000056655665556' }, []],
  ])('case 72: by default, %j -> %o', async (json, ids) => {
    const { list } = await start()
    for (const key of ['sk_sandbox_full', withoutPci, 'sk_sandbox_none']) {
      const answer = await list(json, { key })
      expect([answer.status, idsOf(answer)]).toEqual([200, ids])
      expect([answer.json.has_more, answer.json.total]).toEqual([false, ids.length])
    }
  })

  test('case 72: by pan without PCI_DETAILS_READ -> found, and the details still absent', async () => {
    const { pci_details: _, ...shown } = secured.secured_credit_card
    const row = { ...secured, secured_credit_card: shown }
    const ofSecured = { pan: '5555555555554444' }
    for (const [assume, json, data] of [
      [byCustomerOrPan, ofSecured, [{ ...row, metadata: {} }]],
      [{}, { customer_id: 'cus_ada', ...ofSecured }, [{ ...row, metadata: {} }]],
      [{ ...byCustomerOrPan, ...asInTheState }, ofSecured, [row]],
      [asInTheState, { customer_id: 'cus_ada', ...ofSecured }, [row]],
    ] as const) {
      const { list } = await start(assume)
      const answer = await list(json, { key: withoutPci })
      expect(answer.json.data).toEqual(data)
      expect(answer.text).not.toContain(ofSecured.pan)
    }
  })

  test('case 72: one card number of two customers -> both', async () => {
    const { list, state } = await start(byCustomerOrPan)
    state.put('payment_methods', 'pm_ben_card', {
      type: 'CARD',
      customer_id: 'cus_ben',
      created_at: '2020-01-01T00:00:00Z',
      status: 'ACTIVE',
      card: { last4: '4242', pci_details: { pan } },
    })
    expect(idsOf(await list({ pan }))).toEqual(['pm_ada_card', 'pm_ben_card'])
    expect(idsOf(await list({ pan, customer_id: 'cus_ben' }))).toEqual(['pm_ben_card'])
  })

  test('case 72: one card number of two customers, by default -> the one of the customer', async () => {
    const { list, state } = await start()
    state.put('payment_methods', 'pm_ben_card', {
      type: 'CARD',
      customer_id: 'cus_ben',
      created_at: '2020-01-01T00:00:00Z',
      status: 'ACTIVE',
      card: { last4: '4242', pci_details: { pan } },
    })
    expect(idsOf(await list({ pan, customer_id: 'cus_ben' }))).toEqual(['pm_ben_card'])
    expect(idsOf(await list({ pan, customer_id: 'cus_ada' }))).toEqual(['pm_ada_card'])
  })
})

describe('case 73: a customer that does not exist', () => {
  const unknown = ['cus_nobody', 'cus_hana', 'CUS_ADA', '', '__proto__', 'constructor', '\ud800']

  test.each(unknown)('case 73: %j -> 404 C, the same bytes', async (customer_id) => {
    const { list, state } = await start()
    expect(state.get('customers', 'cus_hana')).toHaveProperty('product', 'mk_harbor')
    const answer = await list({ customer_id })
    expect([answer.status, answer.text]).toEqual([404, JSON.stringify(customerNotFound)])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['not_found_status', 'payment_methods_unknown_customer']),
    )
  })

  test.each(unknown)(
    'case 73: payment_methods_unknown_customer=empty_list, %j -> none',
    async (customer_id) => {
      const { list } = await start({ payment_methods_unknown_customer: 'empty_list' })
      const extras = [{}, { type: 'CARD' }, { pan: '4242424242424242' }, { pan: '4000056655665556' }]
      for (const [place, extra] of extras.entries()) {
        const answer = await list({ customer_id, ...extra })
        expect([answer.status, answer.text]).toEqual([200, '{"data":[],"has_more":false,"total":0}'])
        expect(headersOf(answer)).toEqual(
          jsonHeaders(`req_default_${place + 1}`, ['payment_methods_unknown_customer']),
        )
      }
    },
  )

  test.each([404, 400, 410])('case 73: not_found_status=%s -> that status', async (not_found_status) => {
    const { list, retrieve } = await start({ not_found_status })
    const listed = await list({ customer_id: 'cus_nobody' })
    expect([listed.status, listed.json]).toEqual([not_found_status, customerNotFound])
    const retrieved = await retrieve('pm_nobody')
    expect([retrieved.status, retrieved.json]).toEqual([not_found_status, methodNotFound])
    expect(headersOf(retrieved)).toEqual(jsonHeaders('req_default_2', ['not_found_status']))
  })

  test('case 73: unknown, and a bad type -> 400 A, as validation comes first', async () => {
    const { list } = await start()
    const answer = await list({ customer_id: 'cus_nobody', type: 'card' })
    expect(answer.json).toEqual(invalid('type: must be one of CARD, BANK_ACCOUNT, LOAN'))
  })

  test('a key of two products -> the customers of the selected one', async () => {
    const { list } = await start()
    const select = (merchantKey: string): CallOptions => ({
      key: 'sk_sandbox_multi',
      headers: { 'x-service-merchant-key': merchantKey },
    })
    expect(idsOf(await list({ customer_id: 'cus_hana' }, select('mk_harbor')))).toEqual(['pm_hana_card'])
    expect((await list({ customer_id: 'cus_hana' }, select('mk_summit'))).json).toEqual(customerNotFound)
  })
})

describe('case 74: the shape of each type', () => {
  test.each([
    ['a card', {}, card],
    ['a secured credit card', {}, { ...secured, metadata: {} }],
    ['a bank account', {}, { ...bank, metadata: {} }],
    ['a loan', {}, { ...loan, metadata: {} }],
    ['a card', asInTheState, card],
    ['a secured credit card', asInTheState, secured],
    ['a bank account', asInTheState, bank],
    ['a loan', asInTheState, loan],
  ])(
    'case 74: %s under %j -> its own sub-object, every field of the contract and no others',
    async (_, assume, body) => {
      const { retrieve } = await start(assume)
      const answer = await retrieve(body.id)
      expect([answer.status, answer.json]).toEqual([200, body])
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', lackingMetadata([body.id])))
    },
  )

  test.each([
    ['a card', 'pm_ada_card', 'card'],
    ['a secured credit card', 'pm_ada_secured', 'secured_credit_card'],
  ])(
    'case 74: %s without PCI_DETAILS_READ -> pci_details is absent, all else the same',
    async (_, id, part) => {
      const { retrieve, list } = await start()
      const full = (await retrieve(id)).json
      const { pci_details: __, ...shown } = full[part]
      for (const key of [withoutPci, 'sk_sandbox_none']) {
        const answer = await retrieve(id, { key })
        expect([answer.status, answer.json]).toEqual([200, { ...full, [part]: shown }])
        const listed = (await list({ customer_id: 'cus_ada' }, { key })).json.data
        expect(listed.find((row: { id: string }) => row.id === id)).toEqual(answer.json)
      }
    },
  )

  test('case 74: of all four kinds -> exactly one sub-object, the one of its type', async () => {
    const { list } = await start({ payment_methods_required_filter: 'none' })
    const parts = ['card', 'secured_credit_card', 'bank_account', 'loan']
    const allowed: Record<string, string[]> = {
      CARD: ['card', 'secured_credit_card'],
      BANK_ACCOUNT: ['bank_account'],
      LOAN: ['loan'],
    }
    const seen = new Set<string>()
    for (const row of (await list({})).json.data) {
      const present = parts.filter((part) => part in row)
      expect(present).toHaveLength(1)
      expect(allowed[row.type]).toContain(present[0])
      present.forEach((part) => seen.add(part))
      // The account is ours, not the contract's.
      expect(row).not.toHaveProperty('account_id')
    }
    expect([...seen].toSorted()).toEqual(parts.toSorted())
  })

  test('case 74: the expiry of a card -> text of two and four digits', async () => {
    const { retrieve } = await start()
    const { exp_month, exp_year, pci_details } = (await retrieve('pm_ada_secured')).json.secured_credit_card
    expect([exp_month, exp_year, pci_details.exp_month, pci_details.exp_year]).toEqual([
      '03',
      '2028',
      '03',
      '2028',
    ])
  })

  test.each([
    ['unknown', 'pm_nobody'],
    ['of another product', 'pm_hana_card'],
    ['of other casing', 'PM_ADA_CARD'],
    ['__proto__', '__proto__'],
    ['an encoded slash', 'a%2Fb'],
    ['an encoded zero byte', 'a%00b'],
    ['a percent sign that encodes nothing', '%zz'],
    ['5 KB long', 'p'.repeat(5000)],
    ['a card number', '4242424242424242'],
  ])('a payment method that is %s -> 404 C, the same bytes', async (_, id) => {
    const { retrieve } = await start()
    const answer = await retrieve(id)
    expect([answer.status, answer.text]).toEqual([404, JSON.stringify(methodNotFound)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
  })
})

test('case 139: payment_methods_order=oldest_first -> the other way round, rows of one instant by id', async () => {
  const { list } = await start({ payment_methods_order: 'oldest_first' })
  const answer = await list({ customer_id: 'cus_ada' })
  expect(idsOf(answer)).toEqual([
    'pm_ada_card',
    'pm_ada_old',
    'pm_ada_bank',
    'pm_ada_secured',
    'pm_ada_loan',
    'pm_ada_virtual',
  ])
  expect(answer.assumptions).toEqual([
    'payment_method_fields',
    'payment_methods_order',
    'payment_methods_listed',
  ])
})

describe('payment_methods_pagination=limit_and_starting_after', () => {
  const paged = { payment_methods_pagination: 'limit_and_starting_after' }

  test.each([
    [{ limit: 1 }, ofAda.slice(0, 1), true],
    [{ limit: 5 }, ofAda.slice(0, 5), true],
    [{ limit: 6 }, ofAda, false],
    [{ limit: 7 }, ofAda, false],
    [{ limit: 9007199254740991 }, ofAda, false],
    [{ starting_after: 'pm_ada_bank' }, ['pm_ada_card', 'pm_ada_old'], false],
    [{ starting_after: 'pm_ada_bank', limit: 1 }, ['pm_ada_card'], true],
    [{ starting_after: 'pm_ada_card', limit: 1 }, ['pm_ada_old'], false],
    [{ starting_after: 'pm_ada_old' }, [], false],
    [{ type: 'CARD', limit: 2 }, ['pm_ada_virtual', 'pm_ada_secured'], true],
    [{ type: 'CARD', limit: 2, starting_after: 'pm_ada_secured' }, ['pm_ada_card', 'pm_ada_old'], false],
  ])('%o -> %o, more: %s', async (page, ids, has_more) => {
    const { list } = await start(paged)
    const answer = await list({ customer_id: 'cus_ada', ...page })
    const total = 'type' in page ? 4 : 6
    expect([idsOf(answer), answer.json.has_more, answer.json.total]).toEqual([ids, has_more, total])
    const isWhole = ids.length === ofAda.length
    const rests = [
      ...(isWhole ? [] : ['payment_methods_pagination']),
      ...lackingMetadata(ids),
      'payment_methods_listed',
      'payment_methods_order',
    ]
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', rests))
  })

  test('without a limit -> default_page_size', async () => {
    const { list } = await start({ ...paged, default_page_size: 4 })
    const answer = await list({ customer_id: 'cus_ada' })
    expect([idsOf(answer), answer.json.has_more]).toEqual([ofAda.slice(0, 4), true])
  })

  test.each([
    [{ limit: 0 }, 'limit: must be at least 1'],
    [{ limit: -1 }, 'limit: must be at least 1'],
    [{ limit: 1.5 }, 'limit: must be an integer'],
    [{ limit: '1' }, 'limit: must be an integer'],
    [{ limit: 1e300 }, 'limit: must be at most 9007199254740991'],
    [{ starting_after: 7 }, 'starting_after: must be a string'],
  ])('%o -> 400 A: %s', async (page, detail) => {
    const { list } = await start(paged)
    expect((await list({ customer_id: 'cus_ada', ...page })).json).toEqual(invalid(detail))
  })

  test.each(['pm_nobody', 'pm_carla_card', 'pm_hana_card', '', '__proto__'])(
    'starting_after %j, which is not in the list -> as unknown_cursor says',
    async (starting_after) => {
      const json = { customer_id: 'cus_ada', starting_after }
      const rests = ['payment_methods_pagination', 'unknown_cursor']
      const refused = await (await start(paged)).list(json)
      expect(refused.json).toEqual(invalid('starting_after: must be the id of a listed payment method'))
      expect(headersOf(refused)).toEqual(jsonHeaders('req_default_1', rests))
      const empty = await (await start({ ...paged, unknown_cursor: 'empty_page' })).list(json)
      expect(empty.json).toEqual({ data: [], has_more: false, total: 6 })
      // Its total counts the payment methods that are listed.
      const counted = ['payment_methods_listed', 'payment_methods_pagination', 'unknown_cursor']
      expect(headersOf(empty)).toEqual(jsonHeaders('req_default_1', counted))
      const first = await (await start({ ...paged, unknown_cursor: 'first_page' })).list(json)
      expect([idsOf(first), first.json.total]).toEqual([ofAda, 6])
      // The first page holds the whole list, which pages do not change.
      const ordered = [
        'payment_method_fields',
        'payment_methods_order',
        'payment_methods_listed',
        'unknown_cursor',
      ]
      expect(headersOf(first)).toEqual(jsonHeaders('req_default_1', ordered))
    },
  )

  test('a walk -> every method exactly once, for any page size and number of them', async () => {
    const { call, state } = await start(paged)
    let rows = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 12 }),
        async (added, limit) => {
          for (let n = 0; n < added; n++, rows++) {
            state.put('payment_methods', `pm_ben_${rows}`, {
              type: 'BANK_ACCOUNT',
              customer_id: 'cus_ben',
              // Some of them at the same instant.
              created_at: `2026-01-01T00:00:0${rows % 7}Z`,
              status: 'ACTIVE',
              bank_account: { last4: '0001' },
            })
          }
          const seen: string[] = []
          for (let cursor: string | undefined, more = true; more; cursor = seen.at(-1)) {
            const json = { customer_id: 'cus_ben', limit, ...(cursor ? { starting_after: cursor } : {}) }
            const answer = await call('POST', methods, { json })
            expect(answer.json.total).toBe(rows)
            expect(answer.json.data.length).toBe(Math.min(limit, rows - seen.length))
            seen.push(...idsOf(answer))
            more = answer.json.has_more
          }
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.length).toBe(rows)
        },
      ),
      { seed: 1, numRuns: samples(25) },
    )
  })
})

describe('payment_methods_listed', () => {
  const active = ['pm_ada_loan', 'pm_ada_secured', 'pm_ada_bank', 'pm_ada_card']

  test('active_only -> the ACTIVE ones and their number, each as it is without the assumption', async () => {
    const json = { customer_id: 'cus_ada' }
    const all = await (await start()).list(json)
    const answer = await (await start({ payment_methods_listed: 'active_only' })).list(json)
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        data: all.json.data.filter(({ id }: { id: string }) => active.includes(id)),
        has_more: false,
        total: 4,
      },
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', [
        'payment_method_fields',
        'payment_methods_order',
        'payment_methods_listed',
      ]),
    )
  })

  test('active_only, a customer whose payment methods are all ACTIVE -> not named', async () => {
    const answer = await (
      await start({ payment_methods_listed: 'active_only' })
    ).list({
      customer_id: 'cus_carla',
    })
    expect([idsOf(answer), answer.assumptions]).toEqual([['pm_carla_card'], ['payment_method_fields']])
  })

  test('active_only, pages -> a payment method that is not listed names no place', async () => {
    const { list } = await start({
      payment_methods_pagination: 'limit_and_starting_after',
      payment_methods_listed: 'active_only',
    })
    const page = await list({ customer_id: 'cus_ada', limit: 1, starting_after: 'pm_ada_loan' })
    expect([idsOf(page), page.json.has_more, page.json.total]).toEqual([['pm_ada_secured'], true, 4])
    const refused = await list({ customer_id: 'cus_ada', starting_after: 'pm_ada_old' })
    expect([refused.status, refused.json]).toEqual([
      400,
      invalid('starting_after: must be the id of a listed payment method'),
    ])
    expect(refused.assumptions).toEqual([
      'payment_methods_listed',
      'payment_methods_pagination',
      'unknown_cursor',
    ])
  })
})
