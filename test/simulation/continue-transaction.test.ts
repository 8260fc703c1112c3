import { describe, expect, it } from 'vitest'
import type { TransactionStatus } from '../../src/contract/resources/card-transaction.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { ConflictError, NotFoundError } from '../../src/input/refusals.ts'
import { simulateTransaction } from '../../src/simulation/arrive-transaction.ts'
import type { NextTransactionStep, ReportedTransaction } from '../../src/simulation/network-transaction.ts'
import type { State } from '../../src/store/state.ts'
import { begin, card, now, product, step, transaction, worldOf, type Rows } from '../helpers/simulation.ts'

const assumptions = {
  reward_rounding: 'down',
  refund_reward: 'own_row',
  transaction_amount: 'last_step',
} as const

const first: ReportedTransaction = {
  customer_id: 'cus_1',
  payment_method_id: 'pm_1',
  amount: 5000,
  currency: 'USD',
  merchant_name: 'Shop',
}

/** A customer with a card and an account, in a program that earns nothing. */
const world = (more: Rows = {}): State =>
  worldOf({
    products: [product({ categories: [] })],
    accounts: [{ id: 'acct_1', customer_id: 'cus_1', currency: 'USD' }],
    payment_methods: [card('pm_1', 'cus_1', 'acct_1')],
    ...more,
  })

const play = (
  state: State,
  input: ReportedTransaction | NextTransactionStep,
  at = now,
): ReturnType<typeof simulateTransaction> => simulateTransaction(begin(state), input, at, assumptions)

type Then = Omit<NextTransactionStep, 'transaction_id'>

/** Plays a whole life, and returns the function that plays the next step of it. */
function living(status: TransactionStatus, ...steps: Then[]) {
  const state = world()
  const { id } = play(state, { ...first, status }).transaction
  const next = (input: Then, at = now) => play(state, { transaction_id: id, ...input }, at)
  for (const input of steps) next(input)
  const idOf = (nth: number) => stepsOf(state)[nth]?.id ?? ''
  return { state, id, next, idOf }
}

const stepsOf = (state: State) =>
  begin(state)
    .scan('transactions', 'by_customer', 'cus_1')
    .flatMap(({ id }) => begin(state).scan('transaction_events', 'by_transaction', id))

const amountsOf = (state: State) => stepsOf(state).map(({ status, amount }) => [status, amount])

