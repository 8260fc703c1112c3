// The effect `page`: pagination that is awkward, or wrong: empty pages, lost cursors, rows that move meanwhile.
import { z } from 'zod'
import { effect } from '../effect.ts'
import { EditedPaging, pageEdits, type PageEdit } from './edited-paging.ts'
import { whole } from './fields.ts'

const offContractPages: readonly PageEdit[] = [
  'repeated_item',
  'missing_cursor',
  'repeated_cursor',
  'wrong_total',
]

export const page = effect({
  name: 'page',
  help: 'Changes how a list is cut into pages.',
  schema: z.union([z.enum(pageEdits), z.strictObject({ size: whole(1, 100) })], {
    error: `must be one of ${pageEdits.join(', ')} or {size: 1 to 100}`,
  }),
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
