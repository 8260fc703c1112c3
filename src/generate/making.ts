// What one made-up customer is made from, and instants of their history.
import type { AssumptionValue } from '../contract/assumptions.ts'
import type { CollectionName, ProductRow, Row } from '../store/rows.ts'
import { rfc3339 } from '../fixtures/fill/choose.ts'
import type { Names } from './faker-names.ts'
import type { RandomStream } from './random-stream.ts'

/** The end of all generated history: a fixed instant, so that the same seed gives the same bytes on any day. */
export const endOfHistory = Date.UTC(2026, 10, 1) - 1000
/** The day from which on customers were made. */
export const startOfHistory = Date.UTC(2021, 10, 1)
/** A day in milliseconds. */
export const day = 24 * 60 * 60 * 1000

/** What all customers are made from. */
export interface PopulationOptions {
  seed: number
  /** The customers are spread over all of them; at least one. */
  products: readonly ProductRow[]
  /** How rewards are rounded that purchases earned (assumption `reward_rounding`). */
  rounding: AssumptionValue<'reward_rounding'>
}

/** The collections that are generated, in the order of a state document. */
export const generatedCollections = [
  'customers',
  'accounts',
  'payment_methods',
  'rewards',
  'transaction_intents',
  'statements',
  'order_events',
] as const satisfies readonly CollectionName[]

/** Rows that were made up. */
export type GeneratedRows = { [C in (typeof generatedCollections)[number]]: Row<C>[] }

/** What the parts of one customer are made from. */
export interface Making {
  random: RandomStream
  names: Names
  customerId: string
  accountId: string
  /** The number that stands in all ids of the customer, such as `000042`. */
  number: string
  product: ProductRow
  rounding: PopulationOptions['rounding']
  /** When the customer was made, in milliseconds since the epoch. */
  since: number
}

/** An instant between two others, to the second, as RFC 3339. */
export function between(random: RandomStream, from: number, to: number): string {
  return rfc3339(from + random.integer(0, Math.floor((to - from) / 1000)) * 1000)
}

/** An instant between a customer's making and the end of history. */
export function sometime({ random, since }: Making): string {
  return between(random, since + day, endOfHistory)
}

/** An instant between another one and the end of history. */
export function later({ random }: Making, than: string): string {
  return between(random, Date.parse(than) + 60_000, endOfHistory)
}
