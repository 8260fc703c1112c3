// Distinguishes JSON objects from all other values.
import { ExactNumber } from './exact-number.ts'

/** Whether a value is a plain JSON object, and not null, an array or an exact number. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
