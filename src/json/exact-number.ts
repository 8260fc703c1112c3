// A JSON number that JavaScript's own number would change (a 64-bit id, 1e400, -0), kept as the text that was sent.

/** How often one was written by `JSON.stringify`, which cannot write its text; see `stringify`. */
export const met = { count: 0 }

/**
 * Immutable, so copies of a value share it. It lives where a document is free-form; what a library caller is given
 * shows the nearest number instead (`plainCopy`).
 *
 * @example new ExactNumber('9223372036854775807').nearest   // 9223372036854776000
 */
export class ExactNumber {
  /** As JSON writes it. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The nearest number that JavaScript has and JSON can write: infinity is neither. */
  get nearest(): number {
    const value = Number(this.text)
    return Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE
  }

  toJSON(): number {
    met.count += 1
    return this.nearest
  }
}

/** Whether two values are the same number; where one of them was rounded, as YAML's are, the nearest ones count. */
export function sameNumber(one: unknown, other: unknown): boolean {
  if (!(one instanceof ExactNumber) || !(other instanceof ExactNumber)) return nearest(one) === nearest(other)
  const [a, b] = [decimalOf(one.text), decimalOf(other.text)]
  return a.isNegative === b.isNegative && a.digits === b.digits && a.exponent === b.exponent
}

function nearest(value: unknown): unknown {
  return value instanceof ExactNumber ? value.nearest : value
}

/** Whether JavaScript would write a number as another one than its text is. */
export function wouldChange(text: string): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return true
  const sent = decimalOf(text)
  if (value === 0) return sent.isNegative || sent.digits !== ''
  const written = decimalOf(String(value))
  return sent.digits !== written.digits || sent.exponent !== written.exponent
}

/**
 * A number for a field that is not free-form, so that the rule which the text breaks is the one that the number
 * breaks: a fraction that JavaScript would round away stays one, and what is too large stays so.
 *
 * @example
 * judgedNumber('4503599627370497.3')   // 4503599627370495.5: no integer
 * judgedNumber('1e400')                // 1.7976931348623157e+308
 */
export function judgedNumber(text: string): number {
  const value = new ExactNumber(text).nearest
  if (!Number.isInteger(value) || decimalOf(text).exponent >= 0) return value
  const largest = 2 ** 52 - 0.5
  return text.startsWith('-') ? Math.max(value - 0.5, -largest) : Math.min(value + 0.5, largest)
}

/** The value of a number: its digits without zeros around them, and the power of ten by which they count. */
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
