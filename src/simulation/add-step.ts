// Adds a step to a transaction, with the reward that it earns or takes back.
import type { TransactionStatus } from '../contract/resources/card-transaction.ts'
import { isSettled } from '../store/indexes.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { rewardOfStep, type SimulationAssumptions } from './earn-reward.ts'
import { progressOf, type OpenCapture } from './transaction-progress.ts'

/** A step to add. */
export interface NewStep {
  readonly status: TransactionStatus
  readonly amount: number
  readonly posted_at: string
  /** Its number among the steps of the transaction. */
  readonly n: number
  /** The capture that it refunds. */
  readonly capture?: OpenCapture | undefined
}

/** The rows that a step wrote. */
export interface AddedStep {
  readonly transaction: Row<'transactions'>
  readonly event: Row<'transaction_events'>
  readonly reward: Row<'rewards'> | undefined
}

/** Adds a step. @param before the transaction, with the fields that the step changes except for status and amount. */
export function addStep(
  tx: Transaction,
  before: Row<'transactions'>,
  { status, amount, posted_at, capture, n }: NewStep,
  now: number,
  assumptions: SimulationAssumptions,
): AddedStep {
  const id = tx.nextId('transaction_events', 'txe')
  const { account_id } = before
  const isMoney = isSettled(status)
  const { fields = {}, reward } = isMoney
    ? rewardOfStep(tx, before, { id, status, amount }, capture, now, assumptions)
    : {}
  const event = tx.put('transaction_events', {
    id,
    transaction_id: before.id,
    n,
    status,
    amount,
    posted_at,
    ...(isMoney && account_id !== undefined ? { account_id } : {}),
    ...(capture ? { capture_id: capture.event.id } : {}),
    ...fields,
  })
  const shown = assumptions.transaction_amount === 'total' ? totalOf(tx, before.id) : amount
  const transaction = tx.put('transactions', { ...before, status, amount: shown })
  return { transaction, event, reward: reward && tx.put('rewards', reward) }
}

/** The sum that is captured less what is refunded; before a capture, what is authorised. */
function totalOf(tx: Transaction, transactionId: string): number {
  const steps = tx.scan('transaction_events', 'by_transaction', transactionId)
  const money = steps.filter(({ status }) => isSettled(status))
  if (money.length === 0) return progressOf(steps).authorised
  return money.reduce((sum, { status, amount }) => sum + (status === 'REFUNDED' ? -amount : amount), 0)
}
