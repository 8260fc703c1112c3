// JSON as verbs print it, and as others wrote it.
import { stringify } from '../json/stringify.ts'
import { parseExact } from '../json/parse-exact.ts'

/** A value as people read it. */
export function jsonLines(value: unknown): string {
  return `${stringify(value, 2)}\n`
}

/** The value of a text; undefined for one that is no JSON, such as an empty one. */
export function valueOfJson(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
