// The rows of an answer, and their schema.
import type { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { innerOf, shapeOf } from '../../contract/schema-shape.ts'

/** The schema of the rows of an answer: those of its page, or the answer itself. */
export function rowSchemaOf(result: z.ZodType): z.ZodType {
  const list = shapeOf(result).fields?.get('data')
  const item = list && shapeOf(list.schema).item
  return item ? innerOf(item) : result
}

/** The rows of what a handler gave. */
export function rowsIn(result: unknown): readonly unknown[] {
  if (!isJsonObject(result)) return []
  const { data } = result
  return Array.isArray(data) ? data : [result]
}
