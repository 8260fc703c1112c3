// Changes of rows in the format of earlier versions: a list of operations. This version reads them and does not write
// them.
import { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { collectionNames } from '../../store/rows.ts'
import { stateTextForm, type StateText } from '../state-text.ts'

/** One row after a change, or the list of stubs; an operation without a row deletes it. */
const rowOperation = z.strictObject({
  collection: z.enum([...collectionNames, 'account', 'stubs']),
  id: z.string(),
  row: z.custom<object>((value) => isJsonObject(value) || Array.isArray(value)).optional(),
})

export const rowOperations = z.strictObject({ ids: z.int(), ops: z.array(rowOperation) })

/** The same changes as a state text. */
export function stateTextOf({ ids, ops }: z.output<typeof rowOperations>): StateText {
  const parts: Record<string, unknown> = {}
  const put: Record<string, object[]> = {}
  const gone: Record<string, string[]> = {}
  // A later operation on a row replaces an earlier one.
  const last = new Map(ops.map((operation) => [`${operation.collection} ${operation.id}`, operation]))
  for (const { collection, id, row } of last.values()) {
    if (collection === 'account' || collection === 'stubs') parts[collection] = row
    else if (row) (put[collection] ??= []).push(row)
    else (gone[collection] ??= []).push(id)
  }
  return stateTextForm.parse({ ids, ...parts, put, gone })
}
