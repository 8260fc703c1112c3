// Coverage reports made of a few points.
import { countsOf, type CoverageReport } from '../../src/coverage/reports/coverage-report.ts'

/** A report of points by their ids, with how many calls exercised each. */
export function reportOfPoints(hitsOf: Readonly<Record<string, number>>): CoverageReport {
  const points = Object.entries(hitsOf).map(([id, hits]) => ({
    id,
    operation: id.split('/')[0] ?? '',
    sentence: `This is ${id.split('/').at(-1)}.`,
    section: 'Limits',
    covered: hits > 0,
    hits,
  }))
  return { ...countsOf(points), points }
}
