// Prints JSON, and parses JSON of others.
import { stringify } from '../json/stringify.ts'
import { parseExact } from '../json/parse-exact.ts'

/** Returns a value as indented JSON. */
export function jsonLines(value: unknown): string {
  return `${stringify(value, 2)}\n`
}

/** Returns the value of a text; undefined for invalid JSON, such as an empty text. */
export function valueOfJson(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
