// The reward of a step: a capture earns one, and a refund takes back its share of it.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Accrual, RewardStatus } from '../contract/resources/reward.ts'
import { rewardAmount } from '../contract/reward-amount.ts'
import { DocumentError } from '../input/problems.ts'
import { changedAt } from '../store/changed-at.ts'
import type { ProductRow, Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import type { OpenCapture } from './transaction-progress.ts'

type Category = ProductRow['rewards']['categories'][number]
type Step = Row<'transaction_events'>

/** The assumptions that decide what a step does. */
export type SimulationAssumptions = Pick<
  Assumptions,
  'reward_rounding' | 'refund_reward' | 'transaction_amount'
>

/** The transaction whose steps earn rewards. */
export type Earner = Pick<Row<'transactions'>, 'customer_id' | 'currency' | 'merchant_name'>

/** The fields of a step for what it earned or deducted, and the row to write. */
export interface StepReward {
  readonly fields: Pick<Step, 'earn_rate' | 'reward_amount' | 'reward_id'>
  readonly reward?: Row<'rewards'>
}

const nothing: StepReward = { fields: {} }

/** When the rewards of a product become available. */
export const accrualOf = ({ rewards }: ProductRow): Accrual => rewards.accrual ?? 'statement'

/**
 * Returns the category in which a merchant earns: the first that lists it, or the first that lists none. Transactions
 * never earn in special categories (contract: Reward categories response).
 */
export function categoryOf({ rewards }: ProductRow, merchant: string): Category | undefined {
  const { categories } = rewards
  return (
    categories.find(({ merchants }) => merchants.includes(merchant)) ??
    categories.find(({ merchants }) => merchants.length === 0)
  )
}

/** Returns the product of the customer of a transaction. */
export function productOf(tx: Transaction, customerId: string): ProductRow | undefined {
  const customer = tx.get('customers', customerId)
  return customer && tx.get('products', customer.product)
}

/**
 * Returns what a step earns or takes back, by the accrual of the product and assumption `refund_reward`. Nothing is
 * written.
 *
 * @param step a capture or a refund, whose id its reward refers to.
 * @param capture what is refunded; without it, a refund takes back what it would have earned.
 * @throws {DocumentError} for a purchase that earns more than a JSON number can hold.
 */
export function rewardOfStep(
  tx: Transaction,
  earner: Earner,
  step: Pick<Step, 'id' | 'status' | 'amount'>,
  capture: OpenCapture | undefined,
  now: number,
  assumptions: SimulationAssumptions,
): StepReward {
  const product = productOf(tx, earner.customer_id)
  if (!product || step.amount === 0) return nothing
  const accrual = accrualOf(product)
  const isRefund = step.status === 'REFUNDED'
  const rate = capture ? capture.event.earn_rate : categoryOf(product, earner.merchant_name)?.earn_rate
  if (rate === undefined) return nothing
  const earnedBy = (paid: number): number => amountOf(earner, paid, rate, product, assumptions)
  const isAggregated = accrual === 'statement_aggregated'
  const isSame = isRefund && assumptions.refund_reward === 'same_reward' && !isAggregated
  const first = capture && rewardOfCapture(tx, capture.event)
  const amount = capture ? shareOf(capture, step.amount, first, isSame, earnedBy) : earnedBy(step.amount)
  const fields = { ...(isRefund ? {} : { earn_rate: rate }), reward_amount: amount }
  if (isSame) {
    const isWhole = capture?.event.amount === (capture?.refunded ?? 0) + step.amount
    const reward = first && (isWhole || amount > 0) && takenBack(first, amount, isWhole, accrual, now)
    return reward ? { fields: { ...fields, reward_id: reward.id }, reward } : nothing
  }
  // A refund of so little that it deducts nothing.
  if (isRefund && amount === 0) return nothing
  if (isAggregated) return { fields }
  const id = tx.nextId('rewards', 'rwd')
  const reward: Row<'rewards'> = {
    id,
    customer_id: earner.customer_id,
    transaction_event_id: step.id,
    amount,
    type: 'TRANSACTION',
    currency: product.rewards.currency,
    status: statusOf(isRefund, accrual),
    created_at: new Date(now).toISOString(),
  }
  return { fields: { ...fields, reward_id: id }, reward }
}

/** Returns the reward of a capture; undefined if it has none of its own, as a sum is the reward of many. */
function rewardOfCapture(tx: Transaction, { id, reward_id: rewardId }: Step): Row<'rewards'> | undefined {
  const reward = rewardId === undefined ? undefined : tx.get('rewards', rewardId)
  return reward?.transaction_event_id === id ? reward : undefined
}

/**
 * The share of a refund in the reward of its capture: that of all that was refunded, less what was deducted before, so
 * that the last refund deducts the rest. A partner may have changed the amount of the reward since.
 * @param isLowered earlier refunds have lowered the amount of the reward.
 */
function shareOf(
  { event, refunds, refunded }: OpenCapture,
  amount: number,
  reward: Row<'rewards'> | undefined,
  isLowered: boolean,
  earnedBy: (amount: number) => number,
): number {
  const deducted = refunds.reduce((sum, { reward_amount: taken = 0 }) => sum + taken, 0)
  const earned = reward ? reward.amount + (isLowered ? deducted : 0) : (event.reward_amount ?? 0)
  const all = refunded + amount
  return Math.max(0, (all === event.amount ? earned : Math.min(earnedBy(all), earned)) - deducted)
}

/** The first reward after a refund; undefined if it can no longer be taken back. */
function takenBack(
  reward: Row<'rewards'>,
  share: number,
  isWhole: boolean,
  accrual: Accrual,
  now: number,
): Row<'rewards'> | undefined {
  const { status, amount } = reward
  if (status !== 'PENDING' && status !== 'AVAILABLE') return undefined
  const updated_at = changedAt(now, reward)
  if (isWhole) return { ...reward, status: statusOf(true, accrual), updated_at }
  return { ...reward, amount: Math.max(0, amount - share), updated_at }
}

/** The status of a new reward or of a new deduction. */
function statusOf(isDeduction: boolean, accrual: Accrual): RewardStatus {
  const status = isDeduction ? 'PENDING_DEDUCTION' : 'PENDING'
  return accrual === 'instant' ? settledStatus[status] : status
}

/** The status that a reward has once it is settled. */
export const settledStatus = {
  PENDING: 'AVAILABLE',
  PENDING_DEDUCTION: 'DEDUCTED',
} as const satisfies Partial<Record<RewardStatus, RewardStatus>>

function amountOf(
  { currency }: Earner,
  amount: number,
  earnRate: string,
  { rewards }: ProductRow,
  { reward_rounding: rounding }: SimulationAssumptions,
): number {
  try {
    return rewardAmount({ amount, currency, earnRate, rewardCurrency: rewards.currency, rounding })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = `earns more than a JSON number can hold, at ${earnRate} ${rewards.currency} each`
    throw new DocumentError([{ source: 'transaction', path: 'amount', message }])
  }
}
