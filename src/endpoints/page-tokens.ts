// Page tokens of the statement list: a place in the list, with the time at which the token expires where it has a lifetime.
import type { Cursors } from '../store/cursors.ts'
import type { Place } from '../store/table.ts'
import type { AnyCall } from './define.ts'

/** How many digits the latest time of the clock has in milliseconds. */
const digitsOfTime = 15

/** How many characters the order of a statement has, which begins with its time. */
const lengthOfOrder = 17

/** The tokens of one list. */
export class PageTokens {
  readonly #cursors: Cursors
  readonly #boundTo: string
  readonly #call: Pick<AnyCall, 'now' | 'values' | 'assume'>

  constructor(call: Pick<AnyCall, 'cursors' | 'now' | 'values' | 'assume'>, list: string) {
    this.#cursors = call.cursors
    this.#call = call
    // A token with a time and one without never open in place of each other: no id has a control character.
    this.#boundTo = call.values.page_token_lifetime === 'none' ? list : `${list}\u0000expiring`
  }

  /** The token for a place. */
  seal({ order, id }: Place): string {
    const { now, assume } = this.#call
    const lifetime = assume('page_token_lifetime')
    const expires = lifetime === 'none' ? '' : String(now + lifetime * 1000).padStart(digitsOfTime, '0')
    return this.#cursors.seal(this.#boundTo, expires + order + id)
  }

  /** The place of a token; undefined for a token of another list, and for an expired one. */
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
