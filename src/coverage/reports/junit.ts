// Coverage as JUnit XML: a suite for each operation, a test case for each point. A missing point is a skipped test and
// not a failed one, so that a report alone never fails a build.
import type { ReceiverPoint } from '../../events/receiver-points.ts'
import type { CoveredPoint, CoverageReport } from './coverage-report.ts'
import { escaped } from './escape.ts'
import { gridsOf, type OperationGrid } from './grid.ts'
import { nothingForIt, remarksText } from './report-texts.ts'

/** @param attachments paths of files that CI servers show next to the report. */
export function junitReport(report: CoverageReport, attachments: readonly string[] = []): string {
  const { receiver = [] } = report
  const total = report.total + receiver.length
  const covered = report.covered + receiver.filter((point) => point.covered).length
  const remarks = remarksText(report)
  const name = `contract coverage${remarks === undefined ? '' : `. ${remarks}`}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(name)}" tests="${total}" failures="0" errors="0" skipped="${total - covered}" time="0">`,
    ...gridsOf(report).map(suite),
    ...receiverSuite(receiver),
    ...attachmentSuite(attachments),
    '</testsuites>',
    '',
  ].join('\n')
}

/** A suite that lists the files in the notation of the Jenkins plugin and GitLab. */
function attachmentSuite(paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  return [
    '  <testsuite name="traces of failed tests" tests="0" failures="0" errors="0" skipped="0" time="0">',
    `    <system-out>${paths.map((path) => escaped(`[[ATTACHMENT|${path}]]`)).join('\n')}</system-out>`,
    '  </testsuite>',
  ]
}

/** The points of a receiver; the coverage of the contract does not count them. */
function receiverSuite(points: readonly ReceiverPoint[]): string[] {
  if (points.length === 0) return []
  const missing = points.filter(({ covered }) => !covered).length
  return [
    `  <testsuite name="receiver" tests="${points.length}" failures="0" errors="0" skipped="${missing}" time="0">`,
    ...points.map(({ id, sentence, covered }) => {
      const opening = `    <testcase classname="receiver" name="${id}" time="0"`
      if (covered) return `${opening}/>`
      return `${opening}><skipped message="${escaped(`Not shown: ${sentence}`)}"/></testcase>`
    }),
    '  </testsuite>',
  ]
}

function suite({ operation, total, missing, rows }: OperationGrid): string {
  const points = rows.flatMap(({ cells }) => cells.map(({ point }) => point))
  return [
    `  <testsuite name="${escaped(operation)}" tests="${total}" failures="0" errors="0" skipped="${missing.length}" time="0">`,
    ...points.map(testCase),
    '  </testsuite>',
  ].join('\n')
}

function testCase({ id, operation, sentence, covered, exercise = nothingForIt }: CoveredPoint): string {
  const name = id.slice(operation.length + 1)
  const opening = `    <testcase classname="${escaped(operation)}" name="${escaped(name)}" time="0"`
  if (covered) return `${opening}/>`
  return [
    `${opening}>`,
    `      <skipped message="${escaped(`Not exercised: ${sentence}`)}">${escaped(exercise)}</skipped>`,
    '    </testcase>',
  ].join('\n')
}
