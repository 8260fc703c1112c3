// Settles the rewards that wait: pending ones become available, pending deductions deducted.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import type { Accrual } from '../contract/resources/reward.ts'
import { DocumentError } from '../input/problems.ts'
import { readInput } from '../input/read-input.ts'
import { changedAt } from '../store/changed-at.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { accrualOf, productOf, settledStatus } from './earn-reward.ts'
import { findRow } from './find-row.ts'
import { safeSum } from './safe-sum.ts'

type Reward = Row<'rewards'>
type Step = Row<'transaction_events'>

/** The rewards that a simulation settles: those that wait for the close of a cycle, or for a delay. */
export const settledTypes = ['STATEMENT', 'DELAYED'] as const

export const settling = z.strictObject({
  customer_id: id.describe('the customer whose rewards are settled'),
  reward_type: z
    .enum(settledTypes, `must be one of ${settledTypes.join(', ')}`)
    .describe('STATEMENT for rewards that wait for the close of a cycle, DELAYED for others'),
})

/** The accruals that each type settles. */
const accrualsOf: Record<(typeof settledTypes)[number], readonly Accrual[]> = {
  STATEMENT: ['statement', 'statement_aggregated'],
  DELAYED: ['delayed'],
}

/**
 * Settles all rewards of a customer that wait, as if the cycle had closed or the delay had passed.
 *
 * @param input `{customer_id, reward_type}`; not validated yet.
 * @throws {DocumentError} for an invalid input, and for a type that the product of the customer does not have.
 * @throws {NotFoundError} for an unknown customer.
 */
export function simulateRewards(tx: Transaction, input: unknown, now: number): { rewards: Reward[] } {
  const { customer_id, reward_type: type } = readInput(settling, input, 'reward')
  findRow(tx, 'customers', customer_id)
  const product = productOf(tx, customer_id)
  const accrual = product ? accrualOf(product) : 'statement'
  if (!accrualsOf[type].includes(accrual)) {
    const fitting = settledTypes.find((other) => accrualsOf[other].includes(accrual))
    const message =
      fitting === undefined
        ? `must not be set: no reward of product '${product?.merchant_key}' waits, as its accrual is ${accrual}`
        : `must be ${fitting}, as the accrual of product '${product?.merchant_key}' is ${accrual}`
    throw new DocumentError([{ source: 'reward', path: 'reward_type', message }])
  }
  const rewards = settleRewards(tx, customer_id, now)
  const steps = tx
    .scan('transactions', 'by_customer', customer_id)
    .flatMap((transaction) => tx.scan('transaction_events', 'by_transaction', transaction.id))
    .filter((step) => Date.parse(step.posted_at) <= now)
  const sum = accrual === 'statement_aggregated' ? addSumOfRewards(tx, customer_id, steps, now) : undefined
  return { rewards: sum ? [...rewards, sum] : rewards }
}

/**
 * Settles the waiting rewards of a customer whose step has been posted by now.
 * @param accountId only rewards of steps on this account.
 * @returns the settled rewards, oldest first.
 */
export function settleRewards(
  tx: Transaction,
  customerId: string,
  now: number,
  accountId?: string,
): Reward[] {
  return tx.scan('rewards', 'by_customer', customerId, { backwards: true }).flatMap((reward) => {
    const { status, transaction_event_id: eventId } = reward
    if (status !== 'PENDING' && status !== 'PENDING_DEDUCTION') return []
    const step = eventId === undefined ? undefined : tx.get('transaction_events', eventId)
    if (accountId !== undefined && step?.account_id !== accountId) return []
    if (step && Date.parse(step.posted_at) > now) return []
    return [
      tx.put('rewards', { ...reward, status: settledStatus[status], updated_at: changedAt(now, reward) }),
    ]
  })
}

/** Adds the sum of what steps earned and took back, if no sum has it yet, as one reward; none for a sum of zero. */
export function addSumOfRewards(
  tx: Transaction,
  customerId: string,
  steps: readonly Step[],
  now: number,
): Reward | undefined {
  const open = steps.filter(
    ({ reward_amount: amount, reward_id: of }) => amount !== undefined && of === undefined,
  )
  const sum = open.reduce(
    (total, { status, reward_amount: amount = 0 }) =>
      safeSum(total, status === 'REFUNDED' ? -amount : amount, 'the rewards add'),
    0,
  )
  const product = productOf(tx, customerId)
  if (sum === 0 || !product) return undefined
  const reward = tx.put('rewards', {
    id: tx.nextId('rewards', 'rwd'),
    customer_id: customerId,
    amount: Math.abs(sum),
    type: 'STATEMENT',
    currency: product.rewards.currency,
    status: sum > 0 ? 'AVAILABLE' : 'DEDUCTED',
    created_at: new Date(now).toISOString(),
  })
  for (const step of open) tx.put('transaction_events', { ...step, reward_id: reward.id })
  return reward
}
