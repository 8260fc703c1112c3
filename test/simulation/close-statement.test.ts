import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statementComponents } from '../../src/contract/resources/statement.ts'
import { rowSchemas, type Row } from '../../src/store/rows.ts'
import type { State } from '../../src/store/state.ts'
import { ConflictError, NotFoundError } from '../../src/input/refusals.ts'
import { closeStatement } from '../../src/simulation/close-statement.ts'
import { begin, card, now, statement, step, transaction, worldOf, type Rows } from '../helpers/simulation.ts'

const accounts = [{ id: 'acct_1', customer_id: 'cus_1', currency: 'USD' }]
const bank: Row<'payment_methods'> = {
  id: 'pm_bank',
  customer_id: 'cus_1',
  type: 'BANK_ACCOUNT',
  status: 'ACTIVE',
  created_at: '2026-01-01T00:00:00Z',
  bank_account: { last4: '6789' },
}
const loan: Row<'payment_methods'> = { ...bank, id: 'pm_loan', type: 'LOAN', loan: {} }
const payment_methods = [card('pm_card', 'cus_1', 'acct_1'), bank, loan]

type Posted = Pick<Row<'transaction_events'>, 'account_id' | 'statement_id' | 'posted_at'> &
  Pick<Row<'transactions'>, 'currency'>

/** A purchase with its only step. */
function purchase(
  at: number,
  amount: number,
  { currency = 'USD', ...more }: Partial<Posted> = {},
  status: Row<'transaction_events'>['status'] = 'CAPTURED',
): Required<Pick<Rows, 'transactions' | 'transaction_events'>> {
  const own = { account_id: 'acct_1', posted_at: '2026-11-10T00:00:00Z', ...more }
  const { account_id } = own
  const payment_method_id = 'pm_card'
  return {
    transactions: [transaction(`txn_${at}`, { status, amount, account_id, currency, payment_method_id })],
    transaction_events: [step(`txe_${at}`, { transaction_id: `txn_${at}`, status, amount, ...own })],
  }
}

/** A payment or a credit. */
const posted = (id: string, amount: number, more: Partial<Row<'transactions'>> = {}): Row<'transactions'> =>
  transaction(id, { amount, account_id: 'acct_1', posted_at: '2026-11-10T00:00:00Z', ...more })

/** The rows of several worlds in one. */
const together = (...worlds: readonly Rows[]): Rows => ({
  transactions: worlds.flatMap(({ transactions = [] }) => transactions),
  transaction_events: worlds.flatMap(({ transaction_events: steps = [] }) => steps),
})

const cycle = (rows: Rows): State => worldOf({ accounts, payment_methods, ...rows })

const close = (state: State, at: number = now): Row<'statements'> =>
  closeStatement(begin(state), { account_id: 'acct_1' }, at).statement

describe('a cycle of nothing', () => {
  it('on an account without statements -> all zero, of 30 days, due in 25', () => {
    expect(close(cycle({}))).toEqual({
      statement_id: expect.stringMatching(/^stm_\w{12}$/),
      customer_id: 'cus_1',
      account_id: 'acct_1',
      period_start_date: '2026-10-22T12:00:00.000Z',
      period_end_date: '2026-11-21T12:00:00.000Z',
      due_date: '2026-12-16T12:00:00.000Z',
      currency: 'USD',
      statement_balance: 0,
      minimum_due: 0,
      previous_balance: 0,
      purchases: 0,
      payments: 0,
      credits: 0,
      refunds: 0,
      interest: 0,
      fees: 0,
    })
  })

  it('after a statement -> goes on from its end and its balance', () => {
    const statements = [
      statement('stm_2', { statement_balance: 42_000, minimum_due: 2500 }),
      statement('stm_1', { period_end_date: '2026-09-30T23:59:59Z', statement_balance: 7 }),
    ]
    expect(close(cycle({ statements }))).toMatchObject({
      period_start_date: '2026-11-01T00:00:00.000Z',
      previous_balance: 42_000,
      statement_balance: 42_000,
      minimum_due: 2500,
    })
  })
})

