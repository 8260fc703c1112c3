// The writers of a coverage report.
import type { CoverageReport } from '../../coverage/reports/coverage-report.ts'
import type { ReportFormat, ReportWriter, ReportWriters } from '../../coverage/reports/index.ts'

const writers: ReportWriters<CoverageReport> = {
  json: async () => (report) => `${JSON.stringify(report, null, 2)}\n`,
  text: async () => (await import('../../coverage/reports/text.ts')).textReport,
  html: async () => (await import('./coverage-file.tsx')).coverageFile,
  junit: async () => (await import('../../coverage/reports/junit.ts')).junitReport,
}

export function coverageWriter(format: ReportFormat): Promise<ReportWriter<CoverageReport>> {
  return writers[format]()
}
