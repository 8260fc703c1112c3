import { describe, expect, it } from 'vitest'
import { ConflictError, NotFoundError } from '../../src/input/refusals.ts'
import { currentCards, isTestPan } from '../../src/secrets/cards.ts'
import { changePaymentMethod } from '../../src/simulation/change-payment-method.ts'
import type { Row } from '../../src/store/rows.ts'
import type { State } from '../../src/store/state.ts'
import { begin, now, worldOf, type Rows } from '../helpers/simulation.ts'

type Method = Row<'payment_methods'>

const created_at = '2025-01-01T00:00:00.000Z'
const today = '2026-11-21T12:00:00.000Z'
const base = { customer_id: 'cus_1', status: 'ACTIVE', created_at } as const

const details = (pan: string, exp_year = '2028') => ({
  last4: pan.slice(-4),
  network: 'VISA',
  exp_month: '03',
  exp_year,
  pci_details: { pan, exp_month: '03', exp_year, cvv: '123' },
})
const cardOf = (id: string, pan: string, more: Partial<Method> = {}): Method => ({
  ...base,
  id,
  type: 'CARD',
  card: details(pan),
  ...more,
})

const token = {
  type: 'APPLE_WALLET',
  token: 'tok_old',
  created_at,
  updated_at: created_at,
  expires_at: '2028-03-31T23:59:59.000Z',
  pan_reference_id: 'panref_old',
}

const methods: Method[] = [
  cardOf('pm_card', '4242424242424242', {
    metadata: { nickname: 'daily' },
    card: {
      ...details('4242424242424242'),
      card_type: 'PHYSICAL',
      card_design_id: 'design_1',
      tokens: [token, { type: 'ADYEN', token: 'tok_plain' }],
    },
    account_id: 'acct_1',
  }),
  cardOf('pm_inactive', '4111111111111111', { status: 'INACTIVE', updated_at: today }),
  cardOf('pm_canceled', '5555555555554444', { status: 'CANCELED' }),
  { ...base, id: 'pm_secured', type: 'CARD', secured_credit_card: details('4166676667666746', '2031') },
  { ...base, id: 'pm_hidden', type: 'CARD', card: { last4: '1881', tokens: [] } },
  { ...base, id: 'pm_bank', type: 'BANK_ACCOUNT', bank_account: { last4: '6789' } },
  { ...base, id: 'pm_loan', type: 'LOAN', loan: {} },
]
const accounts = [{ id: 'acct_1', customer_id: 'cus_1', currency: 'USD' }]

const wallet = (rows: Rows = {}): State => worldOf({ accounts, payment_methods: methods, ...rows })

const change = (input: unknown, state: State = wallet(), at: number = now): Method =>
  changePaymentMethod(begin(state), input, at).payment_method

const stored = (id: string): Method | undefined => methods.find((row) => row.id === id)

