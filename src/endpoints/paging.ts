import type { Place } from '../store/table.ts'

/**
 * How lists are cut into pages, in both dialects of the contract, and how a scenario can make that awkward. What the
 * edits do stands here, next to the rule they bend.
 */
export const pageEdits = [
  'empty',
  'exact_multiple',
  'short_last',
  'insert',
  'delete_next',
  'empty_with_more',
  'expired_cursor',
  'repeated_item',
  'missing_cursor',
  'repeated_cursor',
  'wrong_total',
] as const

/** A change of how a page is cut; `size` caps the page. */
export type PageEdit = (typeof pageEdits)[number] | { size: number }

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
}

/** Cuts the page out. One row more than it holds tells whether there is more. */
export function cutPage<R>(walk: Walk<R>, edits: readonly PageEdit[]): Page<R> {
  if (edits.includes('empty')) return { rows: [], more: false, next: undefined }
  if (edits.includes('empty_with_more')) {
    return { rows: [], more: walk.scan(walk.start, 1).length > 0, next: walk.start }
  }
  const limit = editedLimit(walk, edits)
  const found = walk.scan(walk.start, limit + 1)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const more = found.length > limit
  const next = more && last !== undefined ? walk.placeOf(last) : undefined
  if (edits.includes('repeated_item') && walk.start) {
    const before = walk.rowAt(walk.start)
    if (before !== undefined) rows.unshift(before)
  }
  const following = found[limit]
  if (following !== undefined && last !== undefined) {
    if (edits.includes('insert')) walk.insert(last)
    if (edits.includes('delete_next')) walk.remove(following)
  }
  return { rows, more, next }
}

/** The page size after the edits; a smaller page than asked for is within the contract. */
function editedLimit<R>({ limit, total }: Walk<R>, edits: readonly PageEdit[]): number {
  let edited = limit
  for (const edit of edits) {
    if (typeof edit === 'object') edited = Math.min(edited, edit.size)
    else if (edit === 'exact_multiple') edited = largest(edited, (size) => total() % size === 0)
    else if (edit === 'short_last') edited = largest(edited, (size) => size < total() && total() % size !== 0)
  }
  return edited
}

/** The largest size up to `most` that fits, or `most` when none does. */
function largest(most: number, fits: (size: number) => boolean): number {
  for (let size = most; size >= 1; size--) if (fits(size)) return size
  return most
}
