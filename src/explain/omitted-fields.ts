// The fields that an answer would have if the key had their scopes, according to its schema.
import type { z } from 'zod'
import { docs } from '../contract/docs.ts'
import { isJsonObject } from '../contract/formats.ts'
import { shapeOf } from '../contract/schema-shape.ts'
import type { Scope } from '../contract/scopes.ts'

/** Returns the paths of the fields, such as `data[].card.pci_details`. */
export function omittedFields(schema: z.ZodType, body: unknown, scopes: readonly Scope[]): string[] {
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
  const { fields, item: ofItems } = shapeOf(schema)
  if (ofItems && Array.isArray(value)) {
    for (const item of value) collect(ofItems, item, `${path}[]`, scopes, found)
  }
  if (!fields || !isJsonObject(value)) return
  for (const { name, schema: inner } of fields.values()) {
    const field = path === '' ? name : `${path}.${name}`
    const scope = docs.get(inner)?.['x-requires-scope']
    if (scope !== undefined && !scopes.includes(scope)) found.add(field)
    else collect(inner, value[name], field, scopes, found)
  }
}
