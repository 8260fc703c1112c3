// The final table of a matrix, with the assumptions that the suite rests on.
import { alternativeText, type Alternative } from './alternatives.ts'
import type { TestName } from '../../call/test-of-call.ts'
import { assumptionCatalogue, type Assumptions } from '../../contract/assumptions.ts'

/** The result of a run with an alternative value of an assumption; undefined if it did not run. */
export interface MatrixRow extends Alternative {
  passed: boolean | undefined
  /** Whether a call of the suite rested on the assumption; if not, a pass proves nothing. */
  exercised: boolean
  /** The tests that failed in the run, if its kit reports results; otherwise those whose calls rest on the assumption. */
  tests: readonly TestName[]
}

/** The result of a suite. */
export interface Matrix {
  /** Whether it passes with the current values. */
  base: boolean
  /** Its number of calls then. */
  calls: number
  rows: readonly MatrixRow[]
  /** The assumptions on which none of those calls rested, whose values were not run. */
  notExercised: readonly string[]
  /** The calibrated ones, whose other values were not run, as the value of the service is known. */
  calibrated?: readonly string[]
}

/** The output for programs. */
export function matrixJson({ base, calls, rows, notExercised, calibrated = [] }: Matrix): object {
  return {
    base: resultText(base),
    calls,
    results: rows.flatMap(({ id, value, passed, tests }) =>
      passed === undefined ? [] : [{ id, value, verdict: resultText(passed), tests }],
    ),
    not_exercised: notExercised,
    ...(calibrated.length === 0 ? {} : { calibrated }),
  }
}

/** An assumption that the suite rests on is listed with its open question. */
export function matrixTable({ rows, notExercised, calibrated = [] }: Matrix, inForce: Assumptions): string {
  const cells = [
    ['assumption', 'value', 'result'],
    ...rows.map(({ id, value, passed }) => [id, String(value), resultText(passed)]),
  ]
  const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const idle = idsOf(rows.filter(({ passed, exercised }) => passed && !exercised))
  const unknown = [
    ...(idle.length === 0 ? [] : ['No call rested on these, so a pass proves nothing:', ...wrapped(idle)]),
    ...(notExercised.length === 0
      ? []
      : ['Not exercised, as no call rested on them; --all runs them, too:', ...wrapped(notExercised)]),
    ...(calibrated.length === 0
      ? []
      : ['Calibrated, so their other values are not run; --all runs them, too:', ...wrapped(calibrated)]),
  ]
  const named = rows.filter(({ tests }) => tests.length > 0)
  return `${[
    ...(rows.length === 0 ? [] : [...lines, '']),
    ...(named.length === 0 ? [] : ['The tests that failed with a value, or rest on it:']),
    ...named.map((row) => `  ${alternativeText(row)}: ${testsText(row.tests)}`),
    ...(named.length === 0 ? [] : ['']),
    ...conclusion(rows, inForce),
    ...unknown,
  ].join('\n')}\n`
}

/** The number of tests, and as many names as fit into a line. @example '3 tests: pays, pays twice, …' */
function testsText(tests: readonly TestName[]): string {
  const names: string[] = []
  for (const { name } of tests) {
    if (names.length > 0 && [...names, name].join(', ').length > 80) break
    names.push(name)
  }
  const count = tests.length === 1 ? '1 test' : `${tests.length} tests`
  return `${count}: ${[...names, ...(names.length < tests.length ? ['…'] : [])].join(', ')}`
}

/** Names in lines that a terminal does not wrap. */
function wrapped(names: readonly string[]): string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + name.length < 98) lines[lines.length - 1] = `${last}, ${name}`
    else lines.push(`  ${name}`)
  }
  return lines
}

/** `pass`, `fail`, or unknown. */
export function resultText(passed: boolean | undefined): string {
  return passed === undefined ? 'not run' : passed ? 'pass' : 'fail'
}

/** Remaining runs may still fail, so only a complete matrix allows a conclusion. */
function passesWith(tried: readonly MatrixRow[], left: number): string[] {
  const count = tried.length
  if (left > 0) {
    const run = count === 1 ? 'the one other value that was' : `the ${count} other values that were`
    return [`The suite passes with ${run} run.`]
  }
  const all = count === 1 ? 'the one other value' : `all ${count} other values`
  const ids = idsOf(tried.filter(({ exercised }) => exercised))
  if (ids.length === 0) return [`The suite passes with ${all}.`]
  return [
    `The suite passes with ${all}. It rests on nothing that the contract leaves open in:`,
    ...wrapped(ids),
  ]
}

function idsOf(rows: readonly MatrixRow[]): string[] {
  return [...new Set(rows.map(({ id }) => id))]
}

/** The sentences about what the suite rests on. */
export function conclusion(rows: readonly MatrixRow[], inForce: Assumptions): string[] {
  const failed = rows.filter(({ passed }) => passed === false)
  const left = rows.filter(({ passed }) => passed === undefined).length
  const unknown = left === 0 ? [] : [`${left} of ${rows.length} values were not run.`]
  if (failed.length === 0) {
    const tried = rows.filter(({ passed }) => passed)
    return [...(tried.length === 0 ? [] : passesWith(tried, left)), ...unknown]
  }
  const ids = [...new Set(failed.map(({ id }) => id))]
  return [
    'The suite rests on what the contract does not promise:',
    ...ids.flatMap((id) => {
      const { question, section, remedy } = assumptionCatalogue[id]
      const values = failed.filter((row) => row.id === id).map(({ value }) => value)
      return [
        `  ${id}: ${question}`,
        `    The contract leaves it open (${section}). It passes with ${inForce[id]} and fails with ${values.join(' and ')}.`,
        ...(remedy === undefined ? [] : [`    ${remedy}`]),
      ]
    }),
    ...unknown,
  ]
}
