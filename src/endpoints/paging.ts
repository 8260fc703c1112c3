// Pagination: page cuts, cursor positions and totals of lists, in both dialects of the contract.
import type { Assume, AssumptionId } from '../contract/assumptions.ts'
import type { IndexPosition } from '../store/table.ts'

/** A paged list, as an endpoint provides it. */
export interface Walk<R> {
  /** The maximum number of rows on the page. */
  limit: number
  /** The position after which the page starts; undefined for the first page. */
  start: IndexPosition | undefined
  /** Returns the rows after a position, in the order of the list. */
  scan(after: IndexPosition | undefined, limit: number): R[]
  /** Returns the number of rows in the whole list. */
  total(): number
  /** Returns the row at a position, if it still exists. */
  rowAt(place: IndexPosition): R | undefined
  positionOf(row: R): IndexPosition
  /** Adds a row to the front of the list, as another client could at any time. */
  insert(like: R): void
  /** Removes a row with its dependent rows. */
  remove(row: R): void
}

/** A page, and the position where the next page starts if there is one. */
export interface Page<R> {
  rows: R[]
  more: boolean
  next: IndexPosition | undefined
  /** The first row of the next page. */
  following: R | undefined
}

/** The paging rules of lists; a scenario can replace the contract's rules. */
export interface Paging {
  /** Returns the position of a cursor. */
  startOf<P>(find: () => P | undefined): P | undefined
  cut<R>(walk: Walk<R>): Page<R>
  /** Returns the total that a page reports; called before the page is cut. */
  total(count: () => number): number
  /** Returns the cursor of the next page; `requested` is the cursor of this request. */
  cursor(next: () => string, requested: string | undefined): string | undefined
}

/** The contract's own rules. */
export const contractPaging: Paging = {
  startOf: (find) => find(),
  /** Reads one row more than the page holds, to find out whether there is more. */
  cut({ scan, start, limit, positionOf }) {
    const found = scan(start, limit + 1)
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const more = found.length > limit
    return {
      rows,
      more,
      next: more && last !== undefined ? positionOf(last) : undefined,
      following: found[limit],
    }
  },
  total: (count) => count(),
  cursor: (next) => next(),
}

/**
 * Records an assumption about the page size, if another of its values would have changed where the page ends.
 *
 * @param others the page sizes under the assumption's values.
 */
export function noteSize(
  id: AssumptionId,
  others: readonly number[],
  { size, page, assume }: { size: number; page: Pick<Page<unknown>, 'rows' | 'more'>; assume: Assume },
): void {
  if (others.some((other) => (other > size ? page.more : page.rows.length > other))) assume(id)
}

/** Returns the position after which a page starts; `nowhere` for an unknown cursor that gets an empty page. */
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