/** Returns the error of a step, which wrote nothing. */
function refusedBy(state: State, run: () => unknown): Error {
  const before = JSON.stringify([...state.all('transactions'), ...state.all('transaction_events')])
  let error: unknown
  try {
    run()
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(Error)
  expect(JSON.stringify([...state.all('transactions'), ...state.all('transaction_events')])).toBe(before)
  return error as Error
}

describe('the steps that can follow', () => {
  const statuses = ['APPROVED', 'UPDATED', 'VOIDED', 'CAPTURED', 'REFUNDED'] as const
  const states: [string, TransactionStatus, Then[], TransactionStatus, string][] = [
    // the state, the steps to it, its status, what can follow
    ['authorised', 'APPROVED', [], 'APPROVED', 'UPDATED, VOIDED or CAPTURED'],
    ['updated', 'APPROVED', [{ status: 'UPDATED', amount: 4000 }], 'UPDATED', 'UPDATED, VOIDED or CAPTURED'],
    ['updated to zero', 'APPROVED', [{ status: 'UPDATED', amount: 0 }], 'UPDATED', 'UPDATED or VOIDED'],
    ['voided', 'APPROVED', [{ status: 'VOIDED' }], 'VOIDED', ''],
    [
      'voided after an update',
      'APPROVED',
      [{ status: 'UPDATED', amount: 1 }, { status: 'VOIDED' }],
      'VOIDED',
      '',
    ],
    ['captured in part', 'APPROVED', [{ amount: 2000 }], 'CAPTURED', 'CAPTURED or REFUNDED'],
    ['captured', 'APPROVED', [{}], 'CAPTURED', 'REFUNDED'],
    [
      'captured after an update',
      'APPROVED',
      [{ status: 'UPDATED', amount: 4000 }, {}],
      'CAPTURED',
      'REFUNDED',
    ],
    ['captured without an authorisation', 'CAPTURED', [], 'CAPTURED', 'REFUNDED'],
    ['refunded in part', 'CAPTURED', [{ status: 'REFUNDED', amount: 1 }], 'REFUNDED', 'REFUNDED'],
    ['refunded', 'CAPTURED', [{ status: 'REFUNDED' }], 'REFUNDED', ''],
    [
      'captured in part, that refunded in part',
      'APPROVED',
      [{ amount: 2000 }, { status: 'REFUNDED', amount: 1 }],
      'REFUNDED',
      'CAPTURED or REFUNDED',
    ],
    [
      'captured in part, that refunded',
      'APPROVED',
      [{ amount: 2000 }, { status: 'REFUNDED' }],
      'REFUNDED',
      'CAPTURED',
    ],
    ['refunded without a capture', 'REFUNDED', [], 'REFUNDED', ''],
  ]

  it.each(
    states.flatMap(([name, start, steps, is, can]) =>
      statuses.map((status) => [name, status, start, steps, is, can] as const),
    ),
  )('%s -> %s', (_, status, start, steps, is, can) => {
    const { state, id, next } = living(start, ...steps)
    const amount = status === 'UPDATED' ? { amount: 3000 } : {}
    if (can.split(/, | or /).includes(status)) {
      const { transaction: row, event } = next({ status, ...amount })
      expect([row.status, event?.status]).toEqual([status, status])
      expect(state.get('transactions', id)).toEqual(row)
      expect(amountsOf(state).at(-1)).toEqual([status, event?.amount])
      return
    }
    const follows = can === '' ? 'nothing can follow' : `only ${can} can follow, not ${status}`
    expect(refusedBy(state, () => next({ status, ...amount }))).toEqual(
      new ConflictError(`transaction '${id}' is ${is}: ${follows}`),
    )
  })

  it.each(statuses)('a payment -> %s', (status) => {
    const state = world({ transactions: [transaction('txn_1', { amount: -500 })] })
    expect(refusedBy(state, () => play(state, { transaction_id: 'txn_1', status }))).toEqual(
      new ConflictError(
        `transaction 'txn_1' is a payment or a credit, which has no steps: nothing can follow`,
      ),
    )
  })

  it.each(['APPROVED', 'CAPTURED', 'REFUNDED'] as const)('%s begins a transaction', (status) => {
    const state = world()
    expect(play(state, { ...first, status }).transaction.status).toBe(status)
  })

  it.each(['UPDATED', 'VOIDED'] as const)('%s does not', (status) => {
    const state = world()
    expect(refusedBy(state, () => play(state, { ...first, status }))).toEqual(
      new ConflictError(
        `a transaction cannot begin as ${status}, only as APPROVED, CAPTURED or REFUNDED: name its transaction_id`,
      ),
    )
  })

  it('an unknown transaction -> not found, with the nearest there is', () => {
    const state = world({ transactions: [transaction('txn_1', {})] })
    expect(refusedBy(state, () => play(state, { transaction_id: 'txn_l' }))).toEqual(
      new NotFoundError("no transaction has the id 'txn_l', did you mean 'txn_1'?"),
    )
  })

  it('the steps of another transaction -> do not count', () => {
    const { state, next, id } = living('APPROVED')
    const other = play(state, first)
    expect(refusedBy(state, () => next({ status: 'REFUNDED' })).message).toContain(`'${id}' is APPROVED`)
    expect(play(state, { transaction_id: other.transaction.id, status: 'REFUNDED' }).event?.amount).toBe(5000)
  })
})

describe('the amounts', () => {
  it.each<[string, TransactionStatus, Then[], number]>([
    ['a capture -> all that is authorised', 'APPROVED', [{}], 5000],
    ['a capture -> the rest', 'APPROVED', [{ amount: 2000 }, { amount: 1000 }, {}], 2000],
    [
      'a capture -> the updated amount',
      'APPROVED',
      [{ status: 'UPDATED', amount: 4000 }, { status: 'UPDATED', amount: 4500 }, {}],
      4500,
    ],
    [
      'a capture -> the rest, whatever was refunded',
      'APPROVED',
      [{ amount: 2000 }, { status: 'REFUNDED', amount: 500 }, {}],
      3000,
    ],
    ['a refund -> all that was captured', 'CAPTURED', [{ status: 'REFUNDED' }], 5000],
    [
      'a refund -> the rest',
      'CAPTURED',
      [{ status: 'REFUNDED', amount: 1500 }, { status: 'REFUNDED', amount: 500 }, { status: 'REFUNDED' }],
      3000,
    ],
    [
      'a refund -> the only capture with a rest',
      'APPROVED',
      [{ amount: 2000 }, { status: 'REFUNDED' }, {}, { status: 'REFUNDED' }],
      3000,
    ],
    ['a void -> all that is authorised', 'APPROVED', [{ status: 'VOIDED' }], 5000],
    [
      'a void -> the updated amount',
      'APPROVED',
      [{ status: 'UPDATED', amount: 4000 }, { status: 'VOIDED' }],
      4000,
    ],
    ['an update may be higher', 'APPROVED', [{ status: 'UPDATED', amount: 9000 }], 9000],
    ['all to the last unit', 'APPROVED', [{ amount: 4999 }, { amount: 1 }], 1],
  ])('%s', (_, start, steps, amount) => {
    const { state, id } = living(start, ...steps)
    const last = stepsOf(state).at(-1)
    expect([last?.amount, state.get('transactions', id)?.amount]).toEqual([amount, amount])
  })

  it('several partial captures and refunds -> each a step, in the order in which they were played', () => {
    const { state, idOf, next } = living('APPROVED', { amount: 2000 }, { amount: 1000 }, { amount: 1500 })
    next({ status: 'REFUNDED', event_id: idOf(2), amount: 400 })
    next({ status: 'REFUNDED', event_id: idOf(1), amount: 2000 })
    next({ status: 'REFUNDED', event_id: idOf(2) })
    expect(amountsOf(state)).toEqual([
      ['APPROVED', 5000],
      ['CAPTURED', 2000],
      ['CAPTURED', 1000],
      ['CAPTURED', 1500],
      ['REFUNDED', 400],
      ['REFUNDED', 2000],
      ['REFUNDED', 600],
    ])
    expect(stepsOf(state).map(({ capture_id: of }) => of)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      idOf(2),
      idOf(1),
      idOf(2),
    ])
  })

  it.each<[string, TransactionStatus, Then[], Then, (id: string, capture: string) => Error]>([
    [
      'a capture above the authorised amount',
      'APPROVED',
      [],
      { amount: 5001 },
      (id) => new ConflictError(`transaction '${id}' has 5000 left to capture, not 5001`),
    ],
    [
      'a capture above the rest',
      'APPROVED',
      [{ amount: 2000 }, { status: 'REFUNDED' }],
      { amount: 3001 },
      (id) => new ConflictError(`transaction '${id}' has 3000 left to capture, not 3001`),
    ],
    [
      'a capture above the updated amount',
      'APPROVED',
      [{ status: 'UPDATED', amount: 100 }],
      { amount: 101 },
      (id) => new ConflictError(`transaction '${id}' has 100 left to capture, not 101`),
    ],
    [
      'a refund above the capture',
      'CAPTURED',
      [],
      { status: 'REFUNDED', amount: 5001 },
      (id, of) =>
        new ConflictError(`capture '${of}' of transaction '${id}' has 5000 left to refund, not 5001`),
    ],
    [
      'a refund above the rest of the capture',
      'CAPTURED',
      [{ status: 'REFUNDED', amount: 4000 }],
      { status: 'REFUNDED', amount: 1001 },
      (id, of) =>
        new ConflictError(`capture '${of}' of transaction '${id}' has 1000 left to refund, not 1001`),
    ],
    ['a capture of zero', 'APPROVED', [], { amount: 0 }, () => problem('amount: must be at least 1')],
    [
      'a refund of zero',
      'CAPTURED',
      [],
      { status: 'REFUNDED', amount: 0 },
      () => problem('amount: must be at least 1'),
    ],
    [
      'an update without an amount',
      'APPROVED',
      [],
      { status: 'UPDATED' },
      () => problem('amount: is required: the new amount of the authorisation'),
    ],
    [
      'a void with an amount',
      'APPROVED',
      [],
      { status: 'VOIDED', amount: 5000 },
      () => problem('amount: must be omitted: a void is of all that is authorised'),
    ],
    [
      'a negative amount',
      'CAPTURED',
      [],
      { status: 'REFUNDED', amount: -1 },
      () => problem('amount: must not be negative: the status gives the direction'),
    ],
  ])('%s -> refused, and nothing is written', (_, start, steps, input, error) => {
    const { state, id, next } = living(start, ...steps)
    const capture = stepsOf(state).find(({ status }) => status === 'CAPTURED')?.id ?? ''
    expect(refusedBy(state, () => next(input))).toEqual(error(id, capture))
  })

  it('refunds of two captures -> neither exceeds its own capture', () => {
    const { state, id, next, idOf } = living('APPROVED', { amount: 2000 }, {})
    const [one, other] = [idOf(1), idOf(2)]
    expect(refusedBy(state, () => next({ status: 'REFUNDED', event_id: one, amount: 2001 }))).toEqual(
      new ConflictError(`capture '${one}' of transaction '${id}' has 2000 left to refund, not 2001`),
    )
    next({ status: 'REFUNDED', event_id: one })
    expect(refusedBy(state, () => next({ status: 'REFUNDED', event_id: one }))).toEqual(
      new ConflictError(`capture '${one}' of transaction '${id}' has 0 left to refund`),
    )
    expect(next({ status: 'REFUNDED' }).event).toMatchObject({ amount: 3000, capture_id: other })
  })
})

