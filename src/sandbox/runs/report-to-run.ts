// Reports what test kits know to the run of the surrounding command: results of tests, and traces of failed ones.
import { systemHost } from '../../runtime/host.ts'
import { openReport, runVariable, termsOfRun, type ReportLine } from './run-folder.ts'

/** The report of this process, by the folder of the run; undefined for a run that is over. */
const reports = new Map<string, ((line: ReportLine) => void) | undefined>()

/**
 * Reports to the run; does nothing outside of one.
 * @example reportToRun({ test: { name: 'pays twice', file: 'test/pay.test.ts', result: 'failed', duration_ms: 12.5 } })
 */
export function reportToRun(line: Extract<ReportLine, { test: unknown } | { trace: unknown }>): void {
  const folder = systemHost().env[runVariable]
  if (!folder) return
  if (!reports.has(folder)) reports.set(folder, termsOfRun(folder) ? openReport(folder) : undefined)
  reports.get(folder)?.(line)
}
