// The rows of a table by ascending id: a list that is made when it is asked for, and kept up to date.
import type { Derivation } from './derived.ts'
import { byCodeUnit } from './tree.ts'

/** @param idOf the id of a row. */
export function orderById<V extends object>(idOf: (row: V) => string): Derivation<V, readonly V[]> {
  return {
    make(rows) {
      const ids = rows.values().map(idOf)
      // Without a comparison of ours it sorts by code units, three times as fast.
      ids.sort()
      const ordered: V[] = []
      for (const id of ids) {
        const row = rows.get(id)
        if (row) ordered.push(row)
      }
      return ordered
    },
    update(before, differences) {
      const parts: (readonly V[])[] = []
      let taken = 0
      for (const { id, before: old, after } of differences.toSorted((a, b) => byCodeUnit(a.id, b.id))) {
        const place = placeOf(id, before)
        parts.push(before.slice(taken, place))
        if (after) parts.push([after])
        taken = old ? place + 1 : place
      }
      parts.push(before.slice(taken))
      return parts.flat()
    },
  }

  /** How many rows come before an id. */
  function placeOf(id: string, rows: readonly V[]): number {
    let [least, most] = [0, rows.length]
    while (least < most) {
      const middle = (least + most) >>> 1
      const row = rows[middle]
      if (row && idOf(row) < id) least = middle + 1
      else most = middle
    }
    return least
  }
}
