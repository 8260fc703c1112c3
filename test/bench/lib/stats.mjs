/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * The smallest value that this part of all values does not exceed.
 * @param {readonly number[]} values
 * @param {number} part
 */
export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/**
 * The median with what was lowest and highest.
 * @param {readonly number[]} values
 */
export function summary(values) {
  return { value: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** @param {readonly number[]} values */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Student's t for a two-sided 95 % interval, by degrees of freedom from 1; 1.96 beyond. */
const t95 = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13]

/**
 * Where the mean lies with a certainty of 95 %, as far as a few values tell.
 * @param {readonly number[]} values two or more
 */
export function meanInterval(values) {
  const middle = mean(values)
  const freedom = values.length - 1
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / freedom
  const margin = (t95[freedom - 1] ?? 1.96) * Math.sqrt(variance / values.length)
  return { min: middle - margin, max: middle + margin }
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
