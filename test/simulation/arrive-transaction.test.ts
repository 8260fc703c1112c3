import { describe, expect, it } from 'vitest'
import {
  ConflictError,
  DocumentError,
  NotFoundError,
  type NetworkTransaction,
  type Sandbox,
  type SandboxOptions,
} from '../../src/index.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const bistro = { customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' }

/** The result of an input that none of our types allows. */
const arrive = (sandbox: Sandbox, input: unknown) => sandbox.simulate.transaction(input as NetworkTransaction)

/** The list in the message for a field that is similar to none. */
const expected =
  'expected one of: customer_id, payment_method_id, network_transaction_id, amount, currency, merchant_name, merchant_code, merchant, posted_at, status, purchase_method, authorization_code, intent_id, transaction_id, event_id'

describe('a transaction in so many words', () => {
  it('-> the transaction, no intent, and a pending reward', async () => {
    const sandbox = await startSandbox()
    const before = sandbox.state.size('transaction_intents')
    const made = sandbox.simulate.transaction({
      ...bistro,
      payment_method_id: 'pm_ada_card',
      network_transaction_id: 'ntx_1',
      merchant_code: '5812',
      posted_at: '2026-11-20T08:00:00-05:00',
    })
    const { transaction, event, intent, reward } = made
    expect(transaction).toStrictEqual({
      id: expect.stringMatching(/^txn_\w{12}$/),
      customer_id: 'cus_ada',
      payment_method_id: 'pm_ada_card',
      account_id: 'acct_ada',
      amount: 1250,
      currency: 'USD',
      status: 'CAPTURED',
      merchant_name: 'Corner Bistro',
      merchant_code: '5812',
      network_transaction_id: 'ntx_1',
      created_at: '2026-11-20T08:00:00-05:00',
    })
    expect(event).toStrictEqual({
      id: expect.stringMatching(/^txe_\w{12}$/),
      transaction_id: transaction.id,
      n: 1,
      status: 'CAPTURED',
      amount: 1250,
      posted_at: '2026-11-20T08:00:00-05:00',
      account_id: 'acct_ada',
      earn_rate: '3.00',
      reward_amount: 37,
      reward_id: reward?.id,
    })
    expect(intent).toBeNull()
    expect(reward).toStrictEqual({
      id: expect.stringMatching(/^rwd_\w{12}$/),
      customer_id: 'cus_ada',
      transaction_event_id: event?.id,
      amount: 37,
      type: 'TRANSACTION',
      currency: 'POINTS',
      status: 'PENDING',
      created_at: '2026-11-21T12:00:00.000Z',
    })
    expect(sandbox.state.get('transactions', transaction.id)).toStrictEqual(transaction)
    expect(sandbox.state.list('transaction_events')).toStrictEqual([event])
    expect((await sandbox.call('GET', `/v2/rewards/${reward?.id}`)).json).toEqual(reward)
    expect(sandbox.state.size('transaction_intents')).toBe(before)
  })

  it('with nothing but what it needs -> posted now, by no method', async () => {
    const { transaction, event } = (await startSandbox()).simulate.transaction(bistro)
    expect(transaction).toStrictEqual({
      id: expect.any(String),
      customer_id: 'cus_ada',
      account_id: 'acct_ada',
      amount: 1250,
      currency: 'USD',
      status: 'CAPTURED',
      merchant_name: 'Corner Bistro',
      created_at: '2026-11-21T12:00:00.000Z',
    })
    expect([event?.status, event?.posted_at]).toEqual(['CAPTURED', '2026-11-21T12:00:00.000Z'])
  })

  it('that an intent announced -> by the method of the intent, which stays as it was', async () => {
    const sandbox = await startSandbox()
    const before = await sandbox.call('GET', '/v2/transaction_intents/int_ada_1')
    const { transaction, intent } = sandbox.simulate.transaction({ ...bistro, amount: 8400 })
    expect([transaction.intent_id, transaction.payment_method_id]).toEqual(['int_ada_1', 'pm_ada_card'])
    expect(intent).toStrictEqual(before.json)
    expect((await sandbox.call('GET', '/v2/transaction_intents/int_ada_1')).text).toBe(before.text)
  })

  it('that its network id finds -> what it says itself counts', async () => {
    const { transaction, intent, reward } = (await startSandbox()).simulate.transaction({
      ...bistro,
      network_transaction_id: 'ntx_ada_0001',
      payment_method_id: 'pm_ada_secured',
      amount: 9900,
    })
    expect([intent?.id, intent?.amount]).toEqual(['int_ada_1', 8400])
    expect([transaction.amount, transaction.payment_method_id, reward?.amount]).toEqual([
      9900,
      'pm_ada_secured',
      297,
    ])
  })

  it('in another product -> earns in its currency', async () => {
    const made = (await startSandbox()).simulate.transaction({
      customer_id: 'cus_hana',
      amount: 4233,
      currency: 'USD',
      merchant_name: 'Coastline Fuel',
    })
    expect([made.reward?.amount, made.reward?.currency]).toEqual([126, 'USD'])
  })

  it.each<[string, SandboxOptions, number]>([
    ['down', {}, 18],
    ['half_up', { assume: { reward_rounding: 'half_up' } }, 19],
  ])('reward_rounding=%s -> 12.50 at 1.50 in points', async (_, options, amount) => {
    const { simulate } = await startSandbox(options)
    expect(simulate.transaction({ ...bistro, merchant_name: 'Green Basket Market' }).reward?.amount).toBe(
      amount,
    )
  })

  it.each<[string, object]>([
    ['credited back', { amount: -1250 }],
    ['of nothing', { amount: 0 }],
  ])('%s -> no reward', async (_, more) => {
    const { event, reward } = (await startSandbox()).simulate.transaction({ ...bistro, ...more })
    expect([reward, 'reward_id' in (event ?? {})]).toEqual([null, false])
  })

  it('in a program without a category for the rest -> no reward', async () => {
    const sandbox = await startSandbox()
    const { rewards } = sandbox.state.get('products', 'mk_summit') as { rewards: { categories: object[] } }
    sandbox.state.patch('products', 'mk_summit', { rewards: { categories: rewards.categories.slice(0, -1) } })
    expect(sandbox.simulate.transaction({ ...bistro, merchant_name: 'Shop' }).reward).toBeNull()
    expect(sandbox.simulate.transaction(bistro).reward?.amount).toBe(37)
  })
})

