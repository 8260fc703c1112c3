// The coverage of a run: the points of its own sandbox, with the calls of all of its sandboxes.
import { countsOf, type CoverageReport } from '../../coverage/reports/coverage-report.ts'
import { countedPoints } from '../../events/receiver-points.ts'
import type { RunTally } from '../../sandbox/runs/run-tally.ts'

/**
 * @param report that of the run's own sandbox: its points, with requests for those that are missing.
 * @example runCoverage(await sandbox.coverage.get(), tally).percent
 */
export function runCoverage(
  report: CoverageReport,
  { hits, receiver }: Pick<RunTally, 'hits' | 'receiver'>,
): CoverageReport {
  const points = report.points.map(({ exercise, ...point }) => {
    const count = hits.get(point.id) ?? 0
    if (count > 0) return { ...point, covered: true, hits: count }
    return { ...point, covered: false, hits: 0, ...(exercise !== undefined && { exercise }) }
  })
  // A sandbox of the command may serve events when that of the run does not.
  const isServed = report.receiver !== undefined || receiver.size > 0
  return { ...report, ...countsOf(points), points, ...(isServed && { receiver: countedPoints(receiver) }) }
}
