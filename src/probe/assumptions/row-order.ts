// Which orders a list of rows can stand in, by what it shows of it.
import { cannotTell, other, value, type Reading } from '../probe.ts'

type RowOrder = 'newest_first' | 'oldest_first' | 'id'

type Row = Readonly<Record<string, unknown>>

/** The order of rows as far as they tell it. @param takes what would tell it where these do not. */
export function orderOf<O extends RowOrder>(
  orders: readonly O[],
  rows: readonly Row[],
  takes: string,
): Reading<O> {
  const fitting = ordersThatFit(orders, rows)
  const [found, another] = fitting
  if (!found) return other(`rows that are in none of the orders ${orders.join(', ')}`)
  if (!another) return value(found)
  const why = `the ${rows.length} rows that were read stand alike in the orders ${fitting.join(', ')}`
  return cannotTell(why, takes)
}

/** The orders in which each row may follow the one before it. */
export function ordersThatFit<O extends RowOrder>(orders: readonly O[], rows: readonly Row[]): O[] {
  return orders.filter((order) => rows.every((row, at) => at === 0 || mayFollow(order, rows[at - 1], row)))
}

function mayFollow(order: RowOrder, before: Row = {}, after: Row): boolean {
  const ascending = String(before['id']) < String(after['id'])
  if (order === 'id') return ascending
  const [one, two] = [String(before['created_at']), String(after['created_at'])]
  const later = Date.parse(two) - Date.parse(one)
  // Of one millisecond, yet written otherwise: finer than is read here.
  if (Number.isNaN(later) || (later === 0 && one !== two)) return true
  return later === 0 ? ascending : order === 'newest_first' ? later < 0 : later > 0
}