describe('{intent_id}', () => {
  it('-> just what the intent announced, posted now', async () => {
    const { transaction, event, intent, reward } = (await startSandbox()).simulate.transaction({
      intent_id: 'int_ada_1',
    })
    expect(transaction).toStrictEqual({
      id: expect.stringMatching(/^txn_/),
      customer_id: 'cus_ada',
      payment_method_id: 'pm_ada_card',
      account_id: 'acct_ada',
      amount: 8400,
      currency: 'USD',
      status: 'CAPTURED',
      merchant_name: 'Corner Bistro',
      merchant_code: '5812',
      intent_id: 'int_ada_1',
      network_transaction_id: 'ntx_ada_0001',
      partner_transaction_id: 'partner-tx-1001',
      created_at: '2026-11-21T12:00:00.000Z',
    })
    expect(intent?.id).toBe('int_ada_1')
    expect(intent).not.toHaveProperty('merchant_name')
    expect(intent).not.toHaveProperty('expected_date')
    expect([reward?.amount, reward?.transaction_event_id]).toEqual([252, event?.id])
  })

  it('of an intent that names no merchant -> earns as any merchant that no category lists', async () => {
    const sandbox = await startSandbox()
    sandbox.state.put('transaction_intents', 'int_1', {
      customer_id: 'cus_ada',
      amount: 1250,
      currency: 'USD',
    })
    const { transaction, reward } = sandbox.simulate.transaction({ intent_id: 'int_1' })
    expect([transaction.merchant_name, reward?.amount]).toEqual(['Unknown merchant', 12])
    expect(Object.keys(transaction)).not.toContain('payment_method_id')
  })
})

