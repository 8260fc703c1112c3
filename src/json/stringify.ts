// Writes a value as JSON text like `JSON.stringify`, but exact numbers with their original text.
import { ExactNumber, writtenExactNumbers } from './exact-number.ts'

/**
 * Writes a value by `JSON.stringify`. Only if that wrote an `ExactNumber`, which increments a counter, the value is
 * written a second time by `written`. So no value of a client can imitate an exact number, and values without one cost
 * nothing more.
 *
 * @param value JSON. Fields that are undefined are omitted.
 * @param indent the number of spaces for each level; 0 for one line.
 */
export function stringify(value: unknown, indent = 0): string {
  const before = writtenExactNumbers.count
  const text = JSON.stringify(value, null, indent)
  return writtenExactNumbers.count === before ? text : written(value, indent, indent === 0 ? '' : '\n')
}

/** Writes a value in one line, with the fields of every object sorted by their names (UTF-16 code units). */
export const stringifySorted = (value: unknown): string => written(value, 0, '', true)

/** @param line the line break and the indent of this value's level. */
function written(value: unknown, indent: number, line: string, isSorted = false): string {
  if (value instanceof ExactNumber) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indent === 0 ? '' : line + ' '.repeat(indent)
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item: unknown) => written(item ?? null, indent, inner, isSorted))]
    : ['{', '}', fieldsOf(value, indent, inner, isSorted)]
  return parts.length === 0 ? open + close : `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`
}

function fieldsOf(value: object, indent: number, line: string, isSorted: boolean): string[] {
  const after = indent === 0 ? ':' : ': '
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  if (isSorted) fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return fields.map(([name, field]) => JSON.stringify(name) + after + written(field, indent, line, isSorted))
}
