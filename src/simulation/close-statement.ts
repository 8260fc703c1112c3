// Closes the billing cycle of an account, which becomes its newest statement.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import { statementComponents } from '../contract/resources/statement.ts'
import { rfc3339 } from '../runtime/rfc3339.ts'
import { minimumDue } from '../contract/minimum-due.ts'
import type { Row, StatementRow } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { readInput } from '../input/read-input.ts'
import { ConflictError } from '../input/refusals.ts'
import { accrualOf, productOf } from './earn-reward.ts'
import { findRow } from './find-row.ts'
import { safeSum } from './safe-sum.ts'
import { addSumOfRewards, settleRewards } from './settle-rewards.ts'

type Component = (typeof statementComponents)[number]

export const closing = z.strictObject({ account_id: id })

const second = 1000
const day = 24 * 60 * 60 * second

/** Defaults for open questions of the contract, as in built-in and generated statements. */
const untilDue = 25 * day
const firstCycle = 30 * day

/**
 * Closes the cycle of an account now. It becomes the newest statement, which is listed immediately: with all captures,
 * refunds, payments and credits that were posted by now and are on no statement, including late ones of earlier cycles.
 * It continues from the balance of the previous statement. Interest and fees are zero, as no rate of an account is
 * known. The rewards of the account that wait for the close are settled.
 *
 * @param input `{account_id}`; not validated yet.
 * @throws {DocumentError} for an invalid input, with every problem of it.
 * @throws {NotFoundError} for an unknown account.
 * @throws {ConflictError} if no cycle can close now, or the amounts are too large.
 */
export function closeStatement(tx: Transaction, input: unknown, now: number): { statement: StatementRow } {
  const { account_id } = readInput(closing, input, 'statement')
  const account = findRow(tx, 'accounts', account_id)
  const last = tx.find('statements', 'by_account', account.id)
  if (last) requireOver(last, now)
  const posted = unbilled(tx, account, now)
  const statement: StatementRow = {
    statement_id: tx.nextId('statements', 'stm'),
    customer_id: account.customer_id,
    account_id: account.id,
    period_start_date: rfc3339(last ? startAfter(last) : firstStart(posted, now)),
    period_end_date: new Date(now).toISOString(),
    due_date: rfc3339(now + untilDue),
    currency: account.currency,
    ...amounts(posted, last, now),
  }
  tx.put('statements', statement)
  const { statement_id } = statement
  for (const { row, step } of posted) {
    if (step) tx.put('transaction_events', { ...step, statement_id })
    else tx.put('transactions', { ...row, statement_id })
  }
  settle(tx, account, posted, now)
  return { statement }
}

/** An entry of a statement: a capture or a refund, or a transaction without steps. */
interface Entry {
  readonly component: Component
  /** As the statement adds it up: positive for charges. */
  readonly amount: number
  readonly posted_at: string
  readonly row: Row<'transactions'>
  readonly step?: Row<'transaction_events'>
}

/** Returns what was posted to an account by now and is on no statement. */
function unbilled(tx: Transaction, account: Row<'accounts'>, now: number): Entry[] {
  const steps = tx.scan('transaction_events', 'unbilled_by_account', account.id).flatMap((step): Entry[] => {
    const row = tx.get('transactions', step.transaction_id)
    const { amount, posted_at, status } = step
    if (!row) return []
    return [
      status === 'REFUNDED'
        ? { component: 'refunds', amount: -amount, posted_at, row, step }
        : { component: 'purchases', amount, posted_at, row, step },
    ]
  })
  const others = tx.scan('transactions', 'unbilled_by_account', account.id).map((row): Entry => ({
    component: componentOf(tx, row),
    amount: row.amount,
    posted_at: row.posted_at ?? row.created_at,
    row,
  }))
  return [...steps, ...others].filter(
    // Only amounts in the account's currency can be added up.
    ({ row, posted_at: posted }) => row.currency === account.currency && Date.parse(posted) <= now,
  )
}

/** Settles the rewards of a cycle that has closed, unless those of the product wait for something else. */
function settle(tx: Transaction, account: Row<'accounts'>, posted: readonly Entry[], now: number): void {
  const product = productOf(tx, account.customer_id)
  const accrual = product ? accrualOf(product) : 'statement'
  if (accrual === 'delayed') return
  settleRewards(tx, account.customer_id, now, account.id)
  if (accrual !== 'statement_aggregated') return
  // As they are on the statement.
  const steps = posted.flatMap(({ step }) => (step ? (tx.get('transaction_events', step.id) ?? []) : []))
  addSumOfRewards(tx, account.customer_id, steps, now)
}

/** The second after a statement, when the next cycle begins. */
function startAfter({ period_end_date }: StatementRow): number {
  return (Math.floor(Date.parse(period_end_date) / second) + 1) * second
}

/** Without an earlier statement, the first cycle has the usual length, or is as long as its transactions require. */
function firstStart(posted: readonly Entry[], now: number): number {
  return posted.reduce((first, { posted_at: at }) => Math.min(first, Date.parse(at)), now - firstCycle)
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
  posted: readonly Entry[],
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
  for (const { component, amount } of posted) parts[component] = sum(parts[component], amount)
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
 * Returns the component of a transaction without steps (contract: Statement, sign convention): a purchase if it is
 * charged; else a payment if it comes from a bank account, a credit if it comes from no payment method, and a refund in
 * all other cases.
 */
function componentOf(
  tx: Transaction,
  { payment_method_id: methodId, amount }: Row<'transactions'>,
): Component {
  if (amount > 0) return 'purchases'
  if (methodId === undefined) return 'credits'
  return tx.get('payment_methods', methodId)?.type === 'BANK_ACCOUNT' ? 'payments' : 'refunds'
}

const sum = (a: number, b: number): number => safeSum(a, b, 'the cycle adds')
