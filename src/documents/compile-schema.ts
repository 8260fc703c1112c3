// The schema of a collection's rows, turned into code of its own. That takes a few milliseconds and reads rows more
// than twice as fast, so it pays for large documents only; a module of its own keeps it out of every other start.
import { z } from 'zod'
import { rowSchemas, type CollectionName } from '../store/rows.ts'
import type { RowSchema } from './complete-row.ts'

export function compileSchema<C extends CollectionName>(collection: C): RowSchema<C> {
  const schemas: { readonly [K in CollectionName]: RowSchema<K> } = rowSchemas
  return z.compile(schemas[collection])
}