describe('the sign convention', () => {
  type Counted = Partial<Record<(typeof statementComponents)[number], number>>

  const without = (amount: number, method?: string): Rows => ({
    transactions: [posted('txn_1', amount, method === undefined ? {} : { payment_method_id: method })],
  })

  it.each<[string, Rows, Counted, number]>([
    ['captured', purchase(1, 1250), { purchases: 1250 }, 1250],
    ['captured for nothing', purchase(1, 0), { purchases: 0 }, 0],
    ['refunded', purchase(1, 1250, {}, 'REFUNDED'), { refunds: -1250 }, -1250],
    ['authorised', purchase(1, 1250, {}, 'APPROVED'), {}, 0],
    ['authorised anew', purchase(1, 1250, {}, 'UPDATED'), {}, 0],
    ['voided', purchase(1, 1250, {}, 'VOIDED'), {}, 0],
    ['credited back to a card, without a step', without(-1250, 'pm_card'), { refunds: -1250 }, -1250],
    ['credited back to a loan', without(-1250, 'pm_loan'), { refunds: -1250 }, -1250],
    ['paid from a bank account', without(-1250, 'pm_bank'), { payments: -1250 }, -1250],
    ['credited to no method', without(-1250), { credits: -1250 }, -1250],
    ['charged to a bank account, by a document', without(1250, 'pm_bank'), { purchases: 1250 }, 1250],
    ['charged to no method, by a document', without(1250), { purchases: 1250 }, 1250],
  ])('%s', (_, rows, counted, balance) => {
    const made = close(cycle(rows))
    const components = Object.fromEntries(statementComponents.map((name) => [name, made[name]]))
    expect(components).toEqual({
      ...Object.fromEntries(statementComponents.map((name) => [name, 0])),
      ...counted,
    })
    expect(made.statement_balance).toBe(balance)
  })

  it('no amount is -0, which JSON readers could tell from 0', () => {
    const rows = together(purchase(1, 5), purchase(2, 5, {}, 'REFUNDED'), purchase(3, 0, {}, 'REFUNDED'))
    const values = Object.values(close(cycle(rows)))
    expect(values.filter((value) => Object.is(value, -0))).toEqual([])
  })

  it('any transactions -> a statement that keeps every rule of statements, and adds up', () => {
    const some = fc.record({
      status: fc.constantFrom('APPROVED', 'CAPTURED', 'REFUNDED', undefined),
      amount: fc.nat(100_000),
      isCharged: fc.boolean(),
      payment_method_id: fc.constantFrom('pm_card', 'pm_bank', 'pm_loan', undefined),
      currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
      account_id: fc.constantFrom('acct_1', 'acct_1', 'acct_2', undefined),
      statement_id: fc.constantFrom(undefined, undefined, 'stm_1'),
      posted_at: fc
        .integer({ min: -40, max: 5 })
        .map((days) => new Date(now + days * 86_400_000).toISOString()),
    })
    const before = fc.option(fc.integer({ min: -50_000, max: 50_000 }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 30 }), before, (drawn, balance) => {
        const worlds = drawn.map(({ status, amount, isCharged, payment_method_id, ...more }, at): Rows => {
          if (status !== undefined) return purchase(at, amount, more, status)
          const signed = isCharged ? amount : -amount
          return { transactions: [transaction(`txn_${at}`, { amount: signed, payment_method_id, ...more })] }
        })
        const statements = balance === undefined ? [] : [statement('stm_1', { statement_balance: balance })]
        const state = cycle({ ...together(...worlds), statements })
        const made = close(state)
        expect(rowSchemas.statements.safeParse(made).error).toBeUndefined()
        const counted = drawn.flatMap((row, at) =>
          row.status !== 'APPROVED' &&
          row.account_id === 'acct_1' &&
          row.currency === 'USD' &&
          row.statement_id === undefined &&
          Date.parse(row.posted_at) <= now
            ? [{ id: `${row.status === undefined ? 'txn' : 'txe'}_${at}`, row }]
            : [],
        )
        const total = counted.reduce(
          (sum, { row: { status, amount, isCharged } }) =>
            sum + (status === 'CAPTURED' || (status === undefined && isCharged) ? amount : -amount),
          balance ?? 0,
        )
        expect(made.statement_balance).toBe(total)
        expect(statementComponents.reduce((sum, name) => sum + made[name], 0)).toBe(total)
        expect(made.minimum_due >= 0 && made.minimum_due <= Math.max(0, total)).toBe(true)
        expect(Date.parse(made.period_start_date) < Date.parse(made.period_end_date)).toBe(true)
        const billed = [...state.all('transactions'), ...state.all('transaction_events')].filter(
          (row) => row.statement_id === made.statement_id,
        )
        expect(billed.map(({ id }) => id).toSorted()).toEqual(counted.map(({ id }) => id).toSorted())
      }),
    )
  })
})

