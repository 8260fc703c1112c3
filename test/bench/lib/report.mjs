/**
 * @typedef {import('../index.mjs').Figure} Figure
 * @typedef {import('../index.mjs').Measured} Measured
 * @typedef {import('../index.mjs').Budget} Budget
 */

const widths = [4, 62, 24, 10, 10, 10]

/** @param {string[]} cells */
function row(cells) {
  const line = cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' ')
  process.stdout.write(`${line.trimEnd()}\n`)
}

/**
 * @param {import('./machine.mjs').Machine} machine
 * @param {boolean} quick
 */
export function printHeading(machine, quick) {
  const { node, cpu, cores, pinning, loadGenerator } = machine
  process.stdout.write(`Node ${node} on ${cores} × ${cpu}; ${pinning}; load from ${loadGenerator}\n`)
  if (quick)
    process.stdout.write('Quick: few rounds and no million rows; a first impression, not a record.\n')
  process.stdout.write('\n')
  row(['', 'figure', 'median (min–max)', 'gate', 'target', 'stretch', 'verdict'])
}

/** A number with three significant digits, or whole from 100 on. @param {number} value */
export function shown(value) {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toPrecision(value < 0.1 ? 2 : 3)
}

/**
 * @param {Figure} figure
 * @param {Measured | undefined} measured
 * @param {string | undefined} failure
 */
export function printOutcome(figure, measured, failure) {
  const { id, title, budget, later } = figure
  const unit = budget.unit === undefined ? '' : ` ${budget.unit}`
  const sign = budget.better === 'at least' ? '≥' : '≤'
  const limits = [budget.gate, budget.target, budget.stretch].map((limit) => `${sign} ${limit}${unit}`)
  const verdict = failure === undefined ? verdictOf(budget, measured) : 'FAILED'
  let value = 'later issue'
  if (failure !== undefined) value = '–'
  else if (measured) {
    const { min, max } = measured
    const range = min === undefined || max === undefined ? '' : ` (${shown(min)}–${shown(max)})`
    value = `${shown(measured.value)}${unit}${range}`
  }
  row([id, title, value, ...limits, measured || failure !== undefined ? verdict : ''])
  for (const line of measured?.details ?? []) row(['', line])
  if (failure !== undefined) row(['', failure])
  if (later !== undefined) row(['', later])
  return { id, title, budget, verdict: measured || failure ? verdict : 'later issue', failure, ...measured }
}

/**
 * The best level that a figure reaches.
 * @param {Budget} budget
 * @param {Measured | undefined} measured
 */
function verdictOf(budget, measured) {
  if (!measured) return ''
  const { value, also = {} } = measured
  for (const level of /** @type {const} */ (['stretch', 'target', 'gate'])) {
    const reached = budget.better === 'at least' ? value >= budget[level] : value <= budget[level]
    if (reached && also[level] !== false) return level
  }
  return 'MISSED'
}
