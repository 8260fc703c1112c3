// Copies a value from memory as plain JSON, so that whoever gave it can no longer change it, or says where it is none.
import { ExactNumber } from './exact-number.ts'
import type { Path } from './json-text.ts'

/** Fields that are undefined are left out, as `JSON.stringify` does; what JSON cannot write is reported. */
export function copyJson(
  value: unknown,
  levels: number,
  report: (path: Path, message: string) => void,
  path: Path = [],
): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (!Number.isFinite(value)) report(path, 'must be a number that JSON can write')
      return value
    case 'object':
      break
    default:
      report(path, `must be JSON, not a ${typeof value}`)
      return null
  }
  if (value === null || value instanceof ExactNumber) return value
  if (levels === 0) {
    // A circle never ends, and so comes here as well.
    report(path, 'is nested too deeply, or contains itself')
    return null
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => copyJson(item, levels - 1, report, [...path, index]))
  }
  if (Object.prototype.toString.call(value) !== '[object Object]') {
    report(path, 'must be plain JSON data')
    return null
  }
  // fromEntries defines each field, so that one named __proto__ is a field like any other.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [name, copyJson(field, levels - 1, report, [...path, name])]),
  )
}
