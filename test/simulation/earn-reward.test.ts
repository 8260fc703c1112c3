import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyDigits, minorDigits } from '../../src/contract/currencies.ts'
import { DocumentError } from '../../src/input/problems.ts'
import type { Transaction } from '../../src/store/transaction.ts'
import {
  categoryOf,
  rewardOfStep,
  type Earner,
  type SimulationAssumptions,
  type StepReward,
} from '../../src/simulation/earn-reward.ts'
import { begin, category, now, product, worldOf } from '../helpers/simulation.ts'
import { samples } from '../setup/samples.ts'

type Rounding = SimulationAssumptions['reward_rounding']

/** A purchase, with the amount of its capture. */
type Captured = Earner & { amount: number }

/** Returns the reward of the capture of a purchase. */
function earnReward(
  tx: Transaction,
  more: Partial<Captured> = {},
  reward_rounding: Rounding = 'down',
): StepReward {
  const { amount = 1000, ...earner } = more
  return rewardOfStep(
    tx,
    { customer_id: 'cus_1', currency: 'USD', merchant_name: 'Shop', ...earner },
    { id: 'txe_1', status: 'CAPTURED', amount },
    undefined,
    now,
    { reward_rounding, refund_reward: 'own_row', transaction_amount: 'last_step' },
  )
}

/** Returns the earnings of a purchase at a rate, in a reward currency; undefined if it earns no reward. */
function earned(
  rate: string,
  rewardCurrency: string,
  more: Partial<Captured> = {},
  reward_rounding: Rounding = 'down',
): number | undefined {
  const products = [product({ currency: rewardCurrency, categories: [category('Base', rate)] })]
  return earnReward(begin(worldOf({ products })), more, reward_rounding).reward?.amount
}

describe('the category', () => {
  const [dining, travel, base, other] = [
    category('Dining', '3', ['Bistro', 'Cafe']),
    category('Travel', '2', ['Air', 'Cafe']),
    category('Base', '1'),
    category('Other', '0.5'),
  ]

  it.each<[string, (typeof base)[], string, string | undefined]>([
    ['the one that lists the merchant', [dining, travel, base], 'Air', 'Travel'],
    ['wherever it stands', [base, dining, travel], 'Bistro', 'Dining'],
    ['the first of two that list it', [travel, dining, base], 'Cafe', 'Travel'],
    ['else the one without merchants', [dining, base], 'Shop', 'Base'],
    ['the first of two without merchants', [other, base], 'Shop', 'Other'],
    ['else none', [dining, travel], 'Shop', undefined],
    ['none of none', [], 'Shop', undefined],
    ['names are compared exactly', [dining, base], 'bistro', 'Base'],
    ['a name is no part of another', [dining, base], 'Bis', 'Base'],
  ])('%s', (_, categories, merchant, name) => {
    expect(categoryOf(product({ categories }), merchant)?.name).toBe(name)
  })

  it('a special category, which no transaction earns -> not looked at', () => {
    const special_categories = [{ name: 'Shop', description: 'Shop', type: 'SIGNUP_BONUS' }]
    expect(categoryOf(product({ categories: [], special_categories }), 'Shop')).toBeUndefined()
  })
})

describe('the amount', () => {
  it.each<[number, string, string, string, number, number]>([
    // amount and currency, earn rate, reward currency; rounded down, half up
    [1250, 'USD', '3.00', 'POINTS', 37, 38],
    [4999, 'USD', '1.50', 'POINTS', 74, 75],
    [99, 'USD', '1', 'POINTS', 0, 1],
    [49, 'USD', '1.00', 'POINTS', 0, 0],
    [1, 'USD', '0.00000001', 'MILES', 0, 0],
    [4999, 'USD', '0.015', 'USD', 74, 75],
    [1250, 'USD', '0', 'POINTS', 0, 0],
    [1250, 'JPY', '0.01', 'POINTS', 12, 13],
    [1250, 'JPY', '0.01', 'USD', 1250, 1250],
    [1250, 'USD', '0.01', 'JPY', 0, 0],
    [12_345, 'KWD', '2', 'KWD', 24_690, 24_690],
    [12_345, 'KWD', '0.3333', 'USD', 411, 411],
    [100, 'CLF', '1', 'USD', 1, 1],
    [1250, 'ZZZ', '1', 'POINTS', 1250, 1250],
    // Where floats go wrong: 4.35 * 100 is 434.99…, 1.005 * 100 is 100.49…, 2^53 + 1 is no float.
    [435, 'USD', '100', 'POINTS', 435, 435],
    [100, 'USD', '1.005', 'USD', 100, 101],
    [9_007_199_254_740_991, 'USD', '1', 'USD', 9_007_199_254_740_991, 9_007_199_254_740_991],
    [9_007_199_254_740_991, 'USD', '0.99999999', 'POINTS', 90_071_991_646_689, 90_071_991_646_690],
  ])('%i %s at %s in %s -> %i, half up %i', (amount, currency, rate, rewardCurrency, down, halfUp) => {
    expect(earned(rate, rewardCurrency, { amount, currency })).toBe(down)
    expect(earned(rate, rewardCurrency, { amount, currency }, 'half_up')).toBe(halfUp)
  })

  it('0, which is no purchase -> no reward', () => {
    expect(earnReward(begin(worldOf({})), { amount: 0 })).toEqual({ fields: {} })
  })

  it('the precision of the product, which is for showing rates -> changes nothing', () => {
    const amounts = [0, 2, 8].map((precision) => {
      const products = [product({ precision, categories: [category('Base', '1')] })]
      const tx = begin(worldOf({ products }))
      return earnReward(tx, { amount: 1234 }).reward?.amount
    })
    expect(amounts).toEqual([12, 12, 12])
  })

  it('more than a JSON number holds -> refused, naming the amount and the rate', () => {
    const refused = () => earned('1000', 'USD', { amount: Number.MAX_SAFE_INTEGER })
    expect(refused).toThrow(DocumentError)
    expect(refused).toThrow('transaction amount: earns more than a JSON number can hold, at 1000 USD each')
  })
})

