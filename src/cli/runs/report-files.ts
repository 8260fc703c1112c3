// The files of --report, with coverage or the calls of a run: checks that they can be written, and writes them.
import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CoverageReport } from '../../coverage/reports/coverage-report.ts'
import { coverageWriter } from '../../inspector/reports/coverage-writers.ts'
import { testKey } from '../../call/test-result.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { harOf } from '../../journal/har.ts'
import { reportKindOf } from '../../options/report-files.ts'
import type { RunTally } from '../../sandbox/runs/run-tally.ts'
import { isSystemError, shownPath } from '../../runtime/host.ts'
import type { Verbs } from '../../operations/index.ts'
import { CliError } from '../io.ts'
import { jsonLines } from '../json.ts'
import type { RunVerdict } from './run-summary.ts'

/**
 * Checks that files can be written, so that a long run does not end with an error about them.
 * @throws {CliError} with the file and the reason.
 */
export async function requireWritable(flag: string, files: readonly string[], cwd: string): Promise<void> {
  for (const file of files) {
    try {
      await access(dirname(file), constants.W_OK)
      const existing = await stat(file).catch(() => undefined)
      if (existing?.isDirectory()) throw cannotWrite(flag, file, cwd, 'it is a folder')
      if (existing) await access(file, constants.W_OK)
    } catch (error) {
      if (!isSystemError(error)) throw error
      throw cannotWrite(flag, file, cwd, error.code)
    }
  }
}

/** The contents of reports. */
export interface ReportedRun {
  coverage: CoverageReport
  tally: RunTally
  sandbox: Verbs
  /** The kind of run, which the JSON report has in addition to the coverage. */
  run: { calls: number; http: number; in_process: number; verdict: RunVerdict }
}

/**
 * Writes a run into files, each in the format of its suffix.
 * @throws {CliError} with every file that cannot be written, after the others are.
 */
export async function writeReports(
  reported: ReportedRun,
  files: readonly string[],
  cwd: string,
): Promise<void> {
  const problems: string[] = []
  for (const file of files) {
    const text = await reportText(reported, file)
    try {
      await writeFile(file, text)
    } catch (error) {
      if (!isSystemError(error)) throw error
      problems.push(cannotWrite('--report', file, cwd, error.code).message)
    }
  }
  if (problems.length > 0) throw new CliError(problems.join('\n'))
}

async function reportText({ run, ...reported }: ReportedRun, file: string): Promise<string> {
  const kind = reportKindOf(file) ?? 'text'
  const { coverage, tally } = reported
  const { entries, dropped } = tally.journal()
  if (kind === 'trace') return (await import('./run-trace.ts')).runTrace(reported)
  if (kind === 'har') return jsonLines(harOf(entries))
  if (kind === 'journal')
    return jsonLines({ requests: entries.map(({ entry }) => withResult(entry, tally)), dropped })
  if (kind === 'json') return jsonLines({ run, ...coverage })
  if (kind === 'junit')
    return (await import('../../coverage/reports/junit.ts')).junitReport(coverage, tally.traces)
  return (await coverageWriter(kind))(coverage)
}

/** An entry with the result of its test, or null if unknown. */
function withResult(entry: JournalEntry, { tests }: RunTally): object {
  const { test } = entry
  return test ? { ...entry, test: { ...test, result: tests.get(testKey(test))?.result ?? null } } : entry
}

function cannotWrite(flag: string, file: string, cwd: string, why: string): CliError {
  const reason = why === 'ENOENT' ? `there is no folder '${shownPath(dirname(file), cwd)}'` : why
  return new CliError(`error: ${flag}: cannot write '${shownPath(file, cwd)}' (${reason})`)
}
