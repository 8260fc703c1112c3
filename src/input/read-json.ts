// Parses JSON text, and finds the problems that `JSON.parse` hides.
import { findFaults, hidesFaults, type Fault } from '../json/json-text.ts'
import { parseExact } from '../json/parse-exact.ts'
import { maxCounted } from './problems.ts'

/** The value of a text, or its problems. */
export type JsonReading = { value: unknown; faults?: never } | { value?: never; faults: Fault[] }

/** Parses a text like `parseExact`, and also refuses duplicate keys, long numbers, and nesting beyond a limit. */
export function readJson(text: string, maxDepth: number): JsonReading {
  const value = parse(text)
  if (value !== undefined && !hidesFaults(text, value, maxDepth)) return { value }
  const faults = findFaults(text, maxDepth, maxCounted)
  return faults.length > 0 || value === undefined ? { faults } : { value }
}

/** Returns the value of a text; undefined for invalid JSON. The messages of V8 differ between versions. */
function parse(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
