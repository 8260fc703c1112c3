// The inputs of one generated customer, and instants of their history.
import type { AssumptionValue } from '../contract/assumptions.ts'
import type { CollectionName, ProductRow, Row } from '../store/rows.ts'
import { rfc3339 } from '../runtime/rfc3339.ts'
import type { Names } from './faker-names.ts'
import type { RandomStream } from './random-stream.ts'

/** The end of all generated history: a fixed instant, so that the same seed gives the same bytes on any day. */
export const endOfHistory = Date.UTC(2026, 10, 1) - 1000
/** The day from which customers were created. */
export const startOfHistory = Date.UTC(2021, 10, 1)
/** A day in milliseconds. */
export const day = 24 * 60 * 60 * 1000

/** The inputs of all customers. */
export interface PopulationOptions {
  seed: number
  /** The products over which the customers are spread; at least one. */
  products: readonly ProductRow[]
  /** How rewards of purchases are rounded (assumption `reward_rounding`). */
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
  'orders',
  'order_events',
] as const satisfies readonly CollectionName[]

/** Generated rows. */
export type GeneratedRows = { [C in (typeof generatedCollections)[number]]: Row<C>[] }

/** The inputs of the rows of one customer. */
export interface CustomerContext {
  random: RandomStream
  names: Names
  customerId: string
  accountId: string
  /** The number in all ids of the customer, such as `000042`. */
  number: string
  product: ProductRow
  rounding: PopulationOptions['rounding']
  /** When the customer was created, in ms since the epoch. */
  since: number
}

/** Returns an instant between two others, in whole seconds, as RFC 3339. */
export function between(random: RandomStream, from: number, to: number): string {
  return rfc3339(from + random.integer(0, Math.floor((to - from) / 1000)) * 1000)
}

/** Returns an instant between the creation of a customer and the end of history. */
export function sometime({ random, since }: CustomerContext): string {
  return between(random, since + day, endOfHistory)
}

/** Returns an instant between another one and the end of history. */
export function later({ random }: CustomerContext, than: string): string {
  return between(random, Date.parse(than) + 60_000, endOfHistory)
}
