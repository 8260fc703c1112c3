// The verb calibrate: asks a service which value of each assumption it has, and writes what was observed.
import { calibrate, calibrationPlan, type Calibration } from '../../probe/calibrate.ts'
import { exitCodes, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'
import { askTarget } from './asking.ts'
import { calibrationText } from './calibration-text.ts'

/** @returns 0 when a value was observed, else 7; 130 when stopped. */
export async function calibrateVerb(flags: FlagValues, io: Io): Promise<number> {
  const found = await askTarget({ plan: calibrationPlan, ask: calibrate }, flags, io)
  if (!found) return exitCodes.fine
  io.stdout(flags['format'] === 'json' ? jsonLines(found) : terminalSafe(calibrationText(found)))
  return exitCodeOf(found)
}

function exitCodeOf({ partial, assume }: Calibration): number {
  if (partial) return exitCodes.interrupted
  return Object.keys(assume).length > 0 ? exitCodes.fine : exitCodes.cannotAsk
}