describe('the reward', () => {
  it('is pending, of the customer, and names its step; nothing is written', () => {
    const tx = begin(worldOf({}))
    const { fields, reward } = earnReward(tx)
    expect(reward).toEqual({
      id: expect.stringMatching(/^rwd_\w{12}$/),
      customer_id: 'cus_1',
      transaction_event_id: 'txe_1',
      amount: 10,
      type: 'TRANSACTION',
      currency: 'POINTS',
      status: 'PENDING',
      created_at: '2026-11-21T12:00:00.000Z',
    })
    expect(fields).toEqual({ earn_rate: '1', reward_amount: 10, reward_id: reward?.id })
    expect(tx.scan('rewards', 'by_customer', 'cus_1')).toEqual([])
  })

  it("is of the customer's product", () => {
    const products = [product(), product({ currency: 'USD', categories: [category('Base', '0.5')] }, 'mk_2')]
    const customers = ['mk_1', 'mk_2'].map((mk, at) => ({
      ...[...worldOf({}).all('customers')][at],
      product: mk,
    }))
    const tx = begin(worldOf({ products, customers: customers as never }))
    const [first, second] = ['cus_1', 'cus_2'].map((customer_id) => earnReward(tx, { customer_id }).reward)
    expect([first?.amount, first?.currency, second?.amount, second?.currency]).toEqual([
      10,
      'POINTS',
      500,
      'USD',
    ])
  })
})

describe('exactness', () => {
  const rewardCurrencies = fc.constantFrom('POINTS', 'MILES', 'USD', 'JPY', 'KWD', 'CLF')
  const currencies = fc.constantFrom(...currencyDigits.keys(), 'ZZZ')
  const decimals = fc
    .nat(8)
    .chain((places) =>
      fc.nat(10 ** places - 1).map((part) => (places === 0 ? '' : `.${String(part).padStart(places, '0')}`)),
    )
  const rates = fc.tuple(fc.nat(120), decimals).map(([whole, part]) => `${whole}${part}`)
  const amounts = fc.integer({ min: 1, max: 100_000_000_000 })
  const roundings = fc.constantFrom<Rounding>('down', 'half_up')

  /** The exact value as a fraction, in minimum units of the reward currency, by other means than the code's. */
  const exact = (amount: number, currency: string, rate: string, rewardCurrency: string) => {
    const tenTo = (digits: number) => BigInt('1'.padEnd(digits + 1, '0'))
    const places = rate.includes('.') ? rate.length - rate.indexOf('.') - 1 : 0
    return {
      above: BigInt(amount) * BigInt(rate.replace('.', '')) * tenTo(minorDigits(rewardCurrency)),
      below: tenTo(minorDigits(currency)) * tenTo(places),
    }
  }

  it('is the exact value, rounded once', () => {
    fc.assert(
      fc.property(
        amounts,
        currencies,
        rates,
        rewardCurrencies,
        roundings,
        (amount, currency, rate, unit, rounding) => {
          const { above, below } = exact(amount, currency, rate, unit)
          const down = above / below
          const isHalfOrMore = (above - down * below) * 2n >= below
          const expected = rounding === 'half_up' && isHalfOrMore ? down + 1n : down
          fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
          expect(earned(rate, unit, { amount, currency }, rounding)).toBe(Number(expected))
        },
      ),
      { numRuns: samples(2000) },
    )
  })

  it('is never negative, and an integer', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        currencies,
        rates,
        rewardCurrencies,
        roundings,
        (amount, currency, rate, unit, rounding) => {
          const found = earned(rate, unit, { amount, currency }, rounding)
          expect(found === undefined).toBe(amount === 0)
          if (found !== undefined) expect(Number.isSafeInteger(found) && found >= 0).toBe(true)
        },
      ),
    )
  })

  it('of two purchases differs from that of both together by one unit at most', () => {
    fc.assert(
      fc.property(
        amounts,
        amounts,
        rates,
        rewardCurrencies,
        roundings,
        (one, other, rate, unit, rounding) => {
          const of = (amount: number) => earned(rate, unit, { amount }, rounding) ?? 0
          const [apart, together] = [of(one) + of(other), of(one + other)]
          expect(together - apart).toBeGreaterThanOrEqual(rounding === 'down' ? 0 : -1)
          expect(together - apart).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  it('never falls as the purchase grows', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.nat(100_000),
        rates,
        rewardCurrencies,
        roundings,
        (amount, more, rate, unit, rounding) => {
          const of = (paid: number) => earned(rate, unit, { amount: paid }, rounding) ?? 0
          expect(of(amount + more)).toBeGreaterThanOrEqual(of(amount))
        },
      ),
    )
  })
})
