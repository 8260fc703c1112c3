// Computes the reward that a purchase earns: earn rate, minor units and rounding.
import type { AssumptionValue } from './assumptions.ts'
import { minorDigits } from './currencies.ts'

/** The inputs of the computation: a purchase, its earn rate and the rounding. */
export interface Earning {
  /** The purchase amount, in minimum units of `currency`. */
  amount: number
  currency: string
  /** Reward units for one unit of the transaction currency, as a decimal string such as `1.50`. */
  earnRate: string
  /** The currency or unit of the reward, which decides its minimum unit: a point is 1, a cent 0.01. */
  rewardCurrency: string
  rounding: AssumptionValue<'reward_rounding'>
}

/**
 * Returns the reward of a purchase, in minimum units of the reward currency (contract: Reward categories response,
 * earn_rate). It computes with integers throughout, so no digit is lost. A refund earns the same amount as its
 * purchase, but negative. Both roundings apply to the absolute amount: `down` rounds towards zero, `half_up` to the
 * nearest, with a half away from zero.
 *
 * @throws {RangeError} when the result exceeds what a JSON number holds exactly, or an input is no integer or decimal.
 * @example
 * rewardAmount({ amount: 4999, currency: 'USD', earnRate: '1.50', rewardCurrency: 'POINTS', rounding: 'down' })   // 74
 * rewardAmount({ amount: 4999, currency: 'USD', earnRate: '0.015', rewardCurrency: 'USD', rounding: 'half_up' })  // 75
 */
export function rewardAmount({ amount, currency, earnRate, rewardCurrency, rounding }: Earning): number {
  const [whole = '', decimals = ''] = earnRate.split('.')
  if (!/^\d+$/.test(whole) || !/^\d*$/.test(decimals))
    throw new RangeError('earnRate must be a decimal string')
  const purchase = BigInt(amount)
  const size = purchase < 0n ? -purchase : purchase
  const earned = size * BigInt(whole + decimals) * 10n ** BigInt(minorDigits(rewardCurrency))
  const scale = 10n ** BigInt(minorDigits(currency) + decimals.length)
  const rounded = rounding === 'down' ? earned / scale : (earned + scale / 2n) / scale
  const result = Number(purchase < 0n ? -rounded : rounded)
  if (!Number.isSafeInteger(result)) throw new RangeError('the reward is too large for a JSON number')
  return result
}