describe('the account', () => {
  it.each<[string, object, string | undefined]>([
    ['no method', {}, 'acct_ada'],
    ['a card', { payment_method_id: 'pm_ada_card' }, 'acct_ada'],
    ['a card that was canceled', { payment_method_id: 'pm_ada_old' }, 'acct_ada'],
    ['a purchase by bank account', { payment_method_id: 'pm_ada_bank' }, undefined],
    ['a payment from a bank account', { payment_method_id: 'pm_ada_bank', amount: -5000 }, 'acct_ada'],
    ['a loan', { payment_method_id: 'pm_ada_loan' }, undefined],
    ['another currency', { currency: 'EUR' }, undefined],
    ['a customer without one', { customer_id: 'cus_ben' }, undefined],
  ])('%s', async (_, more, account) => {
    const { transaction } = (await startSandbox()).simulate.transaction({ ...bistro, ...more })
    expect(transaction.account_id).toBe(account)
  })

  it('of a customer with two -> the one that the method names, or none', async () => {
    const sandbox = await startSandbox()
    sandbox.state.put('accounts', 'acct_2', { customer_id: 'cus_ada', currency: 'USD' })
    sandbox.state.patch('payment_methods', 'pm_ada_secured', { account_id: 'acct_2' })
    sandbox.state.patch('payment_methods', 'pm_ada_virtual', { account_id: null })
    const of = (method?: string) =>
      sandbox.simulate.transaction({
        ...bistro,
        ...(method === undefined ? {} : { payment_method_id: method }),
      }).transaction.account_id
    expect([of('pm_ada_card'), of('pm_ada_secured'), of('pm_ada_virtual'), of()]).toEqual([
      'acct_ada',
      'acct_2',
      undefined,
      undefined,
    ])
  })
})

