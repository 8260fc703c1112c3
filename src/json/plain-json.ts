// Copies a value from a caller as plain JSON, so that the caller can no longer change it, and reports values that are
// not JSON.
import { ExactNumber } from './exact-number.ts'
import type { Path } from './json-text.ts'

/** Omits fields that are undefined, as `JSON.stringify` does, and reports values that JSON cannot represent. */
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
      if (!Number.isFinite(value)) report(path, 'must be a finite number')
      return value
    case 'object':
      break
    default:
      report(path, `must be JSON, not a ${typeof value}`)
      return null
  }
  if (value === null || value instanceof ExactNumber) return value
  if (levels === 0) {
    // A circular value also ends here.
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
  // fromEntries defines each field, so that a field named __proto__ does not set the prototype.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [name, copyJson(field, levels - 1, report, [...path, name])]),
  )
}
