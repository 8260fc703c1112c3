// The verb conform: checks whether a service keeps the contract, and writes the findings.
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { conform, conformPlan, type Conformance } from '../../probe/conform.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import { cannotWrite, terminalSafe } from '../output.ts'
import { requireWritable } from '../runs/report-files.ts'
import type { FlagValues } from '../settings.ts'
import { probeTarget, printEnd } from './probe-target.ts'
import { reportText, requireReportName } from './reports/index.ts'
import { conformanceText } from './reports/text.ts'

/** @returns 0 if nothing is broken, 6 if something is, 7 if nothing could be checked, 130 if stopped. */
export async function conformVerb(flags: FlagValues, io: Io): Promise<number> {
  const { report } = flags
  const files = Array.isArray(report) ? report.map(String) : []
  for (const file of files) requireReportName(file)
  const paths = files.map((file) => resolve(io.cwd, file))
  await requireWritable('--report', paths, io.cwd)
  const found = await probeTarget({ plan: conformPlan, ask: conform }, flags, io)
  if (!found) return exitCodes.fine
  io.stdout(flags['format'] === 'json' ? jsonLines(found) : terminalSafe(conformanceText(found)))
  const problems: string[] = []
  for (const [place, file] of files.entries()) {
    await writeFile(paths[place] ?? file, await reportText(found, file))
      .then(() => io.stderr(terminalSafe(`Wrote the findings to ${file}\n`)))
      .catch(cannotWrite('--report', file))
      .catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error
        problems.push(error.message)
      })
  }
  printEnd(found, io)
  if (problems.length > 0) throw new CliError(problems.join('\n'))
  return exitCodeOf(found)
}

function exitCodeOf({ partial, lost, summary: { broken, holds } }: Conformance): number {
  if (partial) return exitCodes.interrupted
  if (lost !== undefined) return exitCodes.unreachable
  if (broken > 0) return exitCodes.gateFailed
  return holds > 0 ? exitCodes.fine : exitCodes.unreachable
}