describe('what is refused', () => {
  const problems: [string, unknown, string[]][] = [
    [
      'nothing',
      {},
      [
        'customer_id: is required',
        'amount: is required',
        'currency: is required',
        'merchant_name: is required',
      ],
    ],
    [
      'every field with a wrong value',
      {
        customer_id: '',
        payment_method_id: 1,
        network_transaction_id: 'a\u0000',
        amount: '12.50',
        currency: 'usd',
        merchant_name: '',
        merchant_code: 5812,
        posted_at: '2026-02-30T00:00:00Z',
      },
      [
        'customer_id: must be 1 to 200 characters without control characters',
        'payment_method_id: must be a string',
        'network_transaction_id: must be 1 to 200 characters without control characters',
        'amount: must be an integer',
        'currency: must be a 3-letter ISO 4217 code in upper case',
        'merchant_name: must not be empty',
        'merchant_code: must be a string',
        'posted_at: must be an RFC 3339 date-time',
      ],
    ],
    [
      'fields that there are not',
      { ...bistro, merchnt: 'x', merchnat_name: 'x', intentid: 'int_ada_1', reward: 'POSTED' },
      [
        "merchnt: unknown field, did you mean 'merchant'?",
        "merchnat_name: unknown field, did you mean 'merchant_name'?",
        "intentid: unknown field, did you mean 'intent_id'?",
        `reward: unknown field, ${expected}`,
      ],
    ],
    [
      'steps with wrong values',
      { ...bistro, status: 'POSTED', purchase_method: 'chip', authorization_code: 1, merchant: 'x' },
      [
        'merchant: must be a JSON object',
        'status: must be one of APPROVED, UPDATED, VOIDED, CAPTURED, REFUNDED',
        "purchase_method: must be one of CHIP, CONTACTLESS, KEYEDIN, ONLINE, SWIPE, QRCODE, OCR, UNKNOWN, did you mean 'CHIP'?",
        'authorization_code: must be a string',
      ],
    ],
    [
      'a merchant with two names',
      { ...bistro, merchant: { name: 'Skyline Air', town: 'x', address: { city: 1 } } },
      [
        'merchant.address.city: must be a string',
        'merchant.town: unknown field, expected one of: network_id, name, category, category_code, address',
        'merchant_name: must be omitted with merchant.name',
      ],
    ],
    [
      'a merchant without a name',
      { ...bistro, merchant_name: undefined, merchant: { category_code: '5812' } },
      ['merchant_name: is required'],
    ],
    [
      'a direction in the amount and in the status',
      { ...bistro, amount: -1, status: 'REFUNDED' },
      ['amount: must not be negative with a status, which gives the direction'],
    ],
    [
      'the capture of a new refund',
      { ...bistro, status: 'REFUNDED', event_id: 'txe_1' },
      ['event_id: must be omitted without transaction_id'],
    ],
    ['a fraction', { ...bistro, amount: 12.5 }, ['amount: must be an integer']],
    ['an amount beyond 2^53', { ...bistro, amount: 2 ** 53 }, ['amount: must be at most 9007199254740991']],
    ['null for left out', { ...bistro, posted_at: null }, ['posted_at: must be a string']],
    [
      'a field __proto__',
      JSON.parse('{"__proto__":1,"intent_id":"int_ada_1"}'),
      [`__proto__: unknown field, ${expected}`],
    ],
    ['null for an intent', { intent_id: null }, ['intent_id: must be a string']],
    [
      'an intent, and what it says',
      { intent_id: 'int_ada_1', amount: 1, mount: 1 },
      [
        'amount: must be omitted with intent_id: the intent has it',
        "mount: unknown field, did you mean 'amount'?",
      ],
    ],
    [
      'an intent, and a capture to refund',
      { intent_id: 'int_ada_1', event_id: 'txe_1' },
      ['event_id: must be omitted without transaction_id'],
    ],
    ['a list', [], ['must be a JSON object']],
    ['null', null, ['must be a JSON object']],
    ['a word', 'int_ada_1', ['must be a JSON object']],
    ['a date for its text', { ...bistro, posted_at: new Date(0) }, ['posted_at: must be a string']],
    [
      'more than a reward can hold',
      { ...bistro, currency: 'JPY', amount: Number.MAX_SAFE_INTEGER },
      ['amount: earns more than a JSON number can hold, at 3.00 POINTS each'],
    ],
  ]

  it.each(problems)('%s -> every problem, and nothing changes', async (_, input, reported) => {
    const sandbox = await startSandbox()
    const before = sandbox.state.document()
    let error: unknown
    try {
      arrive(sandbox, input)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(DocumentError)
    const { problems: found } = error as DocumentError
    expect(found.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))).toEqual(
      reported,
    )
    expect(found.map(({ source }) => source)).toEqual(reported.map(() => 'transaction'))
    expect(sandbox.state.document()).toEqual(before)
  })

  it.each<[string, NetworkTransaction, string]>([
    [
      'an unknown customer',
      { ...bistro, customer_id: 'cus_adda' },
      "no customer has the id 'cus_adda', did you mean 'cus_ada'?",
    ],
    [
      'one that is like nobody',
      { ...bistro, customer_id: 'nobody-at-all' },
      "no customer has the id 'nobody-at-all'",
    ],
    [
      'an unknown intent',
      { intent_id: 'int_ada_9' },
      "no transaction intent has the id 'int_ada_9', did you mean 'int_ada_1'?",
    ],
    [
      'an unknown method',
      { ...bistro, payment_method_id: 'pm_ada_crad' },
      "customer 'cus_ada' has no payment method 'pm_ada_crad', did you mean 'pm_ada_card'?",
    ],
    [
      'a method of somebody else',
      { ...bistro, payment_method_id: 'pm_hana_card' },
      "customer 'cus_ada' has no payment method 'pm_hana_card', did you mean 'pm_ada_card'?",
    ],
    [
      'the id of an inherited property',
      { intent_id: 'constructor' },
      "no transaction intent has the id 'constructor'",
    ],
  ])('%s -> not found, and nothing changes', async (_, input, message) => {
    const sandbox = await startSandbox()
    const before = sandbox.state.document()
    expect(() => sandbox.simulate.transaction(input)).toThrow(new NotFoundError(message))
    expect(() => sandbox.simulate.transaction(input)).toThrow(NotFoundError)
    expect(sandbox.state.document()).toEqual(before)
  })

  it('an intent the second time -> a conflict, and nothing changes', async () => {
    const sandbox = await startSandbox()
    const { transaction } = sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    const before = sandbox.state.document()
    const message = `intent 'int_ada_1' was matched to transaction '${transaction.id}'; an intent matches once`
    for (const again of [
      { intent_id: 'int_ada_1' },
      { ...bistro, amount: 1, network_transaction_id: 'ntx_ada_0001' },
    ]) {
      expect(() => sandbox.simulate.transaction(again)).toThrow(new ConflictError(message))
      expect(() => sandbox.simulate.transaction(again)).toThrow(ConflictError)
    }
    expect(sandbox.state.document()).toEqual(before)
    expect(sandbox.simulate.transaction({ ...bistro, amount: 8400 }).intent).toBeNull()
  })

  it('a canceled intent -> a conflict', async () => {
    const { simulate } = await startSandbox()
    expect(() => simulate.transaction({ intent_id: 'int_ada_2' })).toThrow(
      new ConflictError("intent 'int_ada_2' is CANCELED; only a CONFIRMED one can be matched"),
    )
  })

  it('an intent whose transaction is gone -> can be matched again', async () => {
    const sandbox = await startSandbox()
    const { transaction, event } = sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    sandbox.state.delete('transaction_events', event?.id ?? '')
    sandbox.state.delete('transactions', transaction.id)
    expect(sandbox.simulate.transaction({ intent_id: 'int_ada_1' }).intent?.id).toBe('int_ada_1')
  })

  it.each<[string, NetworkTransaction, string]>([
    ...(['UPDATED', 'VOIDED'] as const).flatMap((status): [string, NetworkTransaction, string][] => [
      [
        `${status} as the first step`,
        { ...bistro, status },
        `a transaction cannot begin as ${status}, only as APPROVED, CAPTURED or REFUNDED: name its transaction_id`,
      ],
      [
        `${status} as the first step of an announced one`,
        { intent_id: 'int_ada_1', status },
        `a transaction cannot begin as ${status}, only as APPROVED, CAPTURED or REFUNDED: name its transaction_id`,
      ],
    ]),
    [
      'REFUNDED as the first step of an announced one',
      { intent_id: 'int_ada_1', status: 'REFUNDED' },
      "intent 'int_ada_1' announced a purchase: capture it, then refund its transaction",
    ],
  ])('%s -> a conflict, and nothing changes', async (_, input, message) => {
    const sandbox = await startSandbox()
    const before = sandbox.state.document()
    expect(() => sandbox.simulate.transaction(input)).toThrow(new ConflictError(message))
    expect(sandbox.state.document()).toEqual(before)
  })
})

