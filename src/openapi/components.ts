// The components of an OpenAPI document, and references to them.
import type { Components } from './document-types.ts'

/** Components of a new document. */
export function emptyComponents(): Components {
  return { schemas: {}, parameters: {}, headers: {}, responses: {}, examples: {}, securitySchemes: {} }
}

/** Returns a part of a document with every reference replaced by its target. */
export function inlined(part: unknown, components: Components): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, components))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part) return inlined(referent(String(part.$ref), components), components)
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inlined(value, components)]))
}

function referent(reference: string, components: Components): unknown {
  const [, , kind = '', name = ''] = reference.split('/')
  const named: Readonly<Record<string, unknown>> = components[kind as keyof Components]
  return named[name]
}
