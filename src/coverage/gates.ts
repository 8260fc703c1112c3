// Coverage gates: minimum percentages and a baseline, and the reasons why a report fails them.
import { didYouMean } from '../input/did-you-mean.ts'
import { printable } from '../input/problems.ts'
import { InvalidError } from '../input/refusals.ts'
import type { ContractPoint } from './points/point.ts'
import { countsOf, type CoverageReport } from './reports/coverage-report.ts'
import { percentText } from './reports/report-texts.ts'
import { isLeftOut } from './reports/narrow.ts'

/** The required percentage of all counted points, or of the points of one operation. */
export interface Minimum {
  percent: number
  operation?: string
}

/** Whether a minimum can fail at all. */
export function isGate({ percent, operation }: Minimum): boolean {
  return operation !== undefined || percent > 0
}

/**
 * Requires that each minimum applies to counted points, because a gate must not pass over no points.
 * @throws {InvalidError} for an operation without counted points, with a suggestion.
 */
export function requireCounted(minimums: readonly Minimum[], points: readonly ContractPoint[]): void {
  const counted = new Set(points.map(({ operation }) => operation))
  for (const { operation } of minimums) {
    if (operation === undefined || counted.has(operation)) continue
    const hint = didYouMean(operation, [...counted])
    throw new InvalidError(
      `no contract point that counts belongs to operation '${printable(operation)}'${hint}`,
    )
  }
}

/** Returns a sentence for each minimum that a report does not reach. */
export function missedMinimums(report: CoverageReport, minimums: readonly Minimum[]): string[] {
  return minimums.flatMap(({ percent: least, operation }) => {
    const ofOperation = report.points.filter((point) => point.operation === operation)
    const { total, covered, percent } = operation === undefined ? report : countsOf(ofOperation)
    // Compare the percentage that the report shows, so that no message claims that 90 % is less than 90.
    if (percent >= least) return []
    const more = neededFor(least, total) - covered
    return operation === undefined
      ? `--coverage-min ${least}: coverage is ${percentText(percent)}; points still needed: ${more}`
      : `--coverage-min ${operation}=${least}: coverage of it is ${percentText(percent)}; points still needed: ${more}`
  })
}

/** Returns the smallest number of points whose percentage, rounded down to one decimal, reaches the minimum. */
function neededFor(least: number, total: number): number {
  // Rounding removes the error of binary fractions: 16.1 × 10 is a little more than 161.
  const tenths = Math.ceil(Number((least * 10).toFixed(6)))
  return Math.ceil((tenths * total) / 1000)
}

/** Returns the baseline of a report: the ids of its covered points. */
export function baselineOf({ points }: CoverageReport): string[] {
  return points.filter(({ covered }) => covered).map(({ id }) => id)
}

/** The maximum number of points that a sentence names. */
const maxNamed = 10

/**
 * Returns sentences about the points that a report lost since the baseline. It ignores points that the report omits.
 */
export function lostSince(
  baseline: readonly string[],
  { points, left_out: leftOut }: Pick<CoverageReport, 'points' | 'left_out'>,
): string[] {
  const isCovered = new Map(points.map(({ id, covered }) => [id, covered]))
  const counted = baseline.filter(
    (id) => !isLeftOut({ id, operation: id.split('/')[0] ?? '' }, leftOut ?? {}),
  )
  const lost = counted.filter((id) => isCovered.get(id) === false)
  const gone = counted.filter((id) => !isCovered.has(id))
  return [
    ...sentence(lost, 'is no longer covered', 'are no longer covered'),
    ...sentence(gone, 'is no point of the contract', 'are no points of the contract'),
  ]
}

function sentence(ids: readonly string[], is: string, are: string): string[] {
  if (ids.length === 0) return []
  const more = ids.length - maxNamed
  const named = ids.slice(0, maxNamed).map(printable).join(', ')
  return [`${named}${more > 0 ? ` and ${more} more` : ''} ${ids.length === 1 ? is : are}`]
}
