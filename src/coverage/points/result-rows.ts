// The rows of an answer, and their schema.
import { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'

/** The schema without what only says that a value may be left out. */
export function innerOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
}

/** The schema of the rows of an answer: those of its page, or the answer itself. */
export function rowSchemaOf(result: z.ZodType): z.ZodType {
  const list = result instanceof z.ZodObject ? innerOf(result.shape['data'] as z.ZodType) : undefined
  return list instanceof z.ZodArray ? innerOf(list.element as z.ZodType) : result
}

/** The rows of what a handler gave. */
export function rowsIn(result: unknown): readonly unknown[] {
  if (!isJsonObject(result)) return []
  const { data } = result
  return Array.isArray(data) ? data : [result]
}
