// Reads the clock between two polls, and parses the distance of a move.
import type { ClockReading } from '../../runtime/clock.ts'

/** @param since milliseconds that have passed since it was read. */
export function shownBy({ now }: Pick<ClockReading, 'now'>, since: number): string {
  const at = Date.parse(now)
  if (Number.isNaN(at)) return now
  return new Date(at + Math.floor(since / 1000) * 1000).toISOString()
}

/** The instant that was typed; a date alone is its midnight in UTC. @example instantOf('2027-06-01')   // '2027-06-01T00:00:00Z' */
export function instantOf(typed: string): string {
  const text = typed.trim()
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
}

/** The parts of a distance that were typed; those that are empty are left out. */
export function distanceOf(typed: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([, text]) => text.trim() !== '')
      .map(([unit, text]) => [unit, Number(text)]),
  )
}
