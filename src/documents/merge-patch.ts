// JSON Merge Patch (RFC 7396), and dropping nulls.
import { isJsonObject } from '../contract/formats.ts'

/**
 * JSON Merge Patch (RFC 7396): an object is laid over another field by field, null removes a field, and anything
 * else replaces what was there. Makes a new value; a field named `__proto__` is a field like any other.
 *
 * @example
 * mergePatch({ a: 1, b: { c: 2 } }, { a: null, b: { d: 3 } })   // { b: { c: 2, d: 3 } }
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const merged = new Map<string, unknown>(isJsonObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

/**
 * A value without the fields that are null, which in a sparse row mean the same as fields that are not there. Free-form
 * metadata keeps its nulls: they are the partner's own.
 */
export function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, name === 'metadata' ? field : cleaned(field)]),
  )
}

/** Whether a value has a field that `withoutNulls` leaves out. */
export function hasNull(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNull)
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(
    ([name, field]) => field === null || (name !== 'metadata' && hasNull(field)),
  )
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned)
  return isJsonObject(value) ? withoutNulls(value) : value
}