/** The error for one problem of a transaction. */
function problem(text: string): DocumentError {
  const [path = '', ...message] = text.split(': ')
  return new DocumentError([{ source: 'transaction', path, message: message.join(': ') }])
}

describe('event_id', () => {
  it('with two captures to refund -> required, and the message names them', () => {
    const { state, id, next, idOf } = living('APPROVED', { amount: 2000 }, {})
    expect(refusedBy(state, () => next({ status: 'REFUNDED', amount: 1 }))).toEqual(
      new ConflictError(
        `transaction '${id}' has several captures to refund: name one by event_id: ${idOf(1)}, ${idOf(2)}`,
      ),
    )
  })

  it.each<[string, (life: ReturnType<typeof living>) => string]>([
    ['an unknown step', () => 'txe_none'],
    ['a step that is no capture', ({ idOf }) => idOf(0)],
    ['the id of the transaction', ({ id }) => id],
    ['a capture of another transaction', ({ state }) => play(state, first).event?.id ?? ''],
  ])('%s -> a conflict that names the captures', (_, named) => {
    const life = living('APPROVED', { amount: 2000 }, {})
    const captures = `${life.idOf(1)}, ${life.idOf(2)}`
    const event_id = named(life)
    expect(refusedBy(life.state, () => life.next({ status: 'REFUNDED', event_id }))).toEqual(
      new ConflictError(
        `event_id '${event_id}' is no capture of transaction '${life.id}': name one of ${captures}`,
      ),
    )
  })

  it.each<[TransactionStatus, Then]>([
    ['APPROVED', { status: 'UPDATED', amount: 1 }],
    ['APPROVED', { status: 'VOIDED' }],
    ['APPROVED', { status: 'CAPTURED' }],
  ])('of %s: %j -> refused', (start, input) => {
    const { state, next, idOf } = living(start)
    expect(refusedBy(state, () => next({ ...input, event_id: idOf(0) }))).toEqual(
      problem('event_id: must be omitted: only a refund names the capture that it refunds'),
    )
  })
})

