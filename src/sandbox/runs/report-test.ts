// Reports how tests end to the run of the surrounding command: `exec` shows the result beside the calls of the test.
import type { TestResult } from '../../call/test-result.ts'
import { systemHost } from '../../runtime/host.ts'
import { openReport, runVariable, termsOfRun, type ReportLine } from './run-folder.ts'

/** The report of this process, by the folder of the run. */
const reports = new Map<string, (line: ReportLine) => void>()

/**
 * Reports how a test ended; does nothing outside of a run.
 * @example reportTest({ name: 'pays twice', file: 'test/pay.test.ts', result: 'failed', duration_ms: 12.5 })
 */
export function reportTest(test: TestResult): void {
  const folder = systemHost().env[runVariable]
  if (!folder || !termsOfRun(folder)) return
  const report = reports.get(folder) ?? openReport(folder)
  reports.set(folder, report)
  report({ test })
}
