// Finds the fields of a body that are not in its schema.
import type { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { shapeOf, type Field } from '../contract/schema-shape.ts'

/** Returns the paths of the body's fields that are not in its schema; free-form parts are skipped. */
export function unknownFields(schema: z.ZodType, body: Readonly<Record<string, unknown>>): string[][] {
  const found: string[][] = []
  collect(shapeOf(schema).fields, body, [], found)
  return found
}

function collect(
  fields: ReadonlyMap<string, Field> | undefined,
  body: Readonly<Record<string, unknown>>,
  path: readonly string[],
  found: string[][],
): void {
  if (!fields) return
  for (const key of Object.keys(body)) {
    const field = fields.get(key)
    const value = body[key]
    if (!field) found.push([...path, key])
    else if (isJsonObject(value)) collect(shapeOf(field.schema).fields, value, [...path, key], found)
  }
}
