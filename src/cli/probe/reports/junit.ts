// Findings of conform as JUnit XML: a suite for each operation, a failure for each point that is broken.
import type { Conformance, JudgedPoint } from '../../../probe/conform.ts'
import { escaped } from '../../../coverage/reports/escape.ts'
import { evidenceLines } from './findings.ts'

export function conformanceJunit({ target, points, partial }: Conformance): string {
  const operations = [...new Set(points.map(({ operation }) => operation))]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(`conformance of ${target.host}${partial ? ' (partial: the run was stopped early)' : ''}`)}" ${countsOf(points)}>`,
    ...operations.map((operation) =>
      suite(
        operation,
        points.filter((point) => point.operation === operation),
      ),
    ),
    '</testsuites>',
    '',
  ].join('\n')
}

/** An unstable point proves nothing, like one that was not checked: it is skipped, with the reason. */
const isSkipped = ({ verdict }: JudgedPoint): boolean => verdict !== 'holds' && verdict !== 'broken'

function countsOf(points: readonly JudgedPoint[]): string {
  const failures = points.filter(({ verdict }) => verdict === 'broken').length
  return `tests="${points.length}" failures="${failures}" errors="0" skipped="${points.filter(isSkipped).length}" time="0"`
}

function suite(operation: string, points: readonly JudgedPoint[]): string {
  return [
    `  <testsuite name="${escaped(operation)}" ${countsOf(points)}>`,
    ...points.map(testCase),
    '  </testsuite>',
  ].join('\n')
}

function testCase(point: JudgedPoint): string {
  const { id, operation, verdict, sentence, why = '', expected = '' } = point
  const opening = `    <testcase classname="${escaped(operation)}" name="${escaped(id.slice(operation.length + 1))}" time="0"`
  if (verdict === 'holds') return `${opening}/>`
  const element = isSkipped(point)
    ? `<skipped message="${escaped(`${verdict.replaceAll('_', ' ')}: ${why}`)}"/>`
    : `<failure message="${escaped(sentence)}">${escaped([`seen: ${why}`, `expected: ${expected}`, ...evidenceLines(point).flat()].join('\n'))}</failure>`
  return [`${opening}>`, `      ${element}`, '    </testcase>'].join('\n')
}
