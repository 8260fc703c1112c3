// Findings of conform for a pull request or a wiki.
import type { Conformance, JudgedPoint } from '../../../probe/conform.ts'
import { byReason, evidenceLines, headline, pointsOf } from './findings.ts'

export function conformanceMarkdown(found: Conformance): string {
  const { target, at, summary, partial } = found
  const operations = [...new Set(found.points.map(({ operation }) => operation))]
  const count = (operation: string, verdict: JudgedPoint['verdict']): number =>
    pointsOf(found, verdict).filter((point) => point.operation === operation).length
  const lines = [
    `# Conformance of ${cell(target.host)}: ${summary.broken} broken, ${summary.holds} hold${partial ? ' (partial)' : ''}`,
    '',
    `${headline(found)} Tested at ${at}.`,
    '',
    '| operation | holds | broken | not observable | not called | unstable |',
    '| --- | --- | --- | --- | --- | --- |',
    ...operations.map(
      (operation) =>
        `| \`${operation}\` | ${(['holds', 'broken', 'not_observable', 'not_called', 'unstable'] as const).map((verdict) => count(operation, verdict)).join(' | ')} |`,
    ),
    '',
    ...pointsOf(found, 'broken').flatMap(brokenLines),
    ...(['unstable', 'not_called', 'not_observable'] as const).flatMap((verdict) => {
      const points = pointsOf(found, verdict)
      return points.length === 0 ? [] : reasonLines(verdict, points)
    }),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function brokenLines(point: JudgedPoint): string[] {
  const { id, sentence, section, why = '', expected = '' } = point
  return [
    `## ${id}`,
    '',
    `${sentence} (${section})`,
    '',
    '```text',
    `seen: ${why}`,
    `expected: ${expected}`,
    ...evidenceLines(point).flat(),
    '```',
    '',
  ].map((line, index) =>
    index === 0 || line === '```text' || line === '```' ? line : line.replaceAll('```', "'''"),
  )
}

function reasonLines(verdict: JudgedPoint['verdict'], points: readonly JudgedPoint[]): string[] {
  return [
    '<details>',
    `<summary>${points.length} ${verdict.replaceAll('_', ' ')}</summary>`,
    '',
    '| why | points |',
    '| --- | --- |',
    ...byReason(points).map(
      ([why, own]) => `| ${cell(why)} | ${own.map(({ id }) => `\`${id}\``).join(', ')} |`,
    ),
    '',
    '</details>',
    '',
  ]
}

const cell = (text: string): string => text.replaceAll(/[|<>\\]/g, '\\$&').replaceAll(/\s+/g, ' ')
