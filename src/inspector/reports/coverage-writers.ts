// The writer of each format of a coverage report, loaded on use.
import type { ReportFormat, ReportWriter } from '../../coverage/reports/index.ts'

const writers: Readonly<Record<ReportFormat, () => Promise<ReportWriter>>> = {
  json: async () => (report) => `${JSON.stringify(report, null, 2)}\n`,
  text: async () => (await import('../../coverage/reports/text.ts')).textReport,
  markdown: async () => (await import('../../coverage/reports/markdown.ts')).markdownReport,
  html: async () => (await import('./coverage-file.tsx')).coverageFile,
  junit: async () => (await import('../../coverage/reports/junit.ts')).junitReport,
}

export function coverageWriter(format: ReportFormat): Promise<ReportWriter> {
  return writers[format]()
}
