// Closing the billing cycle of an account, which becomes its newest statement.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import { statementComponents } from '../contract/resources/statement.ts'
import { rfc3339 } from '../fixtures/fill/choose.ts'
import { minimumDue } from '../fixtures/fill/fill-statement.ts'
import { groupOf } from '../store/indexes.ts'
import type { Row, StatementRow } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { ConflictError } from '../input/refusals.ts'
import { findRow } from './find-row.ts'
import { readInput } from '../input/read-input.ts'
import type { SimulatedStatement } from './results.ts'

type Component = (typeof statementComponents)[number]

const closing = z.strictObject({ account_id: id })

const second = 1000
const day = 24 * 60 * 60 * second

/** What the contract leaves open, as the built-in and the generated statements have it. */
const untilDue = 25 * day
const firstCycle = 30 * day

/**
 * The cycle of an account closes now and becomes its newest statement, which is listed at once: of all transactions
 * that were posted by now and stand on no statement, late arrivals of earlier cycles included. It goes on from the
 * balance of the statement before. Interest and fees are zero: no rate of an account is known.
 *
 * @param input `{account_id}`; not read yet.
 * @throws {DocumentError} for an input that is not that, with every problem of it.
 * @throws {NotFoundError} for an account that is not there.
 * @throws {ConflictError} when no cycle can close now, or the amounts are too large.
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

/** The second after a statement, in which the next cycle begins. */
function startAfter({ period_end_date }: StatementRow): number {
  return (Math.floor(Date.parse(period_end_date) / second) + 1) * second
}

/** Before the first statement there is no cycle to go on from: it lasts as long as one does, or as it has to. */
function firstStart(oldest: Row<'transactions'> | undefined, now: number): number {
  return Math.min(now - firstCycle, oldest ? Date.parse(oldest.posted_at) : now)
}

/** A cycle lasts some time, so that statements have an order; one that was set up for later is the newest already. */
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
 * Where a transaction counts (contract: Statement, sign convention). What is charged is a purchase; what is credited
 * back is a payment when it comes from a bank account, a credit when from no payment method at all, and else a refund.
 */
function componentOf(
  tx: Transaction,
  { amount, payment_method_id: methodId }: Row<'transactions'>,
): Component {
  if (amount >= 0) return 'purchases'
  if (methodId === undefined) return 'credits'
  return tx.get('payment_methods', methodId)?.type === 'BANK_ACCOUNT' ? 'payments' : 'refunds'
}

/** Of two exact integers; the statement could not be written otherwise. */
function sum(a: number, b: number): number {
  const total = a + b
  if (Number.isSafeInteger(total)) return total
  throw new ConflictError('the cycle adds up to more than a JSON number can hold exactly')
}
