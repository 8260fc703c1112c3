// The format of a report file by its name: coverage in one of its formats, or the calls of the run.
import { basename } from 'node:path'
import { formatOfFile, reportExtensions, type ReportFormat } from '../coverage/reports/index.ts'

/** The allowed suffixes of such a file. */
export const reportNames: readonly string[] = [...reportExtensions, '.har', 'journal.json', 'trace.html']

/** Whether a file of this name has the calls themselves. */
export function holdsCalls(path: string): boolean {
  return ['har', 'journal', 'trace'].includes(reportKindOf(path) ?? '')
}

/** Returns the contents of a file by its name; undefined for an unknown suffix. */
export function reportKindOf(path: string): ReportFormat | 'har' | 'journal' | 'trace' | undefined {
  const name = basename(path).toLowerCase()
  if (name.endsWith('.har')) return 'har'
  if (name.endsWith('trace.html')) return 'trace'
  return name.endsWith('journal.json') ? 'journal' : formatOfFile(name)
}
