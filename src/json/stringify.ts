// Writes a value as JSON text like `JSON.stringify`, with every number that is kept as its text written as that text.
import { ExactNumber, met } from './exact-number.ts'

/**
 * `JSON.stringify` does the work where no such number is in the value, which it counts: nothing that a client sends
 * can pass for one, and values without one cost nothing more.
 *
 * @param value JSON; fields that are undefined are left out.
 * @param indent how many spaces each level stands in; 0 for one line.
 */
export function stringify(value: unknown, indent = 0): string {
  const before = met.count
  const text = JSON.stringify(value, null, indent)
  return met.count === before ? text : written(value, indent, indent === 0 ? '' : '\n')
}

/** @param line what begins a line at the level of this value. */
function written(value: unknown, indent: number, line: string): string {
  if (value instanceof ExactNumber) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indent === 0 ? '' : line + ' '.repeat(indent)
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item: unknown) => written(item ?? null, indent, inner))]
    : ['{', '}', fieldsOf(value, indent, inner)]
  return parts.length === 0 ? open + close : `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`
}

function fieldsOf(value: object, indent: number, line: string): string[] {
  const after = indent === 0 ? ':' : ': '
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => JSON.stringify(name) + after + written(field, indent, line))
}
