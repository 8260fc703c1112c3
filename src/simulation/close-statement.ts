// Closes the billing cycle of an account, which becomes its newest statement.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import { statementComponents } from '../contract/resources/statement.ts'
import { rfc3339 } from '../runtime/rfc3339.ts'
import { minimumDue } from '../contract/minimum-due.ts'
import { groupOf } from '../store/indexes.ts'
import type { Row, StatementRow } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { ConflictError } from '../input/refusals.ts'
import { findRow } from './find-row.ts'
import { readInput } from '../input/read-input.ts'
import type { SimulatedStatement } from './results.ts'

type Component = (typeof statementComponents)[number]

export const closing = z.strictObject({ account_id: id })

const second = 1000
const day = 24 * 60 * 60 * second

/** Defaults for open questions of the contract, as in built-in and generated statements. */
const untilDue = 25 * day
const firstCycle = 30 * day

/**
 * Closes the cycle of an account now. It becomes the newest statement, which is listed immediately: with all
 * transactions that were posted by now and are on no statement, including late ones of earlier cycles. It continues
 * from the balance of the previous statement. Interest and fees are zero, as no rate of an account is known.
 *
 * @param input `{account_id}`; not validated yet.
 * @throws {DocumentError} for an invalid input, with every problem of it.
 * @throws {NotFoundError} for an unknown account.
 * @throws {ConflictError} if no cycle can close now, or the amounts are too large.
 */
export function closeStatement(tx: Transaction, input: unknown, now: number): SimulatedStatement {
  const { account_id } = readInput(closing, input, 'statement')
  const account = findRow(tx, 'accounts', account_id)
  const last = tx.find('statements', 'by_account', account.id)
  if (last) requireOver(last, now)
  const posted = tx
    .scan('transactions', 'unbilled_by_account', groupOf(account.id, account.currency))
    .filter((row) => Date.parse(row.posted_at) <= now)
  const statement: StatementRow = {
    statement_id: tx.nextId('statements', 'stm'),
    customer_id: account.customer_id,
    account_id: account.id,
    period_start_date: rfc3339(last ? startAfter(last) : firstStart(posted[0], now)),
    period_end_date: new Date(now).toISOString(),
    due_date: rfc3339(now + untilDue),
    currency: account.currency,
    ...amounts(tx, posted, last, now),
  }
  tx.put('statements', statement)
  for (const row of posted) tx.put('transactions', { ...row, statement_id: statement.statement_id })
  return { statement }
}

/** The second after a statement, when the next cycle begins. */
function startAfter({ period_end_date }: StatementRow): number {
  return (Math.floor(Date.parse(period_end_date) / second) + 1) * second
}

/** Without an earlier statement, the first cycle has the usual length, or is as long as its transactions require. */
function firstStart(oldest: Row<'transactions'> | undefined, now: number): number {
  return Math.min(now - firstCycle, oldest ? Date.parse(oldest.posted_at) : now)
}

/** A cycle has a duration, so that statements have an order; one whose end is in the future is already the newest. */
function requireOver(last: StatementRow, now: number): void {
  if (startAfter(last) < now) return
  throw new ConflictError(
    `the cycle after statement '${last.statement_id}', which closes at ${last.period_end_date}, has not begun: ` +
      'advance the clock first',
  )
}

function amounts(
  tx: Transaction,
  posted: readonly Row<'transactions'>[],
  last: StatementRow | undefined,
  now: number,
): Record<Component | 'statement_balance' | 'minimum_due', number> & { overdue_amount?: number } {
  const parts: Record<Component, number> = {
    previous_balance: last?.statement_balance ?? 0,
    purchases: 0,
    payments: 0,
    credits: 0,
    refunds: 0,
    interest: 0,
    fees: 0,
  }
  for (const row of posted) {
    const component = componentOf(tx, row)
    parts[component] = sum(parts[component], row.amount)
  }
  const balance = statementComponents.reduce((total, name) => sum(total, parts[name]), 0)
  const overdue = last && Date.parse(last.due_date) <= now ? last.minimum_due + parts.payments : 0
  return {
    statement_balance: balance,
    minimum_due: minimumDue(balance),
    ...parts,
    ...(overdue > 0 ? { overdue_amount: overdue } : {}),
  }
}

/**
 * Returns the kind of a transaction (contract: Statement, sign convention). A charge is a purchase. A credit is a
 * payment if it comes from a bank account, a credit if it comes from no payment method, and a refund in all other
 * cases.
 */
function componentOf(
  tx: Transaction,
  { amount, payment_method_id: methodId }: Row<'transactions'>,
): Component {
  if (amount >= 0) return 'purchases'
  if (methodId === undefined) return 'credits'
  return tx.get('payment_methods', methodId)?.type === 'BANK_ACCOUNT' ? 'payments' : 'refunds'
}

/** Adds two exact integers; the statement could not be written otherwise. */
function sum(a: number, b: number): number {
  const total = a + b
  if (Number.isSafeInteger(total)) return total
  throw new ConflictError('the cycle adds up to more than a JSON number can hold exactly')
}
