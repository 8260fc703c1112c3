// The gaps of a statement. Whatever is given, the filled amounts make it add up: to the given balance when there is
// one, else to a balance of their own.
import { exactSum } from '../../contract/exact-sum.ts'
import { statementComponents } from '../../contract/resources/statement.ts'
import { ExactNumber } from '../../json/exact-number.ts'
import { rfc3339 } from './choose.ts'
import type { Fields, Filler } from './filler.ts'

const day = 24 * 60 * 60 * 1000

/** What is no amount adds nothing: its own field is refused. */
const number = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0)
const instant = (value: unknown): number => Date.parse(typeof value === 'string' ? value : '')

/** The first instant of the month that is `months` away from the one an instant is in. */
function monthAway(from: number, months: number): number {
  const date = new Date(from)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

/** A sum that no amount can hold is refused as one. */
const total = (amounts: readonly number[]): number => {
  const sum = exactSum(amounts)
  return sum instanceof ExactNumber ? sum.nearest : sum
}

const sumOf = (row: Fields): number => total(statementComponents.map((name) => number(row[name])))

/** What the components that are not given have to add up to. */
const missingFrom = (row: Fields): number =>
  total([number(row['statement_balance']), ...statementComponents.map((name) => -number(row[name]))])

const isMissing = (row: Fields, field: string): boolean => row[field] === undefined
const nothing: Filler = () => 0

/** In the order in which they run: dates from the end of the period, then amounts from the balance. */
export const statementFillers = {
  period_end_date(row, choose) {
    const start = instant(row['period_start_date'])
    if (!Number.isNaN(start))
      return validOr(row['period_start_date'], monthAway(start, 1) - 1000, start + 30 * day)
    return rfc3339(Date.UTC(2025, choose.integer('period', 1, 12), 1) - 1000)
  },
  period_start_date(row) {
    const end = instant(row['period_end_date'])
    return Number.isNaN(end)
      ? row['period_end_date']
      : validOr(row['period_end_date'], monthAway(end, 0), end - 30 * day)
  },
  due_date(row) {
    const end = instant(row['period_end_date'])
    return Number.isNaN(end) ? row['period_end_date'] : rfc3339(end + 25 * day)
  },
  currency: (row, _choose, { state }) => state.get('accounts', String(row['account_id']))?.currency ?? 'USD',
  credits: nothing,
  refunds: nothing,
  interest: nothing,
  fees: nothing,
  previous_balance(row) {
    if (isMissing(row, 'statement_balance')) return 0
    // What purchases or payments below cannot make up for, because they are given, was there before.
    const rest = missingFrom(row)
    return isMissing(row, rest > 0 ? 'purchases' : 'payments') ? 0 : rest
  },
  purchases(row, choose) {
    if (isMissing(row, 'statement_balance')) return choose.integer('purchases', 2_000, 90_000)
    return Math.max(0, missingFrom(row))
  },
  payments(row) {
    if (isMissing(row, 'statement_balance')) return Math.min(0, 0 - number(row['previous_balance']))
    return Math.min(0, missingFrom(row))
  },
  statement_balance: sumOf,
  minimum_due: (row) => minimumDue(number(row['statement_balance'])),
} satisfies Readonly<Record<string, Filler>>

/** What is due at least of a balance: 2 % of it, no less than 25.00, no more than all. */
export function minimumDue(balance: number): number {
  return Math.min(Math.max(0, balance), Math.max(2_500, Math.ceil(balance / 50)))
}

/** An instant on the right side of a given one: the edge of the month, or 30 days away when that is no distance. */
function validOr(given: unknown, edge: number, away: number): string {
  const from = instant(given)
  const sameSide = edge > from === away > from && edge !== from
  return rfc3339(sameSide ? edge : away)
}
