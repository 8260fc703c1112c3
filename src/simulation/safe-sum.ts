// Adds amounts of a simulation.
import { ConflictError } from '../input/refusals.ts'

/**
 * Adds two exact integers.
 * @param what the subject of the message, with its verb.
 * @throws {ConflictError} for a sum that could not be written.
 */
export function safeSum(a: number, b: number, what: string): number {
  const total = a + b
  if (Number.isSafeInteger(total)) return total
  throw new ConflictError(`${what} up to more than a JSON number can hold exactly`)
}
