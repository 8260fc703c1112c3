// A JSON number that a JavaScript number cannot represent exactly (a 64-bit id, 1e400, -0). It stores the original
// text.

/** Counts the exact numbers that `JSON.stringify` wrote, as it cannot write their text; see `stringify`. */
export const writtenExactNumbers = { count: 0 }

/**
 * An exact number. It is immutable, so copies of a value share it. It occurs in the free-form parts of documents.
 * Callers of the library get the nearest JavaScript number instead (`plainCopy`).
 *
 * @example new ExactNumber('9223372036854775807').nearest   // 9223372036854776000
 */
export class ExactNumber {
  /** The number as JSON text. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The nearest finite JavaScript number, as JSON cannot represent infinity. */
  get nearest(): number {
    const value = Number(this.text)
    return Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE
  }

  toJSON(): number {
    writtenExactNumbers.count += 1
    return this.nearest
  }
}

/**
 * Whether two values are the same number. It compares the texts of two exact numbers by value. Otherwise it compares
 * the nearest JavaScript numbers, as one may be rounded, such as a number from YAML.
 */
export function sameNumber(one: unknown, other: unknown): boolean {
  if (!(one instanceof ExactNumber) || !(other instanceof ExactNumber)) return nearest(one) === nearest(other)
  const [a, b] = [decimalOf(one.text), decimalOf(other.text)]
  return a.isNegative === b.isNegative && a.digits === b.digits && a.exponent === b.exponent
}

function nearest(value: unknown): unknown {
  return value instanceof ExactNumber ? value.nearest : value
}

/** Whether a JavaScript number would change the value of a number's text. */
export function wouldChange(text: string): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return true
  const sent = decimalOf(text)
  if (value === 0) return sent.isNegative || sent.digits !== ''
  const written = decimalOf(String(value))
  return sent.digits !== written.digits || sent.exponent !== written.exponent
}

/**
 * Returns a JavaScript number for a field that is not free-form. It breaks the same rule as the text: a fraction that
 * JavaScript would round away remains a fraction, and a number that is too large remains too large.
 *
 * @example
 * numberForValidation('4503599627370497.3')   // 4503599627370495.5: no integer
 * numberForValidation('1e400')                // 1.7976931348623157e+308
 */
export function numberForValidation(text: string): number {
  const value = new ExactNumber(text).nearest
  if (!Number.isInteger(value) || decimalOf(text).exponent >= 0) return value
  const largest = 2 ** 52 - 0.5
  return text.startsWith('-') ? Math.max(value - 0.5, -largest) : Math.min(value + 0.5, largest)
}

/** Parses a number into its sign, its digits without leading and trailing zeros, and their power of ten. */
function decimalOf(text: string): { isNegative: boolean; digits: string; exponent: number } {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const all = whole + fraction
  let from = 0
  while (all[from] === '0') from++
  let to = all.length
  while (to > from && all[to - 1] === '0') to--
  const digits = all.slice(from, to)
  const exponent = digits === '' ? 0 : Number(power) - fraction.length + all.length - to
  return { isNegative: sign === '-', digits, exponent }
}
