// Findings of conform as one self-contained HTML file.
import type { Conformance, JudgedPoint } from '../../../probe/conform.ts'
import { findingsFile, type Finding } from '../../../inspector/reports/findings-file.tsx'
import { byReason, evidenceLines, headline, pointsOf } from './findings.ts'

export function conformanceHtml(found: Conformance): string {
  const { target, at, package: name, version, summary } = found
  const byReasons = (verdict: 'not_called' | 'not_observable') =>
    byReason(pointsOf(found, verdict)).map(([why, points]) => ({ why, points }))
  return findingsFile({
    title: `Conformance of ${target.host}`,
    lead: `${headline(found)} Tested at ${at} by ${name} ${version}.`,
    counts: Object.entries(summary).map(([verdict, count]) => ({
      what: verdict.replaceAll('_', ' '),
      count,
      isBad: verdict === 'broken',
    })),
    groups: [
      { title: 'Broken', points: pointsOf(found, 'broken').map(findingOf) },
      { title: 'Unstable', points: pointsOf(found, 'unstable').map(findingOf) },
      { title: 'Not called', reasons: byReasons('not_called') },
      { title: 'Not observable', reasons: byReasons('not_observable') },
      { title: 'Holds', names: pointsOf(found, 'holds') },
    ],
  })
}

function findingOf(point: JudgedPoint): Finding {
  const { id, sentence, section, why = '', expected } = point
  return {
    id,
    sentence,
    section,
    seen: why,
    ...(expected === undefined ? {} : { expected }),
    exchanges: evidenceLines(point),
  }
}
