// Page tokens of the statement list: a position in the list, and an expiry time if tokens have a lifetime.
import type { Cursors } from '../store/cursors.ts'
import type { Place } from '../store/table.ts'
import type { AnyCall } from './define.ts'

/** The number of digits of the clock's latest time in milliseconds. */
const digitsOfTime = 15

/** The length of a statement's `order`, which begins with its time. */
const lengthOfOrder = 17

/** Creates and reads the tokens of one list. */
export class PageTokens {
  readonly #cursors: Cursors
  readonly #boundTo: string
  readonly #call: Pick<AnyCall, 'now' | 'values' | 'assume'>

  constructor(call: Pick<AnyCall, 'cursors' | 'now' | 'values' | 'assume'>, list: string) {
    this.#cursors = call.cursors
    this.#call = call
    // Tokens with and without an expiry have different bindings, so neither opens as the other. No id has a control
    // character, so no list has the binding of another.
    this.#boundTo = call.values.page_token_lifetime === 'none' ? list : `${list}\u0000expiring`
  }

  /** Returns the token for a position. */
  seal({ order, id }: Place): string {
    const { now, assume } = this.#call
    const lifetime = assume('page_token_lifetime')
    const expires = lifetime === 'none' ? '' : String(now + lifetime * 1000).padStart(digitsOfTime, '0')
    return this.#cursors.seal(this.#boundTo, expires + order + id)
  }

  /** Returns the position in a token; undefined for a token of another list, and for an expired token. */
  open(token: string): Place | undefined {
    const { now, values, assume } = this.#call
    const text = this.#cursors.open(this.#boundTo, token)
    if (text === undefined) return undefined
    const from = values.page_token_lifetime === 'none' ? 0 : digitsOfTime
    if (from > 0 && Number(text.slice(0, from)) <= now) {
      assume('page_token_lifetime')
      return undefined
    }
    const orderEnd = from + lengthOfOrder
    return { order: text.slice(from, orderEnd), id: text.slice(orderEnd) }
  }
}
