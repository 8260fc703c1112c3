// What a clock shows between two looks at it: it runs on by itself unless it is frozen.
import type { ClockReading } from '../../runtime/clock.ts'

/** @param since milliseconds that have passed since it was read. */
export function shownBy({ now, frozen }: ClockReading, since: number): string {
  const at = Date.parse(now)
  if (frozen || Number.isNaN(at)) return now
  return new Date(at + Math.floor(since / 1000) * 1000).toISOString()
}

/** The parts of a distance that were typed; those that are empty are left out. */
export function distanceOf(typed: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([, text]) => text.trim() !== '')
      .map(([unit, text]) => [unit, Number(text)]),
  )
}
