// Formats a duration for people.

/**
 * Formats days, hours and minutes; empty for less than half a minute.
 * @example distanceText(176_400_000)   // '2 d 1 h'
 */
export function distanceText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000)
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor((minutes % 1_440) / 60), 'h'],
    [minutes % 60, 'min'],
  ] as const
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ')
}