describe('the first step', () => {
  const created_at = '2026-11-21T12:00:00.000Z'
  const card = { ...bistro, payment_method_id: 'pm_ada_card' }
  const row = {
    id: expect.stringMatching(/^txn_/),
    customer_id: 'cus_ada',
    payment_method_id: 'pm_ada_card',
    account_id: 'acct_ada',
    amount: 1250,
    currency: 'USD',
    merchant_name: 'Corner Bistro',
    created_at,
  }
  const step = {
    id: expect.stringMatching(/^txe_/),
    transaction_id: expect.any(String),
    n: 1,
    amount: 1250,
    posted_at: created_at,
  }
  const earned = { reward_amount: 37, reward_id: expect.stringMatching(/^rwd_/) }

  it.each<[string, NetworkTransaction, object, object | null, [number, string] | null]>([
    [
      'APPROVED -> no reward, and nothing on the account',
      { ...card, status: 'APPROVED', authorization_code: 'A1', purchase_method: 'CHIP' },
      { ...row, status: 'APPROVED', authorization_code: 'A1', purchase_method: 'CHIP' },
      { ...step, status: 'APPROVED' },
      null,
    ],
    [
      'CAPTURED, forced',
      { ...card, status: 'CAPTURED' },
      { ...row, status: 'CAPTURED' },
      { ...step, status: 'CAPTURED', account_id: 'acct_ada', earn_rate: '3.00', ...earned },
      [37, 'PENDING'],
    ],
    [
      'REFUNDED, blind',
      { ...card, status: 'REFUNDED' },
      { ...row, status: 'REFUNDED' },
      { ...step, status: 'REFUNDED', account_id: 'acct_ada', ...earned },
      [37, 'PENDING_DEDUCTION'],
    ],
    [
      'a negative amount with a card -> REFUNDED, blind',
      { ...card, amount: -1250 },
      { ...row, status: 'REFUNDED' },
      { ...step, status: 'REFUNDED', account_id: 'acct_ada', ...earned },
      [37, 'PENDING_DEDUCTION'],
    ],
    [
      'a negative amount with a bank account -> a payment without a step',
      { ...card, payment_method_id: 'pm_ada_bank', amount: -1250 },
      { ...row, payment_method_id: 'pm_ada_bank', amount: -1250, posted_at: created_at },
      null,
      null,
    ],
    [
      'a merchant as the network reports it',
      {
        customer_id: 'cus_ada',
        amount: 1250,
        currency: 'USD',
        payment_method_id: 'pm_ada_card',
        merchant: {
          name: 'Corner Bistro',
          category_code: '5812',
          network_id: 'n1',
          category: 'Dining',
          address: { city: 'Oslo' },
        },
      },
      {
        ...row,
        status: 'CAPTURED',
        merchant_code: '5812',
        merchant: { network_id: 'n1', category: 'Dining', address: { city: 'Oslo' } },
      },
      { ...step, status: 'CAPTURED', account_id: 'acct_ada', earn_rate: '3.00', ...earned },
      [37, 'PENDING'],
    ],
    [
      'of an announced one',
      { intent_id: 'int_ada_1', status: 'APPROVED', authorization_code: 'A1', purchase_method: 'ONLINE' },
      {
        ...row,
        amount: 8400,
        status: 'APPROVED',
        merchant_code: '5812',
        intent_id: 'int_ada_1',
        network_transaction_id: 'ntx_ada_0001',
        partner_transaction_id: 'partner-tx-1001',
        authorization_code: 'A1',
        purchase_method: 'ONLINE',
      },
      { ...step, amount: 8400, status: 'APPROVED' },
      null,
    ],
  ])('%s', async (_, input, transaction, event, reward) => {
    const made = (await startSandbox()).simulate.transaction(input)
    expect([made.transaction, made.event]).toStrictEqual([transaction, event])
    expect(made.reward && [made.reward.amount, made.reward.status]).toEqual(reward)
  })

  it('a blind refund -> matches no intent, even with its network id', async () => {
    const { intent } = (await startSandbox()).simulate.transaction({
      ...card,
      amount: 8400,
      network_transaction_id: 'ntx_ada_0001',
      status: 'REFUNDED',
    })
    expect(intent).toBeNull()
  })

  it.each<[NetworkTransaction, string | null]>([
    [{ ...card, status: 'APPROVED' }, "account 'acct_ada' is CLOSED: no purchase begins on it"],
    [card, "account 'acct_ada' is CLOSED: no purchase begins on it"],
    [{ intent_id: 'int_ada_1' }, "account 'acct_ada' is CLOSED: no purchase begins on it"],
    [{ ...card, status: 'REFUNDED' }, null],
    [{ ...card, payment_method_id: 'pm_ada_bank', amount: -1250 }, null],
    [{ ...card, currency: 'EUR' }, null],
  ])('on a closed account: %j', async (input, message) => {
    const sandbox = await startSandbox()
    sandbox.state.patch('accounts', 'acct_ada', { status: 'CLOSED' })
    const simulate = () => sandbox.simulate.transaction(input)
    if (message === null) expect(simulate).not.toThrow()
    else expect(simulate).toThrow(new ConflictError(message))
  })
})

