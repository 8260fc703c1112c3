// Coverage for a pull request or a wiki: a table of operations, then the missing points of each.
import type { CoveredPoint, CoverageReport } from './coverage-report.ts'
import { gridsOf, type OperationGrid } from './grid.ts'
import { nothingForIt, remarksText, percentMeaning, percentText, receiverTitle } from './report-texts.ts'

export function markdownReport(report: CoverageReport): string {
  const { total, covered, percent } = report
  const grids = gridsOf(report)
  const lines = [
    `# Contract coverage: ${percentText(percent)}`,
    '',
    [`${covered} of ${total} contract points were exercised.`, remarksText(report), percentMeaning]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    '',
    '| operation | request | covered |',
    '| --- | --- | --- |',
    ...grids.map(
      ({ operation, method, path, covered: own, total: all }) =>
        `| \`${operation}\` | \`${method} ${path}\` | ${own} of ${all} |`,
    ),
    '',
    ...grids.flatMap(operationLines),
    ...receiverLines(report),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function receiverLines({ receiver }: CoverageReport): string[] {
  if (receiver === undefined) return []
  return [
    '## Receiver',
    '',
    `${receiverTitle(receiver)}.`,
    '',
    '| point | covered when | covered |',
    '| --- | --- | --- |',
    ...receiver.map(({ id, sentence, covered }) => `| \`${id}\` | ${sentence} | ${covered ? 'yes' : 'no'} |`),
    '',
  ]
}

function operationLines({ operation, rows, missing }: OperationGrid): string[] {
  return [
    `## ${operation}`,
    '',
    '| | covered | missing |',
    '| --- | --- | --- |',
    ...rows.map(({ title, cells }) => {
      const labels = (covered: boolean): string =>
        cells
          .filter(({ point }) => point.covered === covered)
          .map(({ label }) => label)
          .join(', ')
      return `| ${title} | ${labels(true)} | ${labels(false)} |`
    }),
    '',
    ...(missing.length === 0 ? [] : missingLines(missing)),
  ]
}

function missingLines(missing: readonly CoveredPoint[]): string[] {
  const requests = missing.map(
    ({ id, sentence, exercise = nothingForIt }) => `# ${id}: ${sentence}\n${exercise}\n`,
  )
  return [
    '<details>',
    `<summary>${missing.length} missing, with requests to paste</summary>`,
    '',
    '```sh',
    requests.join('\n').trimEnd(),
    '```',
    '',
    '</details>',
    '',
  ]
}
