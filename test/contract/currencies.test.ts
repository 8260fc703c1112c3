import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { currencyDigits, formatMinorUnits, minorDigits } from '../../src/contract/currencies.ts'

/** Codes that ISO 4217 assigns and `Intl.supportedValuesOf('currency')` omits (ICU 76 to 78). */
const unknownToIntl =
  'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD XAG XAU XBA XBB XBC XBD XPD XPT XTS XUA XXX'.split(' ')

/** Where CLDR follows custom, which drops minor units worth nothing any more, and we follow ISO 4217. */
const differsInIntl: Record<string, { iso: number; intl: number }> = {
  ...Object.fromEntries(
    'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR RSD SLL SOS SYP YER'
      .split(' ')
      .map((code) => [code, { iso: 2, intl: 0 }]),
  ),
  IQD: { iso: 3, intl: 0 },
  // ISO 4217 says "N.A."; ICU falls back on two digits.
  XDR: { iso: 0, intl: 2 },
  XSU: { iso: 0, intl: 2 },
}

const intlCodes = Intl.supportedValuesOf('currency')
const intlDigits = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits

describe('the currency list', () => {
  it('holds 178 active and 6 withdrawn codes of three capital letters', () => {
    expect(currencyDigits.size).toBe(178 + 6)
    expect([...currencyDigits.keys()].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
  })

  it('knows every code that Intl knows', () => {
    expect(intlCodes.filter((code) => !currencyDigits.has(code))).toEqual([])
  })

  // ICU versions differ, so a listed difference may be missing, but none may come up that is not listed.
  it('knows no other code beyond those Intl is known to lack', () => {
    const extra = [...currencyDigits.keys()].filter((code) => !intlCodes.includes(code))
    expect(extra.filter((code) => !unknownToIntl.includes(code))).toEqual([])
  })

  it('agrees with Intl on minor digits, but for the known differences', () => {
    const surprises = intlCodes.filter((code) => {
      const [iso, intl] = [minorDigits(code), intlDigits(code)]
      const known = differsInIntl[code]
      return iso !== intl && !(known?.iso === iso && known.intl === intl)
    })
    expect(surprises).toEqual([])
  })

  it.each(Object.entries(differsInIntl))('follows ISO 4217 for %s', (code, { iso }) => {
    expect(minorDigits(code)).toBe(iso)
  })
})

test.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['UYW', 4],
  ['BGN', 2],
  ['XXX', 0],
  ['XTS', 0],
  ['ZZZ', 0],
  ['POINTS', 0],
  ['usd', 0],
  ['', 0],
  ['constructor', 0],
])('minorDigits(%j) is %i', (currency, digits) => {
  expect(minorDigits(currency)).toBe(digits)
})

describe('formatMinorUnits', () => {
  test.each([
    [0, 'USD', '0.00'],
    [-0, 'USD', '0.00'],
    [5, 'USD', '0.05'],
    [-5, 'USD', '-0.05'],
    [-1250, 'USD', '-12.50'],
    [99_999, 'USD', '999.99'],
    [123_456, 'USD', '1,234.56'],
    [-123_456_789, 'EUR', '-1,234,567.89'],
    [1_234, 'JPY', '1,234'],
    [-5, 'KWD', '-0.005'],
    [1_234_567, 'CLF', '123.4567'],
    [12_500, 'POINTS', '12,500'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90,071,992,547,409.91'],
    [Number.MIN_SAFE_INTEGER, 'JPY', '-9,007,199,254,740,991'],
    [1e21, 'JPY', '1,000,000,000,000,000,000,000'],
  ])('%d %s -> %s', (amount, currency, text) => {
    expect(formatMinorUnits(amount, currency)).toBe(text)
  })

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is not an amount -> RangeError', (amount) => {
    expect(() => formatMinorUnits(amount, 'USD')).toThrow(RangeError)
  })

  it('writes what Intl writes for the same exact decimal', () => {
    const currencies = fc.constantFrom('JPY', 'USD', 'KWD', 'CLF', 'POINTS')
    fc.assert(
      fc.property(fc.maxSafeInteger(), currencies, (amount, currency) => {
        const digits = minorDigits(currency)
        const format = new Intl.NumberFormat('en-US', {
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        })
        const decimal = `${amount}E-${digits}` as `${number}`
        expect(formatMinorUnits(amount, currency)).toBe(format.format(decimal))
      }),
    )
  })
})