const id = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_\\w{12}$`))

describe('a status', () => {
  it.each([
    ['pm_card', 'INACTIVE', today],
    ['pm_card', 'CANCELED', today],
    ['pm_inactive', 'ACTIVE', '2026-11-21T12:00:00.001Z'],
    ['pm_inactive', 'CANCELED', '2026-11-21T12:00:00.001Z'],
    ['pm_bank', 'INACTIVE', today],
    ['pm_loan', 'CANCELED', today],
  ])('%s -> %s, and nothing else changes', (of, status, updated_at) => {
    const state = wallet()
    const row = change({ id: of, status }, state)
    expect(row).toEqual({ ...stored(of), status, updated_at })
    expect(state.get('payment_methods', of)).toEqual(row)
  })

  it.each([
    ['pm_card', 'ACTIVE', "payment method 'pm_card' is ACTIVE already"],
    ['pm_canceled', 'CANCELED', "payment method 'pm_canceled' is CANCELED already"],
    [
      'pm_canceled',
      'ACTIVE',
      "payment method 'pm_canceled' is CANCELED for good: send customer_id and type for a new card",
    ],
  ])('%s -> %s: a conflict', (of, status, message) => {
    expect(() => change({ id: of, status })).toThrow(new ConflictError(message))
  })
})

describe('a reissue', () => {
  it('-> the next free number of the list, a later expiry and new tokens', () => {
    // 4111… follows, and another payment method has it.
    const pci_details = { pan: '4012888888881881', exp_month: '03', exp_year: '2030', cvv: '356' }
    const expires_at = '2030-03-31T23:59:59.000Z'
    expect(change({ id: 'pm_card', reissue: true })).toEqual({
      ...base,
      id: 'pm_card',
      type: 'CARD',
      metadata: { nickname: 'daily' },
      updated_at: today,
      card: {
        last4: '1881',
        network: 'VISA',
        card_type: 'PHYSICAL',
        card_design_id: 'design_1',
        exp_month: '03',
        exp_year: '2030',
        pci_details,
        tokens: [
          {
            ...token,
            token: id('tok'),
            created_at: today,
            updated_at: today,
            expires_at,
            pan_reference_id: id('panref'),
          },
          { type: 'ADYEN', token: id('tok'), created_at: today, updated_at: today },
        ],
      },
      account_id: 'acct_1',
    })
  })

  it('of a secured card that expires late -> a year later', () => {
    const card = { last4: '4644', network: 'VISA', exp_month: '03', exp_year: '2032' }
    expect(change({ id: 'pm_secured', reissue: true })).toEqual({
      ...stored('pm_secured'),
      updated_at: today,
      secured_credit_card: {
        ...card,
        pci_details: {
          pan: '4646464646464644',
          exp_month: '03',
          exp_year: '2032',
          cvv: expect.stringMatching(/^\d{3}$/),
        },
      },
    })
  })

  it('of a card without pci_details -> other last digits, and the number stays hidden', () => {
    expect(change({ id: 'pm_hidden', reissue: true })).toEqual({
      ...stored('pm_hidden'),
      updated_at: today,
      card: { last4: '5556', network: 'VISA', exp_month: '11', exp_year: '2030', tokens: [] },
    })
  })

  it('of an INACTIVE one -> ACTIVE', () => {
    expect(change({ id: 'pm_inactive', reissue: true })).toMatchObject({
      status: 'ACTIVE',
      updated_at: '2026-11-21T12:00:00.001Z',
    })
  })

  it('again and again -> every number once before one comes again, each a test number', () => {
    const state = worldOf({ payment_methods: [cardOf('pm_1', '4242424242424242')] })
    const pans = currentCards.map(() => {
      const { last4, network, pci_details } = change({ id: 'pm_1', reissue: true }, state).card ?? {}
      const pan = pci_details?.pan ?? ''
      expect([last4, network]).toEqual([
        pan.slice(-4),
        currentCards.find((known) => known.pan === pan)?.network,
      ])
      expect(pci_details?.cvv).toHaveLength(network === 'AMEX' ? 4 : 3)
      return pan
    })
    expect(pans.at(-1)).toBe('4242424242424242')
    expect([new Set(pans).size, pans.every(isTestPan)]).toEqual([currentCards.length, true])
  })

  it.each([
    ['pm_bank', "payment method 'pm_bank' is of type BANK_ACCOUNT: only one of type CARD can be reissued"],
    ['pm_loan', "payment method 'pm_loan' is of type LOAN: only one of type CARD can be reissued"],
    [
      'pm_canceled',
      "payment method 'pm_canceled' is CANCELED for good: send customer_id and type for a new card",
    ],
  ])('of %s -> a conflict', (of, message) => {
    expect(() => change({ id: of, reissue: true })).toThrow(new ConflictError(message))
  })

  it.each([
    { id: 'pm_0', reissue: true },
    { customer_id: 'cus_1', type: 'CARD' },
  ])('%j without a free number -> a conflict with the next step', (input) => {
    const state = worldOf({ payment_methods: currentCards.map(({ pan }, at) => cardOf(`pm_${at}`, pan)) })
    expect(() => change(input, state)).toThrow(
      new ConflictError(
        'every well-known test number is that of a payment method: remove one of them with ' +
          '`state delete payment_methods ID`, or use another workspace',
      ),
    )
  })
})

describe('a new card', () => {
  const card = {
    last4: '1881',
    network: 'VISA',
    card_type: 'VIRTUAL',
    exp_month: '11',
    exp_year: '2030',
    pci_details: { pan: '4012888888881881', exp_month: '11', exp_year: '2030', cvv: '356' },
  }
  const second = { id: 'acct_2', customer_id: 'cus_1', currency: 'USD' }

  it.each([
    ['on the only account', accounts, { account_id: 'acct_1' }],
    ['without an account', [], {}],
    ['with two accounts', [...accounts, second], {}],
  ])('of a customer %s', (_, rows, more) => {
    const payment_methods = methods.map(({ account_id: _account, ...row }) => row)
    const state = wallet({ accounts: rows, payment_methods })
    const row = change({ customer_id: 'cus_1', type: 'CARD' }, state)
    expect(row).toEqual({ ...base, id: id('pm'), type: 'CARD', created_at: today, card, ...more })
    expect(state.get('payment_methods', row.id)).toEqual(row)
  })

  it('equal changes of equal states -> equal rows', () => {
    const inputs = [
      { id: 'pm_card', reissue: true },
      { customer_id: 'cus_1', type: 'CARD' },
      { id: 'pm_bank', status: 'INACTIVE' },
    ]
    const [one, other] = [wallet(), wallet()]
    expect(inputs.map((input) => change(input, one))).toEqual(inputs.map((input) => change(input, other)))
  })
})

describe('an input that is refused', () => {
  const forms = 'send id with status, id with reissue, or customer_id with type'

  it.each<[unknown, string]>([
    [{}, `payment method: an empty object names no change: ${forms}`],
    [{ id: 'pm_card' }, `payment method: id names no change: ${forms}`],
    [{ id: 'pm_card', status: undefined }, `payment method: id names no change: ${forms}`],
    [
      { id: 'pm_card', status: 'INACTIVE', reissue: true },
      `payment method: id, status, and reissue do not go together: ${forms}`,
    ],
    [{ id: 'pm_card', type: 'CARD' }, `payment method: id and type do not go together: ${forms}`],
    [
      { customer_id: 'cus_1', status: 'ACTIVE' },
      `payment method: status and customer_id do not go together: ${forms}`,
    ],
    [
      { id: 1, stauts: 'ACTIVE' },
      "payment method id: must be a string\npayment method stauts: unknown field, did you mean 'status'?",
    ],
    [
      { id: 'pm_card', status: 'Active' },
      "payment method status: must be one of ACTIVE, INACTIVE, CANCELED, did you mean 'ACTIVE'?",
    ],
    [{ id: 'pm_card', reissue: false }, 'payment method reissue: must be one of true'],
    [{ customer_id: 'cus_1', type: 'LOAN' }, 'payment method type: must be one of CARD'],
    [[], 'payment method: must be a JSON object'],
  ])('%j -> every problem', (input, message) => {
    expect(() => change(input)).toThrow(expect.objectContaining({ name: 'DocumentError', message }))
  })

  it.each([
    [{ id: 'pm_crad', status: 'ACTIVE' }, "no payment method has the id 'pm_crad', did you mean 'pm_card'?"],
    [{ customer_id: 'cus_3', type: 'CARD' }, "no customer has the id 'cus_3', did you mean 'cus_1'?"],
  ])('%j -> not found', (input, message) => {
    expect(() => change(input)).toThrow(new NotFoundError(message))
  })
})