describe('the time', () => {
  const last = '2026-11-21T12:00:00.000Z'

  it('on a frozen clock -> each step at that instant, in the order of playing', () => {
    const captures = Array.from({ length: 11 }, (_, at) => ({ amount: at + 1 }))
    const { state } = living('APPROVED', ...captures)
    expect(stepsOf(state).map(({ n, amount, posted_at }) => [n, amount, posted_at])).toEqual([
      [1, 5000, last],
      ...captures.map(({ amount }, at) => [at + 2, amount, last]),
    ])
  })

  it('on a clock that goes on -> now', () => {
    const { next } = living('APPROVED')
    expect(next({}, now + 5000).event?.posted_at).toBe('2026-11-21T12:00:05.000Z')
  })

  it.each([
    ['2026-11-21T12:00:00.001Z', true],
    ['2026-12-24T00:00:00+02:00', true],
    [last, true],
    ['2026-11-21T14:00:00+02:00', true],
    ['2026-11-21T11:59:59.999Z', false],
    ['2026-11-21T13:59:59+02:00', false],
  ])('posted_at %s', (posted_at, isAllowed) => {
    const { state, next } = living('APPROVED')
    if (isAllowed) {
      const { transaction: row, event } = next({ posted_at })
      expect([event?.posted_at, row.updated_at, row.created_at]).toEqual([posted_at, posted_at, last])
    } else {
      expect(refusedBy(state, () => next({ posted_at }))).toEqual(
        problem(`posted_at: must not be before ${last}, the time of the step before it`),
      )
    }
  })

  it('after a step that is ahead of the clock -> at the time of that one', () => {
    const { next } = living('APPROVED', { amount: 1, posted_at: '2026-12-24T00:00:00Z' })
    expect(next({}).event).toMatchObject({ n: 3, amount: 4999, posted_at: '2026-12-24T00:00:00.000Z' })
  })
})

