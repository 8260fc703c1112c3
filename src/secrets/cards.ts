// Detects card numbers. Documents may only have the test numbers that card schemes and payment processors publish. Any
// other number that passes the Luhn check could belong to a real card.

/** A published test number and its network. */
export interface TestCard {
  pan: string
  network: string
}

const published: Readonly<Record<string, string>> = {
  VISA: `4242424242424242 4111111111111111 4012888888881881 4000056655665556 4000002500003155 4000000000000002
    4000000000000077 4000000000000341 4000000000009995 4000000000000069 4000000000000127 4000000000000119
    4000000000003220 4000000000000259 4222222222222 4005519200000004 4009348888881881 4012000033330026
    4917610000000000 4988438843884305 4166676667666746 4646464646464644 4444333322221111
    4000160000000004 4462030000000000 4263982640269299 4263970000005262 4012000077777777 4007000000027`,
  MASTERCARD: `5555555555554444 5105105105105100 2223003122003222 5200828282828210 2223000048400011 5454545454545454
    5500000000000004 5424000000000015 2222400070000005 2222420000001113 5425230000004415 5555341244441115
    5577000055770004 2223577120017656 5136333333333335 5425233430109903 5431111111111111 5100290029002909`,
  AMEX: `378282246310005 371449635398431 378734493671000 370000000000002 341111111111111 374245455400126
    343434343434343 376680816376961`,
  DISCOVER: `6011111111111117 6011000990139424 6011981111111113 6011000000000004 6011601160116611 6445644564456445
    6011000000000012 6011000400000000`,
  DINERS: `3056930009020004 36227206271667 30569309025904 38520000023237 36006666333344 38000000000006 30000000000004`,
  JCB: `3566002020360505 3530111333300000 3569990010095841 3566111111111113 3088000000000017`,
  UNIONPAY: `6200000000000005 6200000000000047 6205500000000000004 6243030000000001 8171999927660000 6250946000000016
    6250947000000014`,
  MAESTRO: `6759649826438453 6799990100000000019 6304000000000000 6771798021000008 6771830999991239`,
}

/** Every published test number that we know, by network. */
export const testCards: readonly TestCard[] = Object.entries(published).flatMap(([network, pans]) =>
  pans.split(/\s+/).map((pan) => ({ pan, network })),
)

/** Those of the networks whose cards the service issues. */
export const issuedCards: readonly TestCard[] = testCards.filter(({ network }) =>
  ['VISA', 'MASTERCARD', 'AMEX'].includes(network),
)

/** Those of the length that cards have today. */
export const currentCards = issuedCards.filter(({ pan }) => pan.length >= 15)

const testPans: ReadonlySet<string> = new Set(testCards.map(({ pan }) => pan))

/** Whether a number is a published test number. */
export function isTestPan(pan: string): boolean {
  return testPans.has(pan)
}

/**
 * Matches the published test numbers at any position. No number is a prefix of another, so there is at most one match
 * at a position.
 */
export const testPanAnywhere = new RegExp(`(?=(${[...testPans].join('|')}))`, 'g')

