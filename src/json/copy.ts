// Deep copies of JSON values: as they are, or as plain data in which every number is a number.
import { ExactNumber } from './exact-number.ts'

/** A copy that shares nothing with the value but what never changes. */
export function copyOf<T>(value: T): T {
  return copied(value, false)
}

/** A copy for callers of the library: a number that is kept as its text is the nearest one there. */
export function plainCopy<T>(value: T): T {
  return copied(value, true)
}

function copied<T>(value: T, asPlain: boolean): T {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ExactNumber) return (asPlain ? value.nearest : value) as T
  if (Array.isArray(value)) return value.map((item: unknown) => copied(item, asPlain)) as T
  // fromEntries defines each field, so that one named __proto__ is a field like any other.
  const fields = Object.entries(value).map(([name, field]) => [name, copied(field as unknown, asPlain)])
  return Object.fromEntries(fields) as T
}
