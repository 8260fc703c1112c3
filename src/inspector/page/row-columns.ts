// Which fields of a collection a table of its rows shows: the first few that hold no objects.
import { idFieldOf } from './row-references.ts'

/** As many as can be looked at side by side. */
const maxColumns = 6

/** The names of the fields, without the one that identifies a row. */
export function columnsOf(collection: string, rows: readonly object[]): string[] {
  const id = idFieldOf(collection)
  const plain = rows.flatMap((row) =>
    Object.entries(row)
      .filter(([, value]) => typeof value !== 'object' || value === null)
      .map(([name]) => name),
  )
  return [...new Set(plain)].filter((name) => name !== id).slice(0, maxColumns)
}

/** The id of a row. */
export function idOf(collection: string, row: object): string {
  return String(new Map<string, unknown>(Object.entries(row)).get(idFieldOf(collection)) ?? '')
}
