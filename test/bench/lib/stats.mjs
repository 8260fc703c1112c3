/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * The median with what was lowest and highest.
 * @param {readonly number[]} values
 */
export function summary(values) {
  return { value: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/**
 * The ratio of two series that were measured in turns: round by round, so that what slows the machine down for a
 * while slows down both.
 *
 * @param {readonly number[]} above
 * @param {readonly number[]} below
 */
export function ratios(above, below) {
  return above.map((value, round) => value / (below[round] ?? Number.NaN))
}
