// Tells a JSON object from every other value.
import { ExactNumber } from './exact-number.ts'

/** Whether a value is a plain JSON object: not null, not an array, not a number that is kept as its text. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
