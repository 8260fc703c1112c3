// Durations as text: a number of seconds, minutes, hours or days, such as 30s, 15m, 24h or 7d.

const msOf: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The pattern of a duration: at most 999999 of a unit. */
export const durationPattern = /^[1-9][0-9]{0,5}[smhd]$/

/** Returns a duration in ms; undefined for a text that is none. @example durationMs('15m')   // 900000 */
export function durationMs(text: string): number | undefined {
  const unit = msOf[text.slice(-1)]
  return unit === undefined || !durationPattern.test(text) ? undefined : Number.parseInt(text, 10) * unit
}
