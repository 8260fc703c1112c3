// Generates rewards and announced purchases: the results of a customer's use of the card.
import { rewardAmount } from '../contract/reward-amount.ts'
import { hash32 } from '../runtime/random.ts'
import type { ProductRow, Row } from '../store/rows.ts'
import { between, day, endOfHistory, later, sometime, type CustomerContext } from './generation-context.ts'
import type { RandomStream } from './random-stream.ts'

type Reward = Row<'rewards'>
type Category = ProductRow['rewards']['categories'][number]

const typesWithoutPurchase = ['OFFER', 'ONE_TIME', 'STATEMENT', 'REFERRAL'] as const

/** 0 to 8 rewards of all types and statuses. @param opening the balance before them. */
export function makeRewards(making: CustomerContext, opening: number): Reward[] {
  const { random } = making
  const count = random.percent(35) ? 0 : random.integer(1, 8)
  const rewards = Array.from({ length: count }, (_, index) =>
    makeReward(making, `${making.number}_${index + 1}`),
  )
  return covered(opening, rewards)
}

/** Makes deductions available that the balance could not pay, even if all are complete: it is never negative. */
function covered(opening: number, rewards: readonly Reward[]): Reward[] {
  const available = rewards.filter(({ status }) => status === 'AVAILABLE')
  let balance = available.reduce((sum, { amount }) => sum + amount, opening)
  return rewards.map((reward) => {
    if (reward.status === 'PENDING' || reward.status === 'AVAILABLE') return reward
    const isPaid = reward.amount <= balance
    balance += isPaid ? -reward.amount : reward.amount
    return isPaid ? reward : { ...reward, status: 'AVAILABLE' }
  })
}

function makeReward(making: CustomerContext, number: string): Reward {
  const { random, customerId, product } = making
  const category = random.percent(65) ? categoryFor(random, product) : undefined
  const status = statusOf(random)
  // Pending rewards were earned recently.
  const isPending = status === 'PENDING'
  const createdAt = isPending ? inLastDays(20, making) : sometime(making)
  const about = { id: `rwd_${number}`, customer_id: customerId }
  const { currency } = product.rewards
  const since = isPending ? {} : { updated_at: later(making, createdAt) }
  const end = { currency, status, created_at: createdAt, ...since }
  if (category === undefined) {
    const type = random.pick(typesWithoutPurchase)
    return { ...about, amount: random.integer(1, 40) * 250, type, ...end }
  }
  const purchase = random.integer(250, 40_000)
  const amount = rewardAmount({
    amount: purchase,
    currency: 'USD',
    earnRate: category.earn_rate,
    rewardCurrency: currency,
    rounding: making.rounding,
  })
  return {
    ...about,
    transaction_event_id: `txe_${number}`,
    amount,
    type: 'TRANSACTION',
    ...end,
    metadata: { merchant_name: merchantOf(making, category), purchase_amount: purchase },
  }
}

/** Returns an instant of the last days of history, after the customer was created. */
function inLastDays(days: number, { random, since }: CustomerContext): string {
  return between(random, Math.max(since + day, endOfHistory - days * day), endOfHistory)
}

function statusOf(random: RandomStream): Reward['status'] {
  const chance = random.integer(1, 100)
  if (chance <= 25) return 'PENDING'
  return chance <= 75 ? 'AVAILABLE' : chance <= 83 ? 'PENDING_DEDUCTION' : 'DEDUCTED'
}

function categoryFor(random: RandomStream, { rewards }: ProductRow): Category | undefined {
  return rewards.categories[random.integer(0, rewards.categories.length - 1)]
}

/** Returns one of the merchants of a category; a category for all others takes any. */
function merchantOf({ random, names }: CustomerContext, { merchants }: Category): string {
  return merchants[random.integer(0, merchants.length - 1)] ?? names.company()
}

const merchantCodes = ['5812', '5411', '4511', '5541', '5942', '5732'] as const

/** Returns a category code that is always the same for a merchant. */
function codeOf(merchant: string): string {
  return merchantCodes[hash32(merchant) % merchantCodes.length] ?? merchantCodes[0]
}

/** 0 to 3 intents of the last months. */
export function makeIntents(making: CustomerContext, card: string | undefined): Row<'transaction_intents'>[] {
  const { random, product, number, customerId } = making
  const count = random.percent(55) ? 0 : random.integer(1, 3)
  return Array.from({ length: count }, (_, index) => {
    const createdAt = inLastDays(90, making)
    const category = categoryFor(random, product)
    const merchant = category ? merchantOf(making, category) : making.names.company()
    const isCanceled = random.percent(12)
    return {
      id: `int_${number}_${index + 1}`,
      customer_id: customerId,
      amount: random.integer(250, 40_000),
      currency: 'USD',
      status: isCanceled ? 'CANCELED' : 'CONFIRMED',
      created_at: createdAt,
      ...(card !== undefined && random.percent(80) ? { payment_method_id: card } : {}),
      network_transaction_id: `ntx_${number}_${random.digits(8)}`,
      ...(random.percent(50) ? { partner_transaction_id: `ptx_${number}_${index + 1}` } : {}),
      ...(isCanceled ? { updated_at: later(making, createdAt) } : {}),
      merchant_name: merchant,
      merchant_code: codeOf(merchant),
      ...(random.percent(60) ? { expected_date: createdAt.slice(0, 10) } : {}),
    }
  })
}
