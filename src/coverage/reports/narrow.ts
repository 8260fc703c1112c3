// Narrows coverage to the points that a team wants to test: only some operations, without some facets.
import { didYouMean } from '../../input/did-you-mean.ts'
import { printable } from '../../input/problems.ts'
import { InvalidError } from '../../input/refusals.ts'
import type { ContractPoint } from '../points/point.ts'
import { countsOf, type CoverageReport, type LeftOut } from './coverage-report.ts'

/** Selects the points that count. An empty or absent list narrows nothing. */
export interface Narrowing {
  /** Operation ids: no other operation counts. */
  only?: readonly string[] | undefined
  /** Facets that do not count: the part after the operation in the id of a point, such as `auth` or `version`. */
  skip?: readonly string[] | undefined
}

/** The facet of a point: `auth` of `updateReward/auth/bearer`. */
function facetOf({ id, operation }: Pick<ContractPoint, 'id' | 'operation'>): string {
  return id.slice(operation.length + 1).split('/')[0] ?? ''
}

/** Whether narrowing excludes a point. */
export function isLeftOut(
  point: Pick<ContractPoint, 'id' | 'operation'>,
  { only = [], skip = [] }: Narrowing,
): boolean {
  return (only.length > 0 && !only.includes(point.operation)) || skip.includes(facetOf(point))
}

/**
 * Returns the points that count.
 * @param named the names of the two lists in the caller's interface, for messages.
 * @throws {InvalidError} for an unknown operation or facet, with a suggestion, and when no point remains.
 */
export function narrowedPoints<P extends ContractPoint>(
  points: readonly P[],
  narrowing: Narrowing,
  named = { only: 'only', skip: 'skip' },
): P[] {
  const { only = [], skip = [] } = narrowing
  requireKnown(named.only, 'operation', only, new Set(points.map(({ operation }) => operation)))
  requireKnown(named.skip, 'facet', skip, new Set(points.map(facetOf)))
  const counted = points.filter((point) => !isLeftOut(point, narrowing))
  if (counted.length === 0) throw new InvalidError(`${named.only} and ${named.skip} together leave no point`)
  return counted
}

/**
 * Returns a report of the points that count, which also states the omitted points.
 * @throws {InvalidError} as `narrowedPoints` does.
 * @example narrowed(report, { only: ['updateReward'], skip: ['auth', 'version'] }).percent
 */
export function narrowed(report: CoverageReport, narrowing: Narrowing): CoverageReport {
  const points = narrowedPoints(report.points, narrowing)
  const { only = [], skip = [] } = narrowing
  if (only.length === 0 && skip.length === 0) return report
  const leftOut: LeftOut = {
    points: report.points.length - points.length,
    ...(only.length === 0 ? {} : { only: [...only] }),
    ...(skip.length === 0 ? {} : { skip: [...skip] }),
  }
  return { ...report, ...countsOf(points), left_out: leftOut, points }
}

function requireKnown(
  list: string,
  kind: string,
  words: readonly string[],
  known: ReadonlySet<string>,
): void {
  const word = words.find((each) => !known.has(each))
  if (word === undefined) return
  throw new InvalidError(`${list}: unknown ${kind} '${printable(word)}'${didYouMean(word, [...known])}`)
}
