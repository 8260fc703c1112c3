import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'

/** The paths of fields that a body has and its schema does not know; free-form parts are not looked into. */
export function unknownFields(
  schema: z.ZodObject,
  body: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
): string[][] {
  const found: string[][] = []
  for (const [key, value] of Object.entries(body)) {
    if (!Object.hasOwn(schema.shape, key)) {
      found.push([...path, key])
      continue
    }
    const field: unknown = schema.shape[key]
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field
    if (inner instanceof z.ZodObject && isJsonObject(value))
      found.push(...unknownFields(inner, value, [...path, key]))
  }
  return found
}
