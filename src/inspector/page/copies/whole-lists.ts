// Completes the rows of a call that read a part of a list: the rows of one page give another total, and no further pages.
import { isJsonObject } from '../../../json/json-object.ts'
import { idFieldOf, referencesIn } from '../row-references.ts'

/** Rows by their collection, as in a state document. */
export type RowDocument = Readonly<Record<string, unknown>>

interface LocatedRow {
  collection: string
  row: Readonly<Record<string, unknown>>
}

/** Maximum number of rows in a test, so that a reader can follow it. */
const maxRows = 100

/**
 * Returns all rows that a call read, those of the lists, and the rows that they name.
 * @param read the rows before the call. @param state the current rows: the journal has no other rows of the lists.
 */
export function withWholeLists(
  read: RowDocument,
  state: RowDocument,
  lists: ReadonlySet<string>,
): RowDocument {
  const then = rowsByKey(read)
  const known = new Map([...rowsByKey(state), ...then])
  const customers = new Set(rowsOf(read, 'customers').map(({ id }) => id))
  const isListed = ({ collection, row }: LocatedRow): boolean =>
    lists.has(collection) && (!('customer_id' in row) || customers.has(row['customer_id']))
  // It grows while it is walked: rows name further ones.
  const keys = new Set([
    ...then.keys(),
    ...[...known].flatMap(([key, place]) => (isListed(place) ? [key] : [])),
  ])
  const whole: Record<string, unknown[]> = {}
  for (const key of keys) {
    const place = known.get(key)
    if (!place) continue
    const { collection, row } = place
    const rows = (whole[collection] ??= [])
    rows.push(row)
    for (const named of referencesIn(collection, row)) keys.add(keyOf(named.collection, named.id))
  }
  if (keys.size > maxRows) {
    throw new Error(
      `The page needs ${keys.size} rows, and a test holds ${maxRows} at most: copy it in a workspace with fewer rows.`,
    )
  }
  return { ...read, ...whole }
}

function rowsByKey(document: RowDocument): Map<string, LocatedRow> {
  const places = Object.keys(document).flatMap((collection) =>
    rowsOf(document, collection).map((row) => ({ collection, row })),
  )
  return new Map(
    places.map((place) => [keyOf(place.collection, place.row[idFieldOf(place.collection)]), place]),
  )
}

function rowsOf(document: RowDocument, collection: string): Record<string, unknown>[] {
  const rows = document[collection]
  return Array.isArray(rows) ? rows.filter(isJsonObject) : []
}

function keyOf(collection: string, id: unknown): string {
  return `${collection}/${String(id)}`
}
