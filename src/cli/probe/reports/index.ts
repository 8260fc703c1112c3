// The files of conform's --report, each in the format of its suffix.
import type { Conformance } from '../../../probe/conform.ts'
import { formatOfFile, reportExtensions, type ReportWriters } from '../../../coverage/reports/index.ts'
import { CliError } from '../../io.ts'
import { jsonLines } from '../../json.ts'

const writers: ReportWriters<Conformance> = {
  json: async () => jsonLines,
  text: async () => (await import('./text.ts')).conformanceText,
  html: async () => (await import('./html.ts')).conformanceHtml,
  junit: async () => (await import('./junit.ts')).conformanceJunit,
}

/** @throws {CliError} for an unknown suffix. */
export function requireReportName(file: string): void {
  if (formatOfFile(file) !== undefined) return
  throw new CliError(`error: --report: '${file}' must end with one of ${reportExtensions.join(', ')}`)
}

/** Returns the contents of a file of this name. */
export async function reportText(found: Conformance, file: string): Promise<string> {
  return (await writers[formatOfFile(file) ?? 'text']())(found)
}
