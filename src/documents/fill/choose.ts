// Plausible values out of the seed. A value depends on the seed and on what it is for, and on nothing else: adding a
// row to a document changes no other row.
import { idAt } from '../../runtime/ids.ts'
import { hash32, mix32 } from '../../runtime/random.ts'

const day = 24 * 60 * 60 * 1000

/** A chooser for one row: the same seed and words always choose the same. */
export class Chooser {
  readonly #seed: number
  readonly #collection: string
  readonly #id: string

  constructor(seed: number, collection: string, id: string) {
    this.#seed = seed
    this.#collection = collection
    this.#id = id
  }

  /** An integer from `least` to `most`, both included. */
  integer(field: string, least: number, most: number): number {
    return least + (this.#hash(field) % (most - least + 1))
  }

  /** One of a list. */
  pick<T>(field: string, list: readonly [T, ...T[]]): T {
    return list[this.integer(field, 0, list.length - 1)] ?? list[0]
  }

  /** Digits, leading zeros included. */
  digits(field: string, length: number): string {
    return String(this.integer(field, 0, 10 ** length - 1)).padStart(length, '0')
  }

  /** An instant of a year, to the second, as milliseconds since the epoch. */
  instant(field: string, year: number): number {
    const start = Date.UTC(year, 0, 1)
    return start + this.integer(field, 0, 364) * day + this.integer(`${field} time`, 0, 86_399) * 1000
  }

  /** A text that looks like a key or secret: a prefix and 24 characters. */
  token(field: string, prefix: string): string {
    const place = this.#hash(field)
    return idAt(this.#seed, place, prefix) + idAt(mix32(place), place, '').slice(1)
  }

  #hash(field: string): number {
    return hash32(this.#seed, this.#collection, this.#id, field)
  }
}

const startOfTime = Date.parse('0000-01-01T00:00:00Z')
const endOfTime = Date.parse('9999-12-31T23:59:59Z')

/**
 * Milliseconds since the epoch as RFC 3339, to the second. What its four digits of a year cannot write becomes the
 * nearest instant that they can.
 *
 * @example rfc3339(0)   // '1970-01-01T00:00:00Z'
 */
export function rfc3339(instant: number): string {
  const written = instant >= startOfTime ? Math.min(instant, endOfTime) : startOfTime
  return `${new Date(written).toISOString().slice(0, 19)}Z`
}