describe('around it', () => {
  it('what was answered can be changed by whoever has it -> no row changes', async () => {
    const sandbox = await startSandbox()
    const { transaction, intent, reward } = sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    const before = sandbox.state.document()
    for (const row of [transaction, intent, reward]) Object.assign(row ?? {}, { customer_id: 'cus_ben' })
    Object.assign(intent?.metadata ?? {}, { order_id: 'changed' })
    expect(sandbox.state.document()).toEqual(before)
  })

  it('the same seed, clock and calls -> the same ids', async () => {
    const [one, other] = await Promise.all([startSandbox(), startSandbox()])
    expect(one.simulate.transaction(bistro)).toEqual(other.simulate.transaction(bistro))
    const first = one.simulate.transaction(bistro)
    one.reset()
    one.simulate.transaction(bistro)
    expect(one.simulate.transaction(bistro)).toEqual(first)
  })

  it('a refused one takes no id of the sequence', async () => {
    const [one, other] = await Promise.all([startSandbox(), startSandbox()])
    expect(() => one.simulate.transaction({ ...bistro, currency: 'JPY', amount: 2 ** 53 - 1 })).toThrow()
    expect(one.simulate.transaction(bistro)).toEqual(other.simulate.transaction(bistro))
  })

  it('in a workspace -> there only', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    w1.simulate.transaction(bistro)
    expect([sandbox.state.size('transactions'), w1.state.size('transactions')]).toEqual([0, 1])
  })

  it('what was simulated -> is a state document that another sandbox loads', async () => {
    const sandbox = await startSandbox()
    sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    sandbox.simulate.statement({ account_id: 'acct_ada' })
    sandbox.simulate.transaction({ ...bistro, amount: -300, payment_method_id: 'pm_ada_bank' })
    const document = sandbox.state.document()
    const again = await startSandbox({ fixtures: { ...document } })
    expect(again.state.document()).toEqual(document)
    expect(() => again.simulate.transaction({ intent_id: 'int_ada_1' })).toThrow(ConflictError)
  })
})
