// Keeps earlier observations in a file, if a run probed only some assumptions.
import { assumptionIds } from '../contract/assumptions.ts'
import type { EarlierCalibration } from './compare.ts'
import type { CalibratedDocument } from './calibrated-text.ts'
import type { Calibration } from './calibrate.ts'

/** A calibration to write over an earlier file of the same service, with the number of observations that it keeps. */
export function mergeEarlier(
  now: Calibration,
  earlier: EarlierCalibration | undefined,
): { document: CalibratedDocument; retained: number } {
  const { calibrated, assume, observations } = now
  if (earlier?.host !== calibrated.target)
    return { document: { calibrated, assume, observations }, retained: 0 }
  const document: CalibratedDocument = { calibrated, assume: {}, observations: {} }
  let retained = 0
  for (const id of assumptionIds) {
    const [before, found] = [earlier.observations[id], observations[id]]
    const keeps = before !== undefined && (found === undefined || wasNotProbed.has(found.verdict))
    if (keeps) retained += 1
    const observation = keeps ? before : found
    if (observation === undefined) continue
    document.observations[id] = observation
    const { value } = observation
    if (value !== undefined) document.assume[id] = value
  }
  return { document, retained }
}

const wasNotProbed: ReadonlySet<string> = new Set(['not_called', 'not_allowed'])
