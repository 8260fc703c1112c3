import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statementComponents } from '../../src/contract/resources/statement.ts'
import { rowSchemas, type Row } from '../../src/store/rows.ts'
import type { State } from '../../src/store/state.ts'
import { ConflictError, NotFoundError } from '../../src/input/refusals.ts'
import { closeStatement } from '../../src/simulation/close-statement.ts'
import { begin, card, now, statement, transaction, worldOf, type Rows } from '../helpers/simulation.ts'

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

const posted = (id: string, amount: number, more: Partial<Row<'transactions'>> = {}): Row<'transactions'> =>
  transaction(id, { amount, account_id: 'acct_1', posted_at: '2026-11-10T00:00:00Z', ...more })

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

  it.each<[string, number, string | undefined, Counted]>([
    ['charged to a card', 1250, 'pm_card', { purchases: 1250 }],
    ['charged to a bank account', 1250, 'pm_bank', { purchases: 1250 }],
    ['charged to no method', 1250, undefined, { purchases: 1250 }],
    ['a zero-amount authorisation', 0, 'pm_card', { purchases: 0 }],
    ['credited back to a card', -1250, 'pm_card', { refunds: -1250 }],
    ['credited back to a loan', -1250, 'pm_loan', { refunds: -1250 }],
    ['paid from a bank account', -1250, 'pm_bank', { payments: -1250 }],
    ['credited to no method', -1250, undefined, { credits: -1250 }],
  ])('%s: %i -> %j', (_, amount, method, counted) => {
    const transactions = [posted('txn_1', amount, method === undefined ? {} : { payment_method_id: method })]
    const made = close(cycle({ transactions }))
    const components = Object.fromEntries(statementComponents.map((name) => [name, made[name]]))
    expect(components).toEqual({
      ...Object.fromEntries(statementComponents.map((name) => [name, 0])),
      ...counted,
    })
    expect(made.statement_balance).toBe(amount)
  })

  it('no amount is -0, which JSON readers could tell from 0', () => {
    const transactions = [posted('txn_1', 5), posted('txn_2', -5)]
    const values = Object.values(close(cycle({ transactions })))
    expect(values.filter((value) => Object.is(value, -0))).toEqual([])
  })

  it('any transactions -> a statement that keeps every rule of statements, and adds up', () => {
    const some = fc.record({
      amount: fc.integer({ min: -100_000, max: 100_000 }),
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
        const transactions = drawn.map((more, at) => transaction(`txn_${at}`, more))
        const statements = balance === undefined ? [] : [statement('stm_1', { statement_balance: balance })]
        const state = cycle({ transactions, statements })
        const made = close(state)
        expect(rowSchemas.statements.safeParse(made).error).toBeUndefined()
        const counted = transactions.filter(
          (row) =>
            row.account_id === 'acct_1' &&
            row.currency === 'USD' &&
            row.statement_id === undefined &&
            Date.parse(row.posted_at) <= now,
        )
        const total = counted.reduce((sum, { amount }) => sum + amount, balance ?? 0)
        expect(made.statement_balance).toBe(total)
        expect(statementComponents.reduce((sum, name) => sum + made[name], 0)).toBe(total)
        expect(made.minimum_due >= 0 && made.minimum_due <= Math.max(0, total)).toBe(true)
        expect(Date.parse(made.period_start_date) < Date.parse(made.period_end_date)).toBe(true)
        const billed = [...state.all('transactions')].filter((row) => row.statement_id === made.statement_id)
        expect(billed.map(({ id }) => id)).toEqual(counted.map(({ id }) => id).toSorted())
      }),
    )
  })
})

describe('the transactions of a cycle', () => {
  it('are written on the statement, which each stands on once', () => {
    const state = cycle({ transactions: [posted('txn_1', 700), posted('txn_2', 50)] })
    const first = close(state)
    expect(first.purchases).toBe(750)
    expect(state.get('transactions', 'txn_1')).toEqual(
      posted('txn_1', 700, { statement_id: first.statement_id }),
    )
    const second = close(state, now + 60_000)
    expect([second.purchases, second.previous_balance, second.statement_balance]).toEqual([0, 750, 750])
    expect(state.get('transactions', 'txn_1')?.statement_id).toBe(first.statement_id)
  })

  it.each<[string, Partial<Row<'transactions'>>, number]>([
    ['posted at the very end', { posted_at: '2026-11-21T12:00:00Z' }, 1000],
    ['posted after the end', { posted_at: '2026-11-21T12:00:00.001Z' }, 0],
    ['posted in an earlier cycle and come late', { posted_at: '2020-01-01T00:00:00Z' }, 1000],
    ['on a statement already', { statement_id: 'stm_0' }, 0],
    ['of another account', { account_id: 'acct_2' }, 0],
    ['of no account', { account_id: undefined }, 0],
    ['in another currency', { currency: 'EUR' }, 0],
  ])('%s', (_, more, purchases) => {
    expect(close(cycle({ transactions: [posted('txn_1', 1000, more)] })).purchases).toBe(purchases)
  })

  it('posted after the end -> on the statement of the next cycle', () => {
    const state = cycle({ transactions: [posted('txn_1', 1000, { posted_at: '2026-11-21T12:00:30Z' })] })
    expect([close(state).purchases, close(state, now + 60_000).purchases]).toEqual([0, 1000])
  })

  it('a first cycle -> reaches back to the oldest of them', () => {
    const transactions = [
      posted('txn_1', 5, { posted_at: '2026-11-01T00:00:00Z' }),
      posted('txn_2', 5, { posted_at: '2025-02-03T04:05:06.789Z' }),
    ]
    expect(close(cycle({ transactions })).period_start_date).toBe('2025-02-03T04:05:06.789Z')
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
    const transactions = [posted('txn_1', balance)]
    expect(close(cycle({ transactions })).minimum_due).toBe(minimum)
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
    const transactions = [posted('txn_1', -2500, { payment_method_id: 'pm_card' })]
    expect(close(cycle({ statements, transactions })).overdue_amount).toBe(2500)
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
    const transactions = [posted('txn_1', Number.MAX_SAFE_INTEGER), posted('txn_2', 1)]
    expect(conflict({ transactions })).toThrow(
      new ConflictError('the cycle adds up to more than a JSON number can hold exactly'),
    )
    const statements = [statement('stm_1', { statement_balance: Number.MAX_SAFE_INTEGER })]
    expect(conflict({ statements, transactions: [posted('txn_2', 1)] })).toThrow(ConflictError)
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
