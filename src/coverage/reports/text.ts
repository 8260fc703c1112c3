// Coverage for a terminal: a grid for each operation, then the missing points with requests to paste.
import type { CoverageReport } from './coverage-report.ts'
import { gridsOf, type OperationGrid } from './grid.ts'
import { nothingForIt, remarksText, percentMeaning, percentText, receiverTitle } from './report-texts.ts'

export function textReport(report: CoverageReport): string {
  const { total, covered, percent } = report
  const remarks = remarksText(report)
  const grids = gridsOf(report)
  const missing = grids.flatMap((grid) => grid.missing)
  const lines = [
    `Contract coverage: ${percentText(percent)}, ${covered} of ${total} points`,
    ...(remarks === undefined ? [] : [remarks]),
    percentMeaning,
    '',
    ...grids.flatMap((grid) => [...operationLines(grid), '']),
    ...receiverLines(report),
  ]
  if (missing.length > 0) lines.push('Missing, and what exercises it on the built-in fixtures:', '')
  for (const { id, sentence, section, exercise } of missing) {
    lines.push(id, `  ${sentence} (${section})`)
    lines.push(...(exercise ?? nothingForIt).split('\n').map((line) => `  ${line}`), '')
  }
  return `${lines.join('\n').trimEnd()}\n`
}

function receiverLines({ receiver }: CoverageReport): string[] {
  if (receiver === undefined) return []
  const width = Math.max(...receiver.map(({ id }) => id.length))
  return [
    receiverTitle(receiver),
    ...receiver.map(
      ({ id, sentence, covered }) => `  ${covered ? '[x]' : '[ ]'} ${id.padEnd(width)}  ${sentence}`,
    ),
    '',
  ]
}

function operationLines({ operation, method, path, covered, total, rows }: OperationGrid): string[] {
  const width = Math.max(...rows.map(({ title }) => title.length))
  return [
    `${operation}  ${covered} of ${total}  ${method} ${path}`,
    ...rows.map(({ title, cells }) => {
      const marks = cells.map(({ label, point }) => `${point.covered ? '[x]' : '[ ]'} ${label}`)
      return `  ${title.padEnd(width)}  ${marks.join('  ')}`
    }),
  ]
}
