// The verb calibrate: asks a service which value of each assumption it has, and writes what was observed.
import { resolve } from 'node:path'
import { calibrate, calibrationPlan, type Calibration } from '../../probe/calibrate.ts'
import { calibratedText } from '../../probe/calibrated-text.ts'
import { readEarlier, type EarlierCalibration } from '../../probe/compare.ts'
import { keepEarlier } from '../../probe/keep-earlier.ts'
import { DocumentError } from '../../input/problems.ts'
import { exitCodes, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe, writeResult } from '../output.ts'
import { requireWritable } from '../runs/report-files.ts'
import type { FlagValues } from '../settings.ts'
import { askTarget, tellEnd } from './asking.ts'
import { calibrationTable } from './calibration-table.ts'
import { checkText } from './check-text.ts'

/** @returns 0 when a value was observed, else 7; 6 when something has moved since `--check`; 130 when stopped. */
export async function calibrateVerb(flags: FlagValues, io: Io): Promise<number> {
  const { output, check } = flags
  if (typeof output === 'string') await requireWritable('--output', [resolve(io.cwd, output)], io.cwd)
  const earlier = typeof check === 'string' ? { check } : {}
  const found = await askTarget(
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
    const { document, kept } = keepEarlier(found, await earlierIn(resolve(io.cwd, output)))
    await writeResult([calibratedText(document, output)], output, io, 'what was observed')
    if (kept > 0) io.stderr(`${kept} that were not asked now stay as they were observed before.\n`)
  }
  tellEnd(found, io)
  return exitCodeOf(found)
}

/** What the file of `-o` held before; nothing for none, and for one of another kind. */
function earlierIn(path: string): Promise<EarlierCalibration | undefined> {
  return readEarlier(path, path).catch((error: unknown) => {
    if (error instanceof DocumentError) return undefined
    throw error
  })
}

function exitCodeOf({ partial, lost, assume, moved = [] }: Calibration): number {
  if (partial) return exitCodes.interrupted
  if (lost !== undefined) return exitCodes.cannotAsk
  if (moved.length > 0) return exitCodes.gateFailed
  return Object.keys(assume).length > 0 ? exitCodes.fine : exitCodes.cannotAsk
}
