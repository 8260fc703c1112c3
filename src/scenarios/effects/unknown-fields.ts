// Adds fields that no schema has to a value and to the objects in it.
import type { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { shapeOf } from '../../contract/schema-shape.ts'

/** A field that no schema has; clients must ignore it (contract: Conventions, Versioning 6). */
const unknownField = { sandbox_unknown_field: { added: 'in a later release' } }

/** Adds an unknown field to each declared object of a value; without a schema, only to the value itself. */
export function withUnknownFields(value: unknown, schema: z.ZodType | undefined): unknown {
  const { fields, item: ofItems } = schema ? shapeOf(schema) : {}
  if (ofItems && Array.isArray(value)) {
    return value.map((item: unknown) => withUnknownFields(item, ofItems))
  }
  if (!isJsonObject(value) || (schema !== undefined && !fields)) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    fields ? withUnknownFields(inner, fields.get(name)?.schema) : inner,
  ])
  return { ...Object.fromEntries(entries), ...unknownField }
}
