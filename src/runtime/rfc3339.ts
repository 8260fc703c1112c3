// Writes instants as RFC 3339.

const startOfTime = Date.parse('0000-01-01T00:00:00Z')
const endOfTime = Date.parse('9999-12-31T23:59:59Z')

/**
 * Formats milliseconds since the epoch as RFC 3339. An instant outside the years 0000 to 9999 becomes the nearest
 * instant inside.
 *
 * @example rfc3339(0)   // '1970-01-01T00:00:00.000Z'
 */
export function rfc3339(instant: number): string {
  const written = instant >= startOfTime ? Math.min(instant, endOfTime) : startOfTime
  return new Date(written).toISOString()
}
