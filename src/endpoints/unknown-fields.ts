// Finds the fields of a body that its schema does not know.
import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'

/** The fields of a schema, with those of the schemas inside it; undefined for what is not looked into. */
type Known = ReadonlyMap<string, { inner: Known | undefined }>

const compiled = new WeakMap<z.ZodObject, Known>()

/** The paths of fields that a body has and its schema does not know; free-form parts are not looked into. */
export function unknownFields(schema: z.ZodObject, body: Readonly<Record<string, unknown>>): string[][] {
  const found: string[][] = []
  collect(knownFields(schema), body, [], found)
  return found
}

function collect(
  known: Known,
  body: Readonly<Record<string, unknown>>,
  path: readonly string[],
  found: string[][],
): void {
  for (const key of Object.keys(body)) {
    const field = known.get(key)
    const value = body[key]
    if (!field) found.push([...path, key])
    else if (field.inner && isJsonObject(value)) collect(field.inner, value, [...path, key], found)
  }
}

/** Asking zod what a schema holds costs more than reading a body, so it is asked once. */
function knownFields(schema: z.ZodObject): Known {
  let known = compiled.get(schema)
  if (!known) {
    known = new Map(
      Object.entries(schema.shape).map(([name, field]) => {
        const inner: unknown = field instanceof z.ZodOptional ? field.unwrap() : field
        return [name, { inner: inner instanceof z.ZodObject ? knownFields(inner) : undefined }]
      }),
    )
    compiled.set(schema, known)
  }
  return known
}
