// Deep copies of JSON values: with exact numbers, or as plain data with JavaScript numbers only.
import { ExactNumber } from './exact-number.ts'

/** Copies a value deeply. Immutable exact numbers are shared. */
export function copyOf<T>(value: T): T {
  return copied(value, false)
}

/** Copies a value for callers of the library: an exact number becomes the nearest JavaScript number. */
export function plainCopy<T>(value: T): T {
  return copied(value, true)
}

function copied<T>(value: T, asPlain: boolean): T {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ExactNumber) return (asPlain ? value.nearest : value) as T
  if (Array.isArray(value)) return value.map((item: unknown) => copied(item, asPlain)) as T
  // fromEntries defines each field, so that a field named __proto__ does not set the prototype.
  const fields = Object.entries(value).map(([name, field]) => [name, copied(field as unknown, asPlain)])
  return Object.fromEntries(fields) as T
}
