// The pending reward that a purchase earns.
import type { Assumptions } from '../contract/assumptions.ts'
import { rewardAmount } from '../contract/reward-amount.ts'
import { DocumentError } from '../input/problems.ts'
import type { ProductRow, Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'

type Category = ProductRow['rewards']['categories'][number]

/** The transaction that earns a reward. */
export type Earner = Pick<Row<'transactions'>, 'id' | 'customer_id' | 'amount' | 'currency' | 'merchant_name'>

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

/**
 * Adds the pending reward of a purchase. A credit earns none and revokes none: the contract shows no such transition.
 *
 * @throws {DocumentError} for a purchase that earns more than a JSON number can hold.
 */
export function earnReward(
  tx: Transaction,
  earner: Earner,
  now: number,
  assumptions: Pick<Assumptions, 'reward_rounding'>,
): Row<'rewards'> | undefined {
  if (earner.amount <= 0) return undefined
  const customer = tx.get('customers', earner.customer_id)
  const product = customer && tx.get('products', customer.product)
  const category = product && categoryOf(product, earner.merchant_name)
  if (!product || !category) return undefined
  const reward: Row<'rewards'> = {
    id: tx.nextId('rewards', 'rwd'),
    customer_id: earner.customer_id,
    transaction_event_id: earner.id,
    amount: amountOf(earner, category, product, assumptions),
    type: 'TRANSACTION',
    currency: product.rewards.currency,
    status: 'PENDING',
    created_at: new Date(now).toISOString(),
  }
  tx.put('rewards', reward)
  return reward
}

function amountOf(
  { amount, currency }: Earner,
  { earn_rate: earnRate }: Category,
  { rewards }: ProductRow,
  { reward_rounding: rounding }: Pick<Assumptions, 'reward_rounding'>,
): number {
  try {
    return rewardAmount({ amount, currency, earnRate, rewardCurrency: rewards.currency, rounding })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = `earns more than a JSON number can hold, at ${earnRate} ${rewards.currency} each`
    throw new DocumentError([{ source: 'transaction', path: 'amount', message }])
  }
}
