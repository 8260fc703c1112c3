// The rows that a call looked up as a state document, with the rows that they name, so that it loads as a fixture.
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

/** A state document that holds what a call looked up. */
export interface CallFixture {
  /** The rows as they were then, and those that they name; `--fixtures` takes it. */
  fixtures: FixtureDocument
  /** What of it may have been otherwise then. */
  unknown: UnknownRow[]
}

/** A row that the journal does not know as it was then; without an id, rows that it does not know at all. */
export interface UnknownRow {
  collection: RowPlace['collection']
  id: string | null
  why: string
}

type Rows = Map<string, object>

/** Rows are not hidden here, as in every state document. */
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
  // What a call finds depends on its product, also where no row that it found is of that.
  const { product } = resolution
  if (product) rows.get('products')?.set(product.merchant_key, product)
  for (const { collection, rows: count, listed } of resolution.reads) {
    if (listed.length > 0 && listed.length < count) {
      const why = `the call looked up ${count - listed.length} more rows, which the journal does not keep`
      unknown.push({ collection, id: null, why })
    }
  }
  // Rows that are added here name further ones.
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

  /** A row that the call did not look up, which another one names, as it was then if that is known. */
  function rowThen({ collection, id }: RowPlace, owner: unknown): { row: object; why?: string } {
    const own = outcome.changes.find((change) => change.collection === collection && change.id === id)
    const then = (own ?? history.after(collection, id)?.change)?.before
    if (then) return { row: then }
    const now = context.state.get(collection, id)
    if (now) return { row: now, why: 'the call did not look it up: it is as it is now' }
    const isOwned = owner !== undefined && 'customer_id' in rowSchemas[collection].shape
    const row = { [idField(collection)]: id, ...(isOwned ? { customer_id: owner } : {}) }
    return { row, why: 'it is not there any more: its gaps are filled when it is loaded' }
  }
}

function customerOf(row: object): unknown {
  return Reflect.get(row, 'customer_id')
}

function documentPart([collection, rows]: [CollectionName, Rows]): [CollectionName, object[]] {
  const ordered = [...rows].toSorted(([a], [b]) => byCodeUnit(a, b))
  return [collection, ordered.map(([, row]) => inFieldOrder<object>(rowSchemas[collection], row))]
}
