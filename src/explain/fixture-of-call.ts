// The rows that a call looked up as a state document, with the rows that they refer to, so that it loads as a fixture.
import type { FixtureDocument } from '../fixtures/document-shape.ts'
import { inFieldOrder } from '../fixtures/field-order.ts'
import { namedBy } from '../fixtures/rules.ts'
import { schemaVersion } from '../fixtures/state-document.ts'
import type { Call } from '../call/index.ts'
import { idField } from '../store/references.ts'
import { collectionNames, rowSchemas, type CollectionName } from '../store/rows.ts'
import { byCodeUnit } from '../store/tree.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { RowHistory } from './row-history.ts'
import { rowsLookedUp, type RowPlace } from './rows-looked-up.ts'

/** A state document with the rows that a call looked up. */
export interface CallFixture {
  /** The rows as they were then, and those that they refer to; `--fixtures` accepts it. */
  fixtures: FixtureDocument
  /** Parts that may have been different then. */
  unknown: UnknownRow[]
}

/** A row whose state at that time the journal does not know; without an id, rows that it does not know at all. */
export interface UnknownRow {
  collection: RowPlace['collection']
  id: string | null
  why: string
}

type Rows = Map<string, object>

/** Rows have their secrets here, as in every state document. */
export function fixtureOfCall(
  call: Call,
  context: Pick<ExplanationContext, 'journal' | 'state'>,
): CallFixture {
  const { resolution, outcome } = call
  const rows = new Map<CollectionName, Rows>(collectionNames.map((name) => [name, new Map()]))
  const unknown: UnknownRow[] = []
  const history = new RowHistory(context.journal, call)
  const waiting: (RowPlace & { row: object })[] = rowsLookedUp(resolution)
  const add = (one: RowPlace & { row: object }): void => {
    rows.get(one.collection)?.set(one.id, one.row)
    waiting.push(one)
  }
  for (const { collection, id, row } of waiting) rows.get(collection)?.set(id, row)
  // The result of a call depends on its product, even if no row that it found belongs to that.
  const { product } = resolution
  if (product) rows.get('products')?.set(product.merchant_key, product)
  for (const { collection, rows: count, listed } of resolution.reads) {
    if (listed.length > 0 && listed.length < count) {
      const why = `the call looked up ${count - listed.length} more rows, which the journal does not store`
      unknown.push({ collection, id: null, why })
    }
  }
  // Added rows refer to further ones.
  for (const { collection, id, row } of waiting) {
    for (const named of namedBy(collection, row)) {
      if (rows.get(named.collection)?.has(named.id)) continue
      const { row: then, why } = rowThen(named, collection === 'customers' ? id : customerOf(row))
      add({ ...named, row: then })
      if (why !== undefined) unknown.push({ ...named, why })
    }
  }
  const parts = [...rows].filter(([, held]) => held.size > 0)
  const document = { schema_version: schemaVersion, ...Object.fromEntries(parts.map(documentPart)) }
  // The compiler does not see that each collection holds rows of its own.
  return { fixtures: document as FixtureDocument, unknown }

  /** Returns a row that another one refers to and the call did not look up, as it was then if that is known. */
  function rowThen({ collection, id }: RowPlace, owner: unknown): { row: object; why?: string } {
    const own = outcome.changes.find((change) => change.collection === collection && change.id === id)
    const then = (own ?? history.after(collection, id)?.change)?.before
    if (then) return { row: then }
    const now = context.state.get(collection, id)
    if (now) return { row: now, why: 'the call did not look it up: this is its current state' }
    const isOwned = owner !== undefined && 'customer_id' in rowSchemas[collection].shape
    const row = { [idField(collection)]: id, ...(isOwned ? { customer_id: owner } : {}) }
    return { row, why: 'it no longer exists: missing fields are filled in when it is loaded' }
  }
}

function customerOf(row: object): unknown {
  return Reflect.get(row, 'customer_id')
}

function documentPart([collection, rows]: [CollectionName, Rows]): [CollectionName, object[]] {
  const ordered = [...rows].toSorted(([a], [b]) => byCodeUnit(a, b))
  return [collection, ordered.map(([, row]) => inFieldOrder<object>(rowSchemas[collection], row))]
}
