// Pagination: how a list is cut into pages, where a cursor leads, and totals, in both dialects of the contract.
import type { Assume, AssumptionId } from '../contract/assumptions.ts'
import type { Place } from '../store/table.ts'

/** A list that is walked page by page, as an endpoint presents it. */
export interface Walk<R> {
  /** How many rows the page holds at most. */
  limit: number
  /** The place after which the page starts; undefined for the first page. */
  start: Place | undefined
  /** The rows after a place, in the order of the list. */
  scan(after: Place | undefined, limit: number): R[]
  /** How many rows the whole list has. */
  total(): number
  /** The row at a place, if it is still there. */
  rowAt(place: Place): R | undefined
  placeOf(row: R): Place
  /** Adds a row to the front of the list, as somebody else could at any time. */
  insert(like: R): void
  /** Removes a row with everything that belongs to it. */
  remove(row: R): void
}

/** A page, and the place where the next one starts when there is more. */
export interface Page<R> {
  rows: R[]
  more: boolean
  next: Place | undefined
  /** The first row of the next page. */
  following: R | undefined
}

/** How lists are cut into pages; a scenario puts a rule of its own in place of the contract's. */
export interface Paging {
  /** The place that a cursor names. */
  startOf<P>(find: () => P | undefined): P | undefined
  cut<R>(walk: Walk<R>): Page<R>
  /** What a page tells of how many rows the list has; asked for before the page is cut. */
  total(count: () => number): number
  /** The cursor of the next page, where that of this one was the one asked with. */
  cursor(next: () => string, asked: string | undefined): string | undefined
}

/** The contract's own rule. */
export const contractPaging: Paging = {
  startOf: (find) => find(),
  /** One row more than the page holds tells whether there is more. */
  cut({ scan, start, limit, placeOf }) {
    const found = scan(start, limit + 1)
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const more = found.length > limit
    return {
      rows,
      more,
      next: more && last !== undefined ? placeOf(last) : undefined,
      following: found[limit],
    }
  },
  total: (count) => count(),
  cursor: (next) => next(),
}

/**
 * Notes an assumption that decides how large a page is, where another value would have had the page end elsewhere.
 *
 * @param others the sizes that its values give.
 */
export function noteSize(
  id: AssumptionId,
  others: readonly number[],
  { size, page, assume }: { size: number; page: Pick<Page<unknown>, 'rows' | 'more'>; assume: Assume },
): void {
  if (others.some((other) => (other > size ? page.more : page.rows.length > other))) assume(id)
}

/** The place after which a page starts; `nowhere` for a cursor that is unknown, where that is an empty page. */
export function startOfPage<P>(
  { paging, assume, invalid }: { paging: Paging; assume: Assume; invalid(...details: string[]): never },
  cursor: string | undefined,
  find: (cursor: string) => P | undefined,
  rule: string,
): P | undefined | 'nowhere' {
  if (cursor === undefined) return undefined
  const place = paging.startOf(() => find(cursor))
  if (place !== undefined) return place
  const unknown = assume('unknown_cursor')
  if (unknown === 'refuse') invalid(rule)
  return unknown === 'empty_page' ? 'nowhere' : undefined
}
