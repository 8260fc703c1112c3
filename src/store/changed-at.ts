// The time of a change of a row.
import { endOfTime } from '../runtime/clock.ts'

/**
 * Returns the time of a change: now, but always after the previous change, so that `updated_at` differs between two
 * changes even on a frozen clock.
 */
export function changedAt(now: number, row: { created_at: string; updated_at?: string | undefined }): string {
  const before = Date.parse(row.updated_at ?? row.created_at)
  return new Date(Math.min(Math.max(now, before + 1), endOfTime)).toISOString()
}