describe('the rows', () => {
  it('each step -> the whole transaction, with what it changes, and the whole step', () => {
    const state = world()
    const begun = play(state, {
      ...first,
      status: 'APPROVED',
      merchant_code: '5812',
      network_transaction_id: 'ntx_1',
      authorization_code: 'A1',
      purchase_method: 'CHIP',
    })
    const { id } = begun.transaction
    const updated = play(state, {
      transaction_id: id,
      status: 'UPDATED',
      amount: 4000,
      authorization_code: 'A2',
    })
    const captured = play(state, { transaction_id: id, purchase_method: 'ONLINE' })
    const refunded = play(state, { transaction_id: id, status: 'REFUNDED', amount: 10 })
    const own = {
      id,
      customer_id: 'cus_1',
      payment_method_id: 'pm_1',
      account_id: 'acct_1',
      currency: 'USD',
      merchant_name: 'Shop',
      merchant_code: '5812',
      network_transaction_id: 'ntx_1',
      created_at: '2026-11-21T12:00:00.000Z',
    }
    const of = { id: expect.stringMatching(/^txe_\w{12}$/), transaction_id: id }
    const [chip, at] = [{ purchase_method: 'CHIP' }, '2026-11-21T12:00:00.000Z']
    expect([begun, updated, captured, refunded]).toStrictEqual([
      {
        transaction: { ...own, ...chip, authorization_code: 'A1', status: 'APPROVED', amount: 5000 },
        event: { ...of, n: 1, status: 'APPROVED', amount: 5000, posted_at: at },
        intent: null,
        reward: null,
      },
      {
        transaction: {
          ...own,
          ...chip,
          authorization_code: 'A2',
          status: 'UPDATED',
          amount: 4000,
          updated_at: at,
        },
        event: { ...of, n: 2, status: 'UPDATED', amount: 4000, posted_at: at },
        intent: null,
        reward: null,
      },
      {
        transaction: {
          ...own,
          purchase_method: 'ONLINE',
          authorization_code: 'A2',
          status: 'CAPTURED',
          amount: 4000,
          updated_at: at,
        },
        event: { ...of, n: 3, status: 'CAPTURED', amount: 4000, posted_at: at, account_id: 'acct_1' },
        intent: null,
        reward: null,
      },
      {
        transaction: {
          ...own,
          purchase_method: 'ONLINE',
          authorization_code: 'A2',
          status: 'REFUNDED',
          amount: 10,
          updated_at: at,
        },
        event: {
          ...of,
          n: 4,
          status: 'REFUNDED',
          amount: 10,
          posted_at: at,
          account_id: 'acct_1',
          capture_id: captured.event?.id,
        },
        intent: null,
        reward: null,
      },
    ])
    expect([...state.all('transactions')]).toStrictEqual([refunded.transaction])
    expect(new Set(stepsOf(state).map((row) => row.id)).size).toBe(4)
  })

  it.each([
    ['customer_id', 'cus_1'],
    ['payment_method_id', 'pm_1'],
    ['network_transaction_id', 'ntx_1'],
    ['currency', 'USD'],
    ['merchant_name', 'Shop'],
    ['merchant_code', '5812'],
    ['merchant', { name: 'Shop' }],
    ['intent_id', 'int_1'],
  ])('%s with a later step -> refused, even if it is alike', (field, value) => {
    const { state, next } = living('APPROVED')
    expect(refusedBy(state, () => next({ [field]: value }))).toEqual(
      problem(`${field}: must be omitted with transaction_id: the transaction has it`),
    )
  })

  it('an unknown field with a later step -> a suggestion', () => {
    const { state, next } = living('APPROVED')
    expect(refusedBy(state, () => next(JSON.parse('{"eventid":"x"}')))).toEqual(
      problem("eventid: unknown field, did you mean 'event_id'?"),
    )
  })

  it('a document with steps of its own -> continues from them, in the order of posting', () => {
    const state = world({
      transactions: [transaction('txn_1', { status: 'CAPTURED', amount: 300, account_id: 'acct_1' })],
      transaction_events: [
        step('txe_a', { amount: 300, posted_at: '2026-03-01T00:00:00Z' }),
        step('txe_z', { status: 'APPROVED', posted_at: '2026-02-01T00:00:00Z' }),
      ],
    })
    expect(play(state, { transaction_id: 'txn_1' }).event).toMatchObject({
      n: 3,
      status: 'CAPTURED',
      amount: 700,
    })
  })
})

