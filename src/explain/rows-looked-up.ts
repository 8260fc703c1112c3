// The rows that a call looked up, each once and as it was then, including those of lists.
import type { Resolution } from '../call/resolution.ts'
import type { StateCollection } from '../fixtures/document-shape.ts'
import { idField } from '../store/references.ts'

/** A row by its collection and id. */
export interface RowPlace {
  collection: Exclude<StateCollection, 'account'>
  id: string
}

/** A row that existed when the call looked it up. */
export interface RowLookedUp extends RowPlace {
  row: object
}

/** Returns the rows in the order of their first lookups. Rows that the call itself changed are as they were before. */
export function rowsLookedUp({ reads }: Resolution): RowLookedUp[] {
  const rows = new Map<string, RowLookedUp>()
  for (const { collection, row, listed } of reads) {
    for (const one of row ? [row] : listed) {
      const id = String(Reflect.get(one, idField(collection)))
      const place = `${collection}/${id}`
      if (!rows.has(place)) rows.set(place, { collection, id, row: one })
    }
  }
  return [...rows.values()]
}
