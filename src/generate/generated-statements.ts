// Generates 0 to 18 monthly statements up to the end of history; each continues from the balance of the previous one.
import type { Row } from '../store/rows.ts'
import { rfc3339 } from '../runtime/rfc3339.ts'
import { minimumDue } from '../contract/minimum-due.ts'
import { day, endOfHistory, type CustomerContext } from './generation-context.ts'

type Statement = Row<'statements'>

/** A cycle as text; all customers share the same texts. */
type Cycle = Pick<Statement, 'period_start_date' | 'period_end_date' | 'due_date'>

const cycles = new Map<number, Cycle>()

/** Returns the calendar month that is so many months before the last one of history. */
function cycleBefore(months: number): Cycle {
  let cycle = cycles.get(months)
  if (cycle === undefined) {
    const last = new Date(endOfHistory)
    const [year, month] = [last.getUTCFullYear(), last.getUTCMonth() - months]
    const end = Date.UTC(year, month + 1, 1) - 1000
    cycle = {
      period_start_date: rfc3339(Date.UTC(year, month, 1)),
      period_end_date: rfc3339(end),
      due_date: rfc3339(end + 25 * day),
    }
    cycles.set(months, cycle)
  }
  return cycle
}

export function makeStatements(making: CustomerContext): Statement[] {
  const { random, since, customerId, accountId, number } = making
  const wholeMonths = Math.floor((endOfHistory - since) / (31 * day))
  const most = random.percent(50) ? 0 : random.percent(70) ? 6 : 18
  const count = Math.min(wholeMonths, random.integer(Math.min(1, most), most))
  const statements: Statement[] = []
  let before: Statement | undefined
  for (let index = 0; index < count; index++) {
    before = {
      statement_id: `stm_${number}_${String(index + 1).padStart(2, '0')}`,
      customer_id: customerId,
      account_id: accountId,
      ...cycleBefore(count - 1 - index),
      currency: 'USD',
      ...amountsAfter(making, before),
    }
    statements.push(before)
  }
  return statements
}

/** The changes of one cycle to the balance of the previous one (contract: Statement, sign convention). */
function amountsAfter({ random }: CustomerContext, before: Statement | undefined) {
  const previous = before?.statement_balance ?? 0
  const due = before?.minimum_due ?? 0
  const paid = paymentFor(random.integer(1, 100), previous, due)
  const isLate = paid < due
  const purchases = random.percent(8) ? 0 : random.integer(1_500, 180_000)
  const credits = random.percent(10) ? -random.integer(5, 50) * 100 : 0
  const refunds = random.percent(12) ? -random.integer(300, 9_000) : 0
  const interest = paid < previous ? Math.floor(((previous - paid) * 175) / 10_000) : 0
  const fees = isLate ? 2_900 : 0
  const balance = previous + purchases - paid + credits + refunds + interest + fees
  return {
    statement_balance: balance,
    minimum_due: minimumDue(balance),
    previous_balance: previous,
    purchases,
    payments: 0 - paid,
    credits,
    refunds,
    interest,
    fees,
    ...(isLate ? { overdue_amount: due - paid } : {}),
  }
}

/** Most customers pay in full, some in part, a few nothing; a balance in their favour needs no payment. */
function paymentFor(chance: number, balance: number, due: number): number {
  if (balance <= 0) return 0
  if (chance <= 70) return balance
  return chance <= 92 ? Math.max(due, Math.floor((balance * chance) / 200)) : 0
}
