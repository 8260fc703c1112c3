// Findings of conform for a terminal: broken points with their calls, then points that could not be checked, with
// reasons.
import type { Conformance, JudgedPoint } from '../../../probe/conform.ts'
import { evidenceLines, headline, pointsOf, reasonLines } from './findings.ts'

const titles = {
  broken: 'Broken:',
  unstable: 'Unstable (two equal requests got different answers):',
  not_called: 'Not called:',
  not_observable: 'Not observable:',
} as const

export function conformanceText(found: Conformance): string {
  const lines = [headline(found), '']
  for (const verdict of ['broken', 'unstable'] as const) {
    const points = pointsOf(found, verdict)
    if (points.length > 0) lines.push(titles[verdict], '', ...points.flatMap(wholePoint))
  }
  for (const verdict of ['not_called', 'not_observable'] as const) {
    const points = pointsOf(found, verdict)
    if (points.length === 0) continue
    lines.push(titles[verdict], '', ...reasonLines(points), '')
  }
  return `${lines.join('\n').trimEnd()}\n`
}

function wholePoint(point: JudgedPoint): string[] {
  const { id, sentence, section, why, expected } = point
  return [
    `  ${id}`,
    `    ${sentence} (${section})`,
    ...(why === undefined ? [] : [`    seen: ${why}`]),
    ...(expected === undefined ? [] : [`    expected: ${expected}`]),
    ...evidenceLines(point)
      .flat()
      .map((line) => `      ${line}`),
    '',
  ]
}
