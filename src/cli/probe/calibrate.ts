// The verb calibrate: finds out which value of each assumption a service has, and writes the observed values.
import { resolve } from 'node:path'
import { calibrate, calibrationPlan, type Calibration } from '../../probe/calibrate.ts'
import { calibratedText } from '../../probe/calibrated-text.ts'
import { readEarlier, type EarlierCalibration } from '../../probe/compare.ts'
import { mergeEarlier } from '../../probe/merge-earlier.ts'
import { DocumentError } from '../../input/problems.ts'
import { exitCodes, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe, writeResult } from '../output.ts'
import { requireWritable } from '../runs/report-files.ts'
import type { FlagValues } from '../settings.ts'
import { probeTarget, printEnd } from './probe-target.ts'
import { calibrationTable } from './calibration-table.ts'
import { checkText } from './check-text.ts'

/** @returns 0 if a value was observed, 7 if none was; 6 if a value has changed since `--check`; 130 if stopped. */
export async function calibrateVerb(flags: FlagValues, io: Io): Promise<number> {
  const { output, check } = flags
  if (typeof output === 'string') await requireWritable('--output', [resolve(io.cwd, output)], io.cwd)
  const earlier = typeof check === 'string' ? { check } : {}
  const found = await probeTarget(
    {
      plan: calibrationPlan,
      ask: (target, options, machine) => calibrate(target, { ...options, ...earlier }, machine),
    },
    flags,
    io,
  )
  if (!found) return exitCodes.fine
  io.stdout(flags['format'] === 'json' ? jsonLines(found) : terminalSafe(calibrationTable(found)))
  if (flags['format'] !== 'json' && found.moved) {
    const { moved, no_longer_observed = [] } = found
    io.stdout(terminalSafe(`\n${checkText({ moved, no_longer_observed }, String(check))}`))
  }
  for (const warning of found.warnings ?? []) io.stderr(terminalSafe(`warning: ${warning}\n`))
  if (typeof output === 'string') {
    const { document, retained: kept } = mergeEarlier(found, await earlierIn(resolve(io.cwd, output)))
    await writeResult([calibratedText(document, output)], output, io, 'the observed values')
    if (kept > 0) io.stderr(`${kept} that were not probed now keep the value that was observed before.\n`)
  }
  printEnd(found, io)
  return exitCodeOf(found)
}

/** Returns the earlier contents of the file of `-o`; nothing if there is none, or it is of another kind. */
function earlierIn(path: string): Promise<EarlierCalibration | undefined> {
  return readEarlier(path, path).catch((error: unknown) => {
    if (error instanceof DocumentError) return undefined
    throw error
  })
}

function exitCodeOf({ partial, lost, assume, moved = [] }: Calibration): number {
  if (partial) return exitCodes.interrupted
  if (lost !== undefined) return exitCodes.unreachable
  if (moved.length > 0) return exitCodes.gateFailed
  return Object.keys(assume).length > 0 ? exitCodes.fine : exitCodes.unreachable
}
