// Currencies and their minor digits (ISO 4217), for formatting amounts in minimum units.
/**
 * The list is checked in. `Intl` cannot replace it: it lacks fund codes such as CLF, follows custom where ISO counts
 * decimals (HUF, COP), and changes with the ICU that Node was built with.
 */

/** List One as of amendment 180 (January 2026): each number of minor digits and the codes that have it. */
const activeCodes: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
     CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
     HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU
     MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR
     SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED
     VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Metals, units of account, the test code and "no currency": ISO defines no minor unit for them. */
const codesWithoutMinorUnit = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'

/** Codes withdrawn since 2021. A statement closed before then still uses them, so they retain their two digits. */
const withdrawnCodes = 'ANG BGN CUC HRK SLL ZWL'

/** Every known ISO 4217 code, with its number of minor digits. */
export const currencyDigits: ReadonlyMap<string, number> = new Map(
  [...activeCodes, [0, codesWithoutMinorUnit] as const, [2, withdrawnCodes] as const].flatMap(
    ([digits, codes]) => codes.split(/\s+/).map((code) => [code, digits] as const),
  ),
)

/**
 * Returns the number of digits after the decimal point of an amount.
 *
 * Any text other than an ISO 4217 code in capital letters has none. A reward unit such as POINTS is counted in whole
 * units. For an unassigned code (ZZZ), the integer is shown unchanged, because its number of digits is unknown.
 *
 * @example
 * minorDigits('USD')      // 2
 * minorDigits('JPY')      // 0
 * minorDigits('POINTS')   // 0
 */
export function minorDigits(currency: string): number {
  return currencyDigits.get(currency) ?? 0
}

/**
 * Formats an amount in minimum units for display: a decimal point, commas between thousands, no symbol.
 * It moves the digits as text, so nothing is rounded.
 *
 * @throws {RangeError} when the amount is not an integer.
 * @example
 * formatMinorUnits(123456, 'USD')     // '1,234.56'
 * formatMinorUnits(-1250, 'USD')      // '-12.50'
 * formatMinorUnits(-5, 'KWD')         // '-0.005'
 * formatMinorUnits(12500, 'POINTS')   // '12,500'
 */
export function formatMinorUnits(amount: number, currency: string): string {
  const units = BigInt(amount)
  const [sign, size] = units < 0n ? ['-', -units] : ['', units]
  const digits = minorDigits(currency)
  const padded = size.toString().padStart(digits + 1, '0')
  const point = padded.length - digits
  const major = padded.slice(0, point).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return sign + major + (digits === 0 ? '' : `.${padded.slice(point)}`)
}
