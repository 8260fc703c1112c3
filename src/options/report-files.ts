// What the files of --report hold, by their names: coverage in one of its formats, or the calls of the run.
import { basename } from 'node:path'
import { formatOfFile, reportExtensions, type ReportFormat } from '../coverage/reports/index.ts'

/** What a name of such a file may end with. */
export const reportNames: readonly string[] = [...reportExtensions, '.har', 'journal.json', 'trace.html']

/** Whether a file of this name holds the calls themselves. */
export function holdsCalls(path: string): boolean {
  return ['har', 'journal', 'trace'].includes(reportKindOf(path) ?? '')
}

/** What a file of this name holds; undefined for a name that says nothing. */
export function reportKindOf(path: string): ReportFormat | 'har' | 'journal' | 'trace' | undefined {
  const name = basename(path).toLowerCase()
  if (name.endsWith('.har')) return 'har'
  if (name.endsWith('trace.html')) return 'trace'
  return name.endsWith('journal.json') ? 'journal' : formatOfFile(name)
}