describe('on an account that was closed', () => {
  const close = (state: State) =>
    state.put('accounts', { id: 'acct_1', customer_id: 'cus_1', currency: 'USD', status: 'CLOSED' })
  const message = "account 'acct_1' is CLOSED: no purchase begins on it"

  it.each(['APPROVED', 'CAPTURED'] as const)('a new %s -> refused', (status) => {
    const state = world()
    close(state)
    expect(refusedBy(state, () => play(state, { ...first, status }))).toEqual(new ConflictError(message))
  })

  it('a blind refund, and the steps of a purchase of before -> follow', () => {
    const { state, next } = living('APPROVED')
    close(state)
    expect(play(state, { ...first, status: 'REFUNDED' }).event?.account_id).toBe('acct_1')
    expect(next({}).event?.account_id).toBe('acct_1')
    expect(next({ status: 'REFUNDED' }).event?.account_id).toBe('acct_1')
  })
})

it('steps of a document that are numbered with gaps -> the next is numbered after the last, and stays the last', () => {
  const posted_at = new Date(now).toISOString()
  const state = world({
    transactions: [transaction('txn_1', { status: 'UPDATED', amount: 4000, payment_method_id: 'pm_1' })],
    transaction_events: [
      step('txe_1', { transaction_id: 'txn_1', n: 10, status: 'APPROVED', amount: 5000, posted_at }),
      step('txe_2', { transaction_id: 'txn_1', n: 20, status: 'UPDATED', amount: 4000, posted_at }),
    ],
  })
  expect(play(state, { transaction_id: 'txn_1', amount: 1000 }).event).toMatchObject({ n: 21, posted_at })
  expect(stepsOf(state).at(-1)).toMatchObject({ n: 21, status: 'CAPTURED', amount: 1000 })
  // Two steps without the first of them: no number is there twice.
  state.delete('transaction_events', 'txe_1')
  expect(play(state, { transaction_id: 'txn_1' }).event).toMatchObject({ n: 22, amount: 3000 })
})
