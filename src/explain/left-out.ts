// The fields that an answer would hold if the key had their scopes, by the schema that it was written with.
import { z } from 'zod'
import { docs } from '../contract/docs.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { Scope } from '../contract/scopes.ts'

/** Such as `data[].card.pci_details`. */
export function leftOut(schema: z.ZodType, body: unknown, scopes: readonly Scope[]): string[] {
  const found = new Set<string>()
  collect(schema, body, '', scopes, found)
  return [...found]
}

function collect(
  schema: z.ZodType,
  value: unknown,
  path: string,
  scopes: readonly Scope[],
  found: Set<string>,
): void {
  const type = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
  if (type instanceof z.ZodArray && Array.isArray(value)) {
    for (const item of value) collect(type.element as z.ZodType, item, `${path}[]`, scopes, found)
  }
  if (!(type instanceof z.ZodObject) || !isJsonObject(value)) return
  for (const [name, inner] of Object.entries(type.shape)) {
    const field = path === '' ? name : `${path}.${name}`
    const scope = docs.get(inner as z.ZodType)?.['x-requires-scope']
    if (scope !== undefined && !scopes.includes(scope)) found.add(field)
    else collect(inner as z.ZodType, value[name], field, scopes, found)
  }
}
