// Treats null as absent in the optional fields of a body, as generated clients send null for missing values.
import type { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { shapeOf } from '../contract/schema-shape.ts'

type Body = Readonly<Record<string, unknown>>

/** Returns a body without its null optional fields; the body itself if there are none. It skips free-form parts. */
export function withoutNulls(schema: z.ZodType, body: Body): Body {
  const changed: Record<string, unknown> = {}
  const dropped: string[] = []
  for (const { name, schema: field, isOptional } of shapeOf(schema).fields?.values() ?? []) {
    const value = body[name]
    if (value === null && isOptional) dropped.push(name)
    else {
      const next = withoutNullsIn(field, value)
      if (next !== value) changed[name] = next
    }
  }
  if (dropped.length === 0 && Object.keys(changed).length === 0) return body
  const result: Record<string, unknown> = { ...body, ...changed }
  for (const name of dropped) delete result[name]
  return result
}

/** Returns a value of a body without the null optional fields of its objects; the value itself if there are none. */
function withoutNullsIn(schema: z.ZodType, value: unknown): unknown {
  if (isJsonObject(value)) return withoutNulls(schema, value)
  const item = Array.isArray(value) ? shapeOf(schema).item : undefined
  if (!Array.isArray(value) || item === undefined) return value
  const items: unknown[] = value
  const next = items.map((each) => withoutNullsIn(item, each))
  return next.some((each, at) => each !== items[at]) ? next : value
}