describe('the transactions of a cycle', () => {
  it('are written on the statement, which each stands on once', () => {
    const [one, other] = [purchase(1, 700), purchase(2, 50)]
    const credit = posted('txn_3', -20)
    const state = cycle(together(one, other, { transactions: [credit] }))
    const first = close(state)
    const { statement_id } = first
    expect([first.purchases, first.credits]).toEqual([750, -20])
    const [, ...rows] = [...state.all('transactions'), ...state.all('transaction_events')]
    expect([state.get('transactions', 'txn_1'), ...rows]).toEqual([
      ...one.transactions,
      ...other.transactions,
      { ...credit, statement_id },
      ...[...one.transaction_events, ...other.transaction_events].map((row) => ({ ...row, statement_id })),
    ])
    const second = close(state, now + 60_000)
    expect([second.purchases, second.credits, second.previous_balance, second.statement_balance]).toEqual([
      0, 0, 730, 730,
    ])
    expect(state.get('transaction_events', 'txe_1')?.statement_id).toBe(statement_id)
  })

  it('captures and a refund of one transaction -> each on the statement of its own cycle', () => {
    const events: [string, 'CAPTURED' | 'REFUNDED', number, string][] = [
      ['txe_1', 'CAPTURED', 3000, '2026-11-10T00:00:00Z'],
      ['txe_2', 'CAPTURED', 2000, '2026-11-21T12:00:30Z'],
      ['txe_3', 'REFUNDED', 500, '2026-11-21T12:00:40Z'],
    ]
    const state = cycle({
      transactions: [transaction('txn_1', { status: 'REFUNDED', amount: 500, account_id: 'acct_1' })],
      transaction_events: [
        step('txe_0', { status: 'APPROVED', amount: 5000, posted_at: '2026-11-09T00:00:00Z' }),
        ...events.map(([id, status, amount, posted_at]) =>
          step(id, { status, amount, posted_at, account_id: 'acct_1' }),
        ),
      ],
    })
    const [first, second] = [close(state), close(state, now + 60_000)]
    expect([first.purchases, first.refunds, second.purchases, second.refunds]).toEqual([3000, 0, 2000, -500])
    expect([...state.all('transaction_events')].map(({ statement_id }) => statement_id)).toEqual([
      undefined,
      first.statement_id,
      second.statement_id,
      second.statement_id,
    ])
    expect(state.get('transactions', 'txn_1')).not.toHaveProperty('statement_id')
  })

  it.each<[string, Partial<Posted>, number]>([
    ['posted at the very end', { posted_at: '2026-11-21T12:00:00Z' }, 1000],
    ['posted after the end', { posted_at: '2026-11-21T12:00:00.001Z' }, 0],
    ['posted in an earlier cycle and come late', { posted_at: '2020-01-01T00:00:00Z' }, 1000],
    ['on a statement already', { statement_id: 'stm_0' }, 0],
    ['of another account', { account_id: 'acct_2' }, 0],
    ['of no account', { account_id: undefined }, 0],
    ['in another currency', { currency: 'EUR' }, 0],
  ])('%s', (_, more, amount) => {
    expect(close(cycle(purchase(1, 1000, more))).purchases).toBe(amount)
    expect(close(cycle({ transactions: [posted('txn_1', -1000, more)] })).credits).toBe(0 - amount)
  })

  it('posted after the end -> on the statement of the next cycle', () => {
    const state = cycle(purchase(1, 1000, { posted_at: '2026-11-21T12:00:30Z' }))
    expect([close(state).purchases, close(state, now + 60_000).purchases]).toEqual([0, 1000])
  })

  it.each<[string, string, number, number]>([
    ['all steps of a frozen clock -> on it', '2026-11-21T12:00:00.000Z', 3000, -500],
    ['steps a millisecond ahead of it -> not', '2026-11-21T12:00:00.001Z', 0, 0],
  ])('%s', (_, posted_at, purchases, refunds) => {
    const { transactions } = purchase(1, 500, {}, 'REFUNDED')
    const own = { posted_at, account_id: 'acct_1' }
    const transaction_events = [
      step('txe_d', { n: 1, status: 'APPROVED', amount: 3000, posted_at }),
      step('txe_c', { n: 2, amount: 1000, ...own }),
      step('txe_b', { n: 3, amount: 2000, ...own }),
      step('txe_a', { n: 4, status: 'REFUNDED', amount: 500, ...own }),
    ]
    const closed = close(cycle({ transactions, transaction_events }))
    expect([closed.purchases, closed.refunds]).toEqual([purchases, refunds])
  })

  it('a first cycle -> reaches back to the oldest of them', () => {
    const rows = together(
      purchase(1, 5, { posted_at: '2026-11-01T00:00:00Z' }),
      purchase(2, 5, { posted_at: '2025-02-03T04:05:06.789Z' }),
    )
    expect(close(cycle(rows)).period_start_date).toBe('2025-02-03T04:05:06.789Z')
  })
})