/** Whether a number passes the check digit of card numbers (ISO/IEC 7812-1, Luhn). */
export function passesLuhn(pan: string): boolean {
  let sum = 0
  for (let place = 0; place < pan.length; place++) {
    const digit = pan.charCodeAt(pan.length - 1 - place) - 48
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/**
 * Whether a number could belong to a real card: it passes the Luhn check and is not a published test number.
 *
 * @example
 * couldBeReal('4242424242424242')   // false: a test number
 * couldBeReal('4242424242424241')   // false: no card has it
 */
export function couldBeReal(pan: string): boolean {
  return !testPans.has(pan) && passesLuhn(pan)
}

/**
 * Matches digits, with an optional space or dash between any two of them. It does not match a part of something longer:
 * an id, a telephone number, a decimal number.
 */
const longNumbers = /(?<![\w+]|\w-|\d\.)\d(?:[ -]?\d){12,}(?!\w|-\w|\.\d)/g

/** Matches the first digits of card schemes. No year matches, so that dates are not taken for cards. */
const schemePrefix = /^(?:[3-6]|2[2-7])/

/**
 * Whether a text has a number that could belong to a real card, alone or among words. The number may have spaces or
 * dashes.
 *
 * @example
 * holdsRealCard('paid with 4539 5787 6362 1486')   // true
 * holdsRealCard('txn_4539578763621486')            // false: an id
 */
export function holdsRealCard(text: string): boolean {
  return [...text.matchAll(longNumbers)].some(([run]) => holdsRealNumber(run))
}

/** Whether adjacent groups of digits form a card number. Digits of a test number cannot be part of another number. */
function holdsRealNumber(run: string): boolean {
  const digits = run.replaceAll(/[ -]/g, '')
  const taken = new Uint8Array(digits.length)
  let isReal = false
  eachCardNumber(run, 13, (from, to) => {
    if (testPans.has(digits.slice(from, to))) taken.fill(1, from, to)
  })
  eachCardNumber(run, 13, (from, to) => {
    isReal ||= schemePrefix.test(digits.slice(from, from + 2)) && !taken.subarray(from, to).includes(1)
  })
  return isReal
}

/**
 * Finds every sequence of adjacent groups of digits that has up to 19 digits and passes the Luhn check. It computes the
 * prefix sums of both ways of doubling every other digit once for the whole run, so that a check compares two sums.
 * Without prefix sums, 64 KB of `1 1 1` took 65 ms instead of 3 ms.
 *
 * @param run groups of digits with one character between any two of them, which sorts before digits in ASCII.
 * @param take receives the position of the first digit and the position after the last, counted in digits of the run.
 */
export function eachCardNumber(
  run: string,
  shortest: number,
  take: (from: number, to: number) => void,
): void {
  /** The number of digits before each group, and before the end. */
  const borders = [0]
  /**
   * The sums of the digits before each position, modulo 10: with digits at odd positions doubled, or those at even
   * ones.
   */
  const [oddDoubled, evenDoubled] = [new Uint8Array(run.length + 1), new Uint8Array(run.length + 1)]
  let [count, even, odd] = [0, 0, 0]
  for (let at = 0; at < run.length; at++) {
    const digit = run.charCodeAt(at) - 48
    if (digit < 0) {
      borders.push(count)
      continue
    }
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    odd += count % 2 === 1 ? doubled : digit
    even += count % 2 === 0 ? doubled : digit
    count += 1
    oddDoubled[count] = odd % 10
    evenDoubled[count] = even % 10
  }
  borders.push(count)
  for (let group = 0; group < borders.length; group++) {
    const from = borders[group] ?? 0
    for (let next = group + 1; next < borders.length; next++) {
      const to = borders[next] ?? 0
      if (to - from > 19) break
      // The Luhn check does not double the last digit.
      const sums = to % 2 === 1 ? oddDoubled : evenDoubled
      if (to - from >= shortest && sums[to] === sums[from]) take(from, to)
    }
  }
}

/** Whether a value may have a card number anywhere in it. It is quick, and may return true for a value without one. */
export function mayHoldCard(value: unknown): boolean {
  if (typeof value === 'string') return value.length >= 13 && digitsOfCard.test(value)
  if (typeof value === 'number') return value >= 1e12
  if (typeof value !== 'object' || value === null) return false
  const fields: Readonly<Record<string, unknown>> = Object(value)
  for (const name in fields) {
    const field = fields[name]
    if (typeof field === 'string') {
      if (field.length >= 13 && digitsOfCard.test(field)) return true
    } else if (mayHoldCard(field)) return true
    if (name.length >= 13 && digitsOfCard.test(name)) return true
  }
  return false
}

const digitsOfCard = /\d(?:[ -]?\d){12}/
