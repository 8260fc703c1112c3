// Connects test kits to the surrounding run: results of tests, traces of failed tests, and the folder of traces.
import { systemHost } from '../../runtime/host.ts'
import { openReport, runVariable, readRunOptions, type ReportLine } from './run-folder.ts'

/** The function that writes the report of this process, by the folder of the run; undefined for a run that is over. */
const reports = new Map<string, ((line: ReportLine) => void) | undefined>()

/**
 * Reports a line to the run. It does nothing if there is no run.
 * @example reportToRun({ test: { name: 'pays twice', file: 'test/pay.test.ts', result: 'failed', duration_ms: 12.5 } })
 */
export function reportToRun(line: Extract<ReportLine, { test: unknown } | { trace: unknown }>): void {
  const folder = systemHost().env[runVariable]
  if (!folder) return
  if (!reports.has(folder)) reports.set(folder, readRunOptions(folder) ? openReport(folder) : undefined)
  reports.get(folder)?.(line)
}

/** Returns the subfolder for the traces of a run of `matrix`; empty if there is no such run. */
export function subfolderOfRun(): string {
  const folder = systemHost().env[runVariable]
  return (folder && readRunOptions(folder)?.traceSubfolder) || ''
}
