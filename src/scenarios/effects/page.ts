// The effect `page`: unusual or wrong pagination: empty pages, lost cursors, rows that come and go.
import { z } from 'zod'
import { contractPaging, type Page, type Paging, type Walk } from '../../endpoints/paging.ts'
import { effect } from '../effect.ts'
import { whole } from './fields.ts'

const pageEdits = [
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

/** A change of the page; `size` limits the page. */
const pageEdit = z.union([z.enum(pageEdits), z.strictObject({ size: whole(1, 100) })], {
  error: `must be one of ${pageEdits.join(', ')} or {size: 1 to 100}`,
})
type PageEdit = z.output<typeof pageEdit>

const offContractPages: readonly PageEdit[] = [
  'repeated_item',
  'missing_cursor',
  'repeated_cursor',
  'wrong_total',
]

export const page = effect({
  name: 'page',
  help: 'Changes how a list is split into pages.',
  schema: pageEdit,
  misfit(edit, { id, pagination }) {
    if (pagination === undefined) return `${id} has no pages`
    if (edit === 'wrong_total' && pagination !== 'id') return `${id} has no total`
    const needsToken = edit === 'missing_cursor' || edit === 'repeated_cursor'
    if (needsToken && pagination !== 'token') return `${id} answers with no cursor`
    return undefined
  },
  apply(edit, call) {
    const { paging } = call
    call.paging = new EditedPaging([...(paging instanceof EditedPaging ? paging.edits : []), edit])
    if (offContractPages.includes(edit)) call.offContract = true
  },
})

/** The pages after the edits. */
export class EditedPaging implements Paging {
  readonly edits: readonly PageEdit[]

  constructor(edits: readonly PageEdit[]) {
    this.edits = edits
  }

  startOf<P>(find: () => P | undefined): P | undefined {
    return this.#has('expired_cursor') ? undefined : find()
  }

  cut<R>(walk: Walk<R>): Page<R> {
    if (this.#has('empty')) return { rows: [], more: false, next: undefined, following: undefined }
    const { start } = walk
    if (this.#has('empty_with_more')) {
      return { rows: [], more: walk.scan(start, 1).length > 0, next: start, following: undefined }
    }
    const cut = contractPaging.cut({ ...walk, limit: this.#limitOf(walk) })
    const last = cut.rows.at(-1)
    const before = this.#has('repeated_item') && start ? walk.rowAt(start) : undefined
    if (before !== undefined) cut.rows.unshift(before)
    if (cut.following !== undefined && last !== undefined) {
      if (this.#has('insert')) walk.insert(last)
      if (this.#has('delete_next')) walk.remove(cut.following)
    }
    return cut
  }

  total(count: () => number): number {
    return (this.#has('empty') ? 0 : count()) + (this.#has('wrong_total') ? 1 : 0)
  }

  cursor(next: () => string, requestedCursor: string | undefined): string | undefined {
    if (this.#has('missing_cursor')) return undefined
    return this.#has('repeated_cursor') && requestedCursor !== undefined ? requestedCursor : next()
  }

  #has(edit: PageEdit): boolean {
    return this.edits.includes(edit)
  }

  /** The page size after the edits; a smaller page than requested is within the contract. */
  #limitOf<R>({ limit, total }: Walk<R>): number {
    let edited = limit
    for (const edit of this.edits) {
      if (typeof edit === 'object') edited = Math.min(edited, edit.size)
      else if (edit === 'exact_multiple') edited = largest(edited, (size) => total() % size === 0)
      else if (edit === 'short_last')
        edited = largest(edited, (size) => size < total() && total() % size !== 0)
    }
    return edited
  }
}

/** Returns the largest size up to `most` that satisfies a condition, or `most` if none does. */
function largest(most: number, fits: (size: number) => boolean): number {
  for (let size = most; size >= 1; size--) if (fits(size)) return size
  return most
}
