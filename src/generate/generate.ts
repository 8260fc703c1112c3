// Generates a population, customer by customer, as a document or into a State.
import { yieldToEventLoop } from '../runtime/event-loop.ts'
import { groupOf } from '../store/indexes.ts'
import type { CollectionName, Row } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import { schemaVersion } from '../fixtures/state-document.ts'
import { generatedCollections, type GeneratedRows, type PopulationOptions } from './generation-context.ts'

/** The inputs of a generation. */
export interface GenerateOptions extends PopulationOptions {
  /** How many customers. */
  customers: number
  /** Called with the progress about once a second, if it takes longer than that. */
  progress?: (line: string) => void
  /** Monotonic time in ms; without it there is no progress. */
  elapsed?: () => number
  /** Aborts the generation. */
  signal?: AbortSignal
}

/** Customers between two yields to the event loop; about 50 ms. */
const customersPerYield = 500

/** A state document of generated rows, with the products that they were generated for. */
export type GeneratedDocument = { schema_version: typeof schemaVersion } & GeneratedRows

/**
 * Generates customers with all their rows, one customer at a time: names, addresses, cards with test numbers, rewards
 * that purchases earned, statements that add up. The bytes are the same for the same seed and products; customer 7 is
 * the same whether 10 or 10,000 are generated. History ends on 2026-10-31, whatever the date.
 *
 * @throws {Stopped} if the signal is aborted.
 */
export async function* generateRows(options: GenerateOptions): AsyncGenerator<GeneratedRows> {
  if (options.customers <= 0 || options.products.length === 0) return
  // The library of names is large, so a start that generates nothing never loads it.
  const { customerMaker } = await import('./generated-customer.ts')
  const makeCustomer = customerMaker(options)
  const { customers, progress, elapsed, signal } = options
  const withCommas = (count: number): string => count.toLocaleString('en-US')
  const say = (done: number): void =>
    progress?.(`generated ${withCommas(done)} of ${withCommas(customers)} customers`)
  const started = elapsed?.() ?? 0
  let lastSaid = started
  for (let place = 0; place < customers; place++) {
    if (place % customersPerYield === 0) {
      if (elapsed && elapsed() - lastSaid >= 1000) {
        lastSaid = elapsed()
        say(place)
      }
      await yieldToEventLoop(signal)
    }
    yield makeCustomer(place)
  }
  if (lastSaid > started) say(customers)
}

/**
 * Returns a whole population as one state document, for writing to a file.
 *
 * @example
 * await generateDocument({ customers: 1000, seed: 1, products, rounding: 'down' })
 */
export async function generateDocument(options: GenerateOptions): Promise<GeneratedDocument> {
  const document: GeneratedDocument = {
    schema_version: schemaVersion,
    customers: [],
    accounts: [],
    payment_methods: [],
    rewards: [],
    transaction_intents: [],
    statements: [],
    orders: [],
    order_events: [],
  }
  for await (const rows of generateRows(options)) {
    for (const collection of generatedCollections) append(document, rows, collection)
  }
  return document
}

function append<C extends CollectionName>(
  document: { [K in C]: Row<K>[] },
  rows: { [K in C]: Row<K>[] },
  collection: C,
): void {
  document[collection].push(...rows[collection])
}

/**
 * Adds a population to a state. A customer is omitted with all their rows if the state already has any of their ids:
 * documents take precedence over generated rows. The rows are valid by construction and not validated again.
 */
export async function generateInto(state: State, options: GenerateOptions): Promise<void> {
  for await (const rows of generateRows(options)) {
    if (isTaken(state, rows)) continue
    for (const collection of generatedCollections) putAll(state, collection, rows[collection])
  }
}

function putAll<C extends CollectionName>(state: State, collection: C, rows: readonly Row<C>[]): void {
  for (const row of rows) state.put(collection, row)
}

function isTaken(state: State, rows: GeneratedRows): boolean {
  const isPartners = rows.customers.some(
    ({ product, partner_customer_id: id }) =>
      id !== undefined &&
      state.find('customers', 'by_partner_customer_id', groupOf(product, id)) !== undefined,
  )
  if (isPartners) return true
  return generatedCollections.some((collection) =>
    rows[collection].some((row) => state.get(collection, state.idOf(collection, row)) !== undefined),
  )
}
