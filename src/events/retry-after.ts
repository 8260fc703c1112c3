// The header Retry-After of an answer: how long the receiver asks to wait.
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns the time that a receiver asks to wait (ms); 0 for a header that is neither seconds nor an HTTP date.
 * @param now the time on the clock of the receiver (ms).
 * @example retryAfterMs('120', now)   // 120000
 */
export function retryAfterMs(header: string, now: number): number {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const instant = httpDate.test(header) ? Date.parse(header) : NaN
  return Number.isNaN(instant) ? 0 : Math.max(0, instant - now)
}
