// What of an earlier file stands when a run asked less than all: it was observed then, and nothing was asked now.
import { assumptionIds } from '../contract/assumptions.ts'
import type { EarlierCalibration } from './compare.ts'
import type { CalibratedDocument } from './calibrated-text.ts'
import type { Calibration } from './calibrate.ts'

/** A calibration as it is written over an earlier file of the same service, and how much of that it keeps. */
export function keepEarlier(
  now: Calibration,
  earlier: EarlierCalibration | undefined,
): { document: CalibratedDocument; kept: number } {
  const { calibrated, assume, observations } = now
  if (earlier?.host !== calibrated.target) return { document: { calibrated, assume, observations }, kept: 0 }
  const document: CalibratedDocument = { calibrated, assume: {}, observations: {} }
  let kept = 0
  for (const id of assumptionIds) {
    const [before, found] = [earlier.observations[id], observations[id]]
    const keeps = before !== undefined && (found === undefined || wasNotAsked.has(found.verdict))
    if (keeps) kept += 1
    const observation = keeps ? before : found
    if (observation === undefined) continue
    document.observations[id] = observation
    const { value } = observation
    if (value !== undefined) document.assume[id] = value
  }
  return { document, kept }
}

const wasNotAsked: ReadonlySet<string> = new Set(['not_called', 'not_allowed'])
