// The value of --timeout.
import { CliError } from '../io.ts'

/** @throws {CliError} for a text that is no duration. */
export function secondsOf(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,5}(\.\d{1,3})?$/.test(value)) return Number(value)
  throw new CliError(
    `error: --timeout: '${String(value)}' must be seconds from 0 to 99999, such as 30 or 0.5`,
  )
}
