import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rewardAmount } from '../../src/contract/reward-amount.ts'

describe('rewardAmount', () => {
  it.each([
    // amount, currency, rate, reward currency, down, half_up
    [4999, 'USD', '1.50', 'POINTS', 74, 75],
    [4999, 'USD', '0.015', 'USD', 74, 75],
    [4966, 'USD', '0.015', 'USD', 74, 74],
    [100, 'USD', '1', 'POINTS', 1, 1],
    [99, 'USD', '1.00', 'POINTS', 0, 1],
    [50, 'USD', '1.00', 'POINTS', 0, 1],
    [49, 'USD', '1.00', 'POINTS', 0, 0],
    [0, 'USD', '3.00', 'POINTS', 0, 0],
    [1000, 'JPY', '0.02', 'POINTS', 20, 20],
    [1000, 'JPY', '0.02', 'USD', 2000, 2000],
    [12345, 'KWD', '2.5', 'POINTS', 30, 31],
    [-4999, 'USD', '1.50', 'POINTS', -74, -75],
    [900719925474099, 'USD', '10.00', 'POINTS', 90071992547409, 90071992547410],
    [10, 'USD', '0.00000001', 'POINTS', 0, 0],
  ])('%s %s at %s in %s: %s down, %s half up', (amount, currency, earnRate, rewardCurrency, down, halfUp) => {
    const earning = { amount, currency, earnRate, rewardCurrency }
    expect(rewardAmount({ ...earning, rounding: 'down' })).toBe(down)
    expect(rewardAmount({ ...earning, rounding: 'half_up' })).toBe(halfUp)
  })

  it('never gives -0', () => {
    const nothing = rewardAmount({
      amount: -1,
      currency: 'USD',
      earnRate: '0.1',
      rewardCurrency: 'POINTS',
      rounding: 'down',
    })
    expect(Object.is(nothing, 0)).toBe(true)
  })

  it.each([
    ['a result beyond 2^53', { amount: Number.MAX_SAFE_INTEGER, earnRate: '1000' }],
    ['an amount that is no integer', { amount: 1.5, earnRate: '1' }],
    ['a rate that is no decimal', { amount: 100, earnRate: '-1' }],
    ['an empty rate', { amount: 100, earnRate: '' }],
  ])('%s -> RangeError', (_title, change) => {
    const earning = { currency: 'USD', rewardCurrency: 'POINTS', rounding: 'down' as const }
    expect(() => rewardAmount({ ...earning, ...change })).toThrow(RangeError)
  })

  it('the two roundings differ by at most one, and the exact value lies between', () => {
    const rate = fc
      .tuple(fc.nat(50), fc.nat(999))
      .map(([whole, part]) => `${whole}.${String(part).padStart(3, '0')}`)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), rate, (amount, earnRate) => {
        const earning = { amount, currency: 'USD', earnRate, rewardCurrency: 'POINTS' }
        const down = rewardAmount({ ...earning, rounding: 'down' })
        const halfUp = rewardAmount({ ...earning, rounding: 'half_up' })
        const exact = BigInt(amount) * BigInt(earnRate.replace('.', ''))
        expect(BigInt(down) * 100_000n <= exact && exact < BigInt(down + 1) * 100_000n).toBe(true)
        expect(halfUp - down).toBe(exact - BigInt(down) * 100_000n >= 50_000n ? 1 : 0)
      }),
    )
  })
})
