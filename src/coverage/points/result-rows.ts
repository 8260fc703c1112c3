// The rows of an answer, and their schema.
import type { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { innerOf, shapeOf } from '../../contract/schema-shape.ts'

/** Returns the schema of the rows of an answer: the items of its page, or the answer itself. */
export function rowSchemaOf(result: z.ZodType): z.ZodType {
  const list = shapeOf(result).fields?.get('data')
  const item = list && shapeOf(list.schema).item
  return item ? innerOf(item) : result
}

/** Returns the rows of a handler's result. */
export function rowsIn(result: unknown): readonly unknown[] {
  if (!isJsonObject(result)) return []
  const { data } = result
  return Array.isArray(data) ? data : [result]
}
