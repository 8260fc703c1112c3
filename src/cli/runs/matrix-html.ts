// The result of a matrix as one self-contained HTML file.
import { assumptionCatalogue, type Assumptions } from '../../contract/assumptions.ts'
import { findingsFile } from '../../inspector/reports/findings-file.tsx'
import { alternativeText } from './alternatives.ts'
import { conclusion, resultText, type Matrix, type MatrixRow } from './matrix-table.ts'

const groups = [
  { title: 'Fail', passed: false },
  { title: 'Pass', passed: true },
  { title: 'Not run', passed: undefined },
]

/** Lists each value with the tests that failed or rest on it. */
export function matrixHtml(found: Matrix, inForce: Assumptions): string {
  const { base, calls, rows, notExercised, calibrated = [] } = found
  const counted = (passed: boolean | undefined): number => rows.filter((row) => row.passed === passed).length
  const named = (ids: readonly string[]) => ids.map((id) => ({ id, sentence: '' }))
  return findingsFile({
    title: 'Matrix of assumptions',
    lead: `As it is, the suite makes ${calls} calls: ${resultText(base)}. ${conclusion(rows, inForce)[0] ?? ''}`,
    counts: groups.map(({ title, passed }) => ({
      what: title.toLowerCase(),
      count: counted(passed),
      isBad: passed === false,
    })),
    groups: [
      ...groups.map(({ title, passed }) => ({
        title,
        points: rows.filter((row) => row.passed === passed).map((row) => findingOf(row, inForce)),
      })),
      { title: 'Not exercised, as no call rested on them', names: named(notExercised) },
      { title: 'Calibrated', names: named(calibrated) },
    ],
  })
}

function findingOf(row: MatrixRow, inForce: Assumptions) {
  const { id, tests, passed } = row
  const { question, section } = assumptionCatalogue[id]
  const names = tests.map(({ name, file }) => (file === null ? name : `${name} (${file})`))
  const count = tests.length === 1 ? '1 test' : `${tests.length} tests`
  return {
    id: alternativeText(row),
    sentence: question,
    section,
    seen: tests.length === 0 ? resultText(passed) : `${resultText(passed)}, ${count}:`,
    expected: `passes with ${inForce[id]}`,
    ...(names.length > 0 && { exchanges: [names] }),
  }
}
