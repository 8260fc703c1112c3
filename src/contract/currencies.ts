// Currencies and their minor digits (ISO 4217), so that an amount in minimum units can be read by people.
/**
 * The list is checked in rather than asked of `Intl`, which lacks fund codes such as CLF, follows custom
 * where ISO counts decimals (HUF, COP) and changes with the ICU that Node was built with.
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

/** Metals, units of account, the test code and "no currency", to which ISO gives no minor unit at all. */
const codesWithoutMinorUnit = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'

/** Withdrawn since 2021. A statement closed before then still carries them, so they keep their two digits. */
const withdrawnCodes = 'ANG BGN CUC HRK SLL ZWL'

/** Every ISO 4217 code we know, with its number of minor digits. */
export const currencyDigits: ReadonlyMap<string, number> = new Map(
  [...activeCodes, [0, codesWithoutMinorUnit] as const, [2, withdrawnCodes] as const].flatMap(
    ([digits, codes]) => codes.split(/\s+/).map((code) => [code, digits] as const),
  ),
)

/**
 * How many of an amount's last digits stand behind the decimal point.
 *
 * Anything that is not an ISO 4217 code in capital letters has none: a reward unit such as POINTS is counted
 * whole, and for a code that nobody assigned (ZZZ) the bare integer is the one thing sure to be true.
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
 * Writes an amount in minimum units as people read it: a decimal point, commas between thousands, no symbol.
 * The digits are moved as text, so nothing is rounded. An amount that is not an integer is a RangeError.
 *
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
