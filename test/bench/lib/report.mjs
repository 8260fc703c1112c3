import { budget, sinceBefore } from '../figures/budget.mjs'
import { summary } from './stats.mjs'

/**
 * @typedef {import('../index.mjs').Figure} Figure
 * @typedef {import('../index.mjs').Measured} Measured
 * @typedef {import('../index.mjs').Budget} Budget
 */

const widths = [11, 62, 24, 10, 10, 10]

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
  if (quick) process.stdout.write('Quick: few rounds; a first impression, not a record.\n')
  process.stdout.write('\n')
  row(['', 'figure', 'median (min–max)', 'gate', 'target', 'stretch', 'verdict'])
}

/** A number with three significant digits, or whole from 100 on. @param {number} value */
export function shown(value) {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toPrecision(value < 0.1 ? 2 : 3)
}

/**
 * A line of its own for a figure that was also measured with the build of `--before`.
 * @param {Figure} figure
 * @param {readonly number[]} rounds ours / before.
 */
export function printSinceBefore({ id }, rounds) {
  const compared = { id: `${id}/before`, title: 'ours / the build of --before' }
  return printOutcome(compared, { ...summary(rounds), raw: rounds }, undefined, sinceBefore)
}

/**
 * @param {Figure} figure
 * @param {Measured | undefined} measured
 * @param {string | undefined} failure
 * @param {Budget | undefined} [limit]
 */
export function printOutcome(figure, measured, failure, limit = budget[figure.id]) {
  const { id, title, skipped } = figure
  const unit = limit?.unit === undefined ? '' : ` ${limit.unit}`
  const verdict = failure === undefined ? verdictOf(limit, measured) : 'FAILED'
  let value = `skipped: ${skipped}`
  if (failure !== undefined) value = '–'
  else if (measured) value = valueOf(measured, unit)
  row([id, title, value, ...levelsOf(limit, unit), measured || failure !== undefined ? verdict : ''])
  for (const line of measured?.details ?? []) row(['', line])
  if (failure !== undefined) row(['', failure])
  return {
    id,
    title,
    budget: limit,
    verdict: measured || failure ? verdict : 'skipped',
    failure,
    ...measured,
  }
}

/** What the budget asks, if it asks anything. @param {Budget | undefined} limit @param {string} unit */
function levelsOf(limit, unit) {
  if (!limit) return ['', '', '']
  const sign = limit.better === 'at least' ? '≥' : '≤'
  return [limit.gate, limit.target, limit.stretch].map((level) => `${sign} ${level}${unit}`)
}

/** @param {Measured} measured @param {string} unit */
function valueOf({ value, min, max }, unit) {
  if (value === undefined) return 'not compared'
  const range = min === undefined || max === undefined ? '' : ` (${shown(min)}–${shown(max)})`
  return `${shown(value)}${unit}${range}`
}

/**
 * The best level that a figure reaches.
 * @param {Budget | undefined} limit
 * @param {Measured | undefined} measured
 */
function verdictOf(limit, measured) {
  const { value, also = {} } = measured ?? {}
  if (!limit || value === undefined) return ''
  for (const level of /** @type {const} */ (['stretch', 'target', 'gate'])) {
    const reached = limit.better === 'at least' ? value >= limit[level] : value <= limit[level]
    if (reached && also[level] !== false) return level
  }
  return 'MISSED'
}
