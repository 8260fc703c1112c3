import { z } from 'zod'
import { collectionNames } from '../../store/rows.ts'
import { effect } from '../effect.ts'
import type { RowPatches } from '../plan.ts'
import { moment } from './fields.ts'

export const change = effect<RowPatches>({
  name: 'change',
  noun: 'collection',
  help: 'Changes the state before the handler runs or after it; null deletes, $name stands for a value of the call.',
  schema: z.partialRecord(
    z.enum(collectionNames as [string, ...string[]], {
      error: `must be one of ${collectionNames.join(', ')}`,
    }),
    z.record(z.string(), z.unknown(), 'must be rows by their ids'),
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be rows by collection and id' : undefined) },
  ) as unknown as z.ZodType<RowPatches>,
  beside: { at: moment },
  apply(rows, plan, _context, { at }) {
    plan.changes.push({ at: at === 'after' ? 'after' : 'before', rows })
  },
})