describe('what is due', () => {
  it.each([
    // balance, minimum due: 2 %, at least 25.00, at most all
    [-500, 0],
    [0, 0],
    [1, 1],
    [2499, 2499],
    [2500, 2500],
    [125_000, 2500],
    [125_001, 2501],
    [1_000_000, 20_000],
  ])('a balance of %i -> at least %i', (balance, minimum) => {
    const rows = balance < 0 ? purchase(1, -balance, {}, 'REFUNDED') : purchase(1, balance)
    expect(close(cycle(rows)).minimum_due).toBe(minimum)
  })

  it.each<[string, string, number, number | undefined]>([
    // due date of the statement before, whose minimum is 2500; what was paid since
    ['not due yet', '2026-11-21T12:00:00.001Z', 0, undefined],
    ['due and not paid', '2026-11-21T12:00:00Z', 0, 2500],
    ['due and paid in part', '2026-11-15T00:00:00Z', -1000, 1500],
    ['due and paid', '2026-11-15T00:00:00Z', -2500, undefined],
    ['due and paid in full', '2026-11-15T00:00:00Z', -42_000, undefined],
  ])('%s -> overdue_amount as it is', (_, due_date, paid, overdue) => {
    const statements = [statement('stm_1', { statement_balance: 42_000, minimum_due: 2500, due_date })]
    const transactions = [posted('txn_1', paid, { payment_method_id: 'pm_bank' })]
    const made = close(cycle({ statements, transactions }))
    expect([made.overdue_amount, 'overdue_amount' in made]).toEqual([overdue, overdue !== undefined])
  })

  it('a refund -> is no payment', () => {
    const statements = [
      statement('stm_1', { statement_balance: 42_000, minimum_due: 2500, due_date: '2026-11-15T00:00:00Z' }),
    ]
    const rows = { ...purchase(1, 2500, {}, 'REFUNDED'), statements }
    expect(close(cycle(rows)).overdue_amount).toBe(2500)
  })
})

describe('a cycle that cannot close', () => {
  const conflict = (rows: Rows, at?: number) => () => close(cycle(rows), at)

  it.each([
    ['that closed this very second', '2026-11-21T12:00:00Z'],
    ['that closed less than a second ago', '2026-11-21T11:59:59.001Z'],
    ['that is still to close', '2026-11-30T23:59:59Z'],
  ])('after one %s -> a conflict that says to advance the clock', (_, period_end_date) => {
    const rows = { statements: [statement('stm_1', { period_end_date })] }
    expect(conflict(rows)).toThrow(ConflictError)
    expect(conflict(rows)).toThrow(
      `the cycle after statement 'stm_1', which closes at ${period_end_date}, has not begun: advance the clock first`,
    )
    expect(close(cycle(rows), Date.parse(period_end_date) + 2000).previous_balance).toBe(0)
  })

  it('of more than a JSON number holds -> a conflict', () => {
    expect(conflict(together(purchase(1, Number.MAX_SAFE_INTEGER), purchase(2, 1)))).toThrow(
      new ConflictError('the cycle adds up to more than a JSON number can hold exactly'),
    )
    const statements = [statement('stm_1', { statement_balance: Number.MAX_SAFE_INTEGER })]
    expect(conflict({ ...purchase(1, 1), statements })).toThrow(ConflictError)
  })

  it('of no account -> not found, with the nearest there is', () => {
    const closing = (account_id: string) => () => closeStatement(begin(cycle({})), { account_id }, now)
    expect(closing('acct_l')).toThrow(
      new NotFoundError("no account has the id 'acct_l', did you mean 'acct_1'?"),
    )
    expect(closing('nothing')).toThrow(NotFoundError)
  })

  it('at the end of time -> due by then', () => {
    const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
    expect(close(cycle({}), last).due_date).toBe('9999-12-31T23:59:59.000Z')
  })
})
