// Sentences common to all coverage reports. It imports no endpoint declarations, so that the page can use it.
import type { ReceiverPoint } from '../../events/receiver-points.ts'
import type { CoverageReport } from './coverage-report.ts'

/** The meaning of a coverage percentage. */
export const percentMeaning =
  'A percent counts contract points: at 100 % each of them was exercised by at least one call.'

/** Returns a sentence about the points that a report omits on request; undefined if it omits none. */
export function leftOutText({ left_out: leftOut }: Pick<CoverageReport, 'left_out'>): string | undefined {
  if (leftOut === undefined) return undefined
  const { points, only = [], skip = [] } = leftOut
  const why = [
    ...(only.length > 0 ? [`only ${only.join(', ')} ${only.length === 1 ? 'counts' : 'count'}`] : []),
    ...(skip.length > 0 ? [`without ${skip.join(', ')}`] : []),
  ]
  return `Left out: ${points} ${points === 1 ? 'point' : 'points'} (${why.join('; ')}).`
}

/** Returns the remarks about a whole report, in sentences; undefined if there are none. */
export function remarksText(report: Pick<CoverageReport, 'left_out' | 'calibrated'>): string | undefined {
  const remarks = [leftOutText(report), calibratedText(report)].filter((text) => text !== undefined)
  return remarks.length === 0 ? undefined : remarks.join(' ')
}

function calibratedText({ calibrated }: Pick<CoverageReport, 'calibrated'>): string | undefined {
  if (calibrated === undefined) return undefined
  const { host, at, assumptions } = calibrated
  const count = `${assumptions} ${assumptions === 1 ? 'assumption' : 'assumptions'}`
  return `Calibrated: ${count} as observed at ${host}, ${at}.`
}

/** @example receiverTitle(report.receiver)   // 'Receiver of webhook events: 3 of 7 points, which the percent does not count' */
export function receiverTitle(points: readonly ReceiverPoint[]): string {
  const covered = points.filter((point) => point.covered).length
  return `Receiver of webhook events: ${covered} of ${points.length} points, which the percent does not count`
}

/** `12.5 %`. */
export function percentText(percent: number): string {
  return `${percent} %`
}

/** The text that replaces a request if the built-in fixtures have no data for one. */
export const nothingForIt = '# No row of the built-in fixtures can exercise it.'
