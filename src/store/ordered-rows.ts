// The rows of a table by ascending id: a list that is made when it is asked for, and kept up to date.
import type { Derivation } from './derived.ts'
import { byCodeUnit } from './tree.ts'

/** What has ids, by ascending id. */
export function sortById<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return items.toSorted((a, b) => byCodeUnit(idOf(a), idOf(b)))
}

/** @param idOf the id of a row. */
export function orderById<V extends object>(idOf: (row: V) => string): Derivation<V, readonly V[]> {
  return {
    make: (rows) => sortById(rows.values(), idOf),
    update(before, differences) {
      const ordered: V[] = []
      let taken = 0
      for (const { id, before: old, after } of sortById(differences, (one) => one.id)) {
        const place = placeOf(id, before, idOf)
        take(place)
        if (after) ordered.push(after)
        if (old) taken++
      }
      take(before.length)
      return ordered

      function take(end: number): void {
        for (; taken < end; taken++) {
          const row = before[taken]
          if (row) ordered.push(row)
        }
      }
    },
  }
}

/** Which rows are asked for, by their ids. */
export interface Page {
  /** Only those behind this id, which no row need have. */
  after?: string | undefined
  /** Only those whose id begins so. */
  prefix?: string | undefined
  /** At most so many. */
  limit?: number | undefined
}

/** The rows of a page out of all rows by ascending id; costs what it gives, for any number of rows. */
export function* pageOf<V>(
  rows: readonly V[],
  idOf: (row: V) => string,
  { after = '', prefix = '', limit = Number.POSITIVE_INFINITY }: Page,
): Generator<V> {
  let place = placeOf(after > prefix ? after : prefix, rows, idOf)
  let left = limit
  for (let row = rows[place]; row && left > 0; row = rows[++place]) {
    const id = idOf(row)
    // Those of a prefix stand together.
    if (!id.startsWith(prefix)) return
    if (id === after) continue
    yield row
    left--
  }
}

/** How many rows come before an id. */
function placeOf<V>(id: string, rows: readonly V[], idOf: (row: V) => string): number {
  let [least, most] = [0, rows.length]
  while (least < most) {
    const middle = (least + most) >>> 1
    const row = rows[middle]
    if (row && idOf(row) < id) least = middle + 1
    else most = middle
  }
  return least
}
