// Writes values as JavaScript people would write: single quotes, names without quotes, numbers as they were sent.
import { ExactNumber } from '../../../json/exact-number.ts'

/** A text in single quotes. */
export function quotedText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replaceAll(/\\.|'/g, (part) => (part === String.raw`\"` ? '"' : part === "'" ? String.raw`\'` : part))}'`
}

/** Where a value is in a JSON value: names of fields, and numbers of items. */
export type Path = readonly (string | number)[]

/** Writes a value in another way; undefined for the usual way. */
export type Instead = (value: unknown, path: Path) => string | undefined

/**
 * A JSON value over several lines.
 * @param indent the indentation of its first line, in spaces.
 * @param instead writes some values in another way, by their path.
 */
export function literal(
  value: unknown,
  indent = 0,
  instead: Instead = () => undefined,
  path: Path = [],
): string {
  const other = instead(value, path)
  if (other !== undefined) return other
  if (value instanceof ExactNumber) return value.text
  if (typeof value === 'string') return quotedText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = ' '.repeat(indent + 2)
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item: unknown, index) => literal(item, indent + 2, instead, [...path, index]))]
    : ['{', '}', Object.entries(value).map(([key, field]) => fieldOf(key, field))]
  if (parts.length === 0) return open + close
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${' '.repeat(indent)}${close}`

  function fieldOf(key: string, field: unknown): string {
    return `${fieldName(key)}: ${literal(field, indent + 2, instead, [...path, key])}`
  }
}

/** The name of a field; `__proto__` would set the prototype of the object. */
export function fieldName(key: string): string {
  if (key === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quotedText(key)
}

/** How JavaScript reads a field or an item. @example accessOf('id')   // '.id' */
export function accessOf(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${quotedText(key)}]`
}
