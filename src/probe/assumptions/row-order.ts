// Finds the orders in which a list of rows can be sorted.
import { cannotTell, other, value, type Reading } from '../probe.ts'

type RowOrder = 'newest_first' | 'oldest_first' | 'id'

type Row = Readonly<Record<string, unknown>>

/** Returns the order of rows as far as they show it. @param takes what is needed if they do not. */
export function orderOf<O extends RowOrder>(
  orders: readonly O[],
  rows: readonly Row[],
  takes: string,
): Reading<O> {
  const fitting = ordersThatFit(orders, rows)
  const [found, another] = fitting
  if (!found) return other(`rows that are in none of the orders ${orders.join(', ')}`)
  if (!another) return value(found)
  const why = `the ${rows.length} rows fit several orders: ${fitting.join(', ')}`
  return cannotTell(why, takes)
}

/** Returns the orders in which each row may follow the one before it. */
export function ordersThatFit<O extends RowOrder>(orders: readonly O[], rows: readonly Row[]): O[] {
  return orders.filter((order) => rows.every((row, at) => at === 0 || mayFollow(order, rows[at - 1], row)))
}

function mayFollow(order: RowOrder, before: Row = {}, after: Row): boolean {
  const ascending = String(before['id']) < String(after['id'])
  if (order === 'id') return ascending
  const [one, two] = [String(before['created_at']), String(after['created_at'])]
  const later = Date.parse(two) - Date.parse(one)
  // Equal in ms, but different as text: finer than we parse.
  if (Number.isNaN(later) || (later === 0 && one !== two)) return true
  return later === 0 ? ascending : order === 'newest_first' ? later < 0 : later > 0
}
