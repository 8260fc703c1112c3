import { z } from 'zod'
import { pageEdits, type PageEdit } from '../../endpoints/paging.ts'
import { effect } from '../effect.ts'
import { whole } from './fields.ts'

const offContractPages: readonly PageEdit[] = [
  'repeated_item',
  'missing_cursor',
  'repeated_cursor',
  'wrong_total',
]

export const page = effect<PageEdit>({
  name: 'page',
  help: 'Changes how a list is cut into pages.',
  schema: z.union([z.enum(pageEdits), z.strictObject({ size: whole(1, 100) })], {
    error: `must be one of ${pageEdits.join(', ')} or {size: 1 to 100}`,
  }),
  offContract: (edit) => offContractPages.includes(edit),
  misfit(edit, endpoint) {
    if (endpoint.pagination === undefined) return `${endpoint.id} has no pages`
    if (edit === 'wrong_total' && endpoint.pagination !== 'id') return `${endpoint.id} has no total`
    const needsToken = edit === 'missing_cursor' || edit === 'repeated_cursor'
    if (needsToken && endpoint.pagination !== 'token') return `${endpoint.id} answers with no cursor`
    return undefined
  },
  apply(edit, plan) {
    plan.pageEdits.push(edit)
    if (offContractPages.includes(edit)) plan.offContract = true
  },
})
