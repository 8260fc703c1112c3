// The coverage report: each contract point with how often it was exercised, and with a request that would.
import { endpoints } from '../../endpoints/index.ts'
import type { Coverage } from '../counting.ts'
import type { ObservedAt } from '../../input/resolve-assumptions.ts'
import type { PointCatalogue } from '../points/catalogue.ts'
import { pointOf } from '../points/index.ts'
import type { ContractPoint, Draft } from '../points/point.ts'
import { exercise } from './exercise.ts'
import { curlOf, type SampleRequest } from './sample-request.ts'
import { loadSamples } from './samples.ts'

/** A contract point with how often it was exercised. */
export interface CoveredPoint extends ContractPoint {
  covered: boolean
  /** How many calls exercised it. */
  hits: number
  /** For a point that is missing: lines for a shell that exercise it on the built-in fixtures, where those can. */
  exercise?: string
}

/** What a report was asked to leave out. */
export interface LeftOut {
  /** How many points do not count. */
  points: number
  /** The operations that count, where not all do. */
  only?: string[]
  /** The facets that do not count. */
  skip?: string[]
}

/** Which contract points were exercised. */
export interface CoverageReport {
  total: number
  covered: number
  /** Of the points, with one decimal and rounded down: 100 means that each was exercised by at least one call. */
  percent: number
  /** Only where something was left out, by `only` or `skip`. */
  left_out?: LeftOut
  /** Only where assumptions have values that were observed at a service: how many, where and when. */
  calibrated?: ObservedAt & { assumptions: number }
  points: CoveredPoint[]
}

/** @param origin where the sandbox serves, for the lines to paste. */
export async function reportOf(
  coverage: Coverage,
  catalogue: PointCatalogue,
  origin: string,
): Promise<CoverageReport> {
  const requests = await requestsFor(catalogue)
  const points = endpoints.flatMap((endpoint) => {
    const counts = coverage.hitsOf(endpoint)
    return catalogue.of(endpoint).drafts.map((draft, place): CoveredPoint => {
      const hits = counts[place] ?? 0
      const point = { ...pointOf(endpoint, draft), covered: hits > 0, hits }
      const lines = requests.get(draft) ?? []
      if (point.covered || lines.length === 0) return point
      return { ...point, exercise: lines.map((request) => curlOf(request, origin)).join('\n') }
    })
  })
  return { ...countsOf(points), points }
}

/** How many of some points were exercised; the percentage has one decimal and is rounded down. */
export function countsOf(points: readonly CoveredPoint[]): Omit<CoverageReport, 'points'> {
  const [total, covered] = [points.length, points.filter((point) => point.covered).length]
  return { total, covered, percent: Math.floor((covered * 1000) / total) / 10 }
}

type Requests = ReadonlyMap<Draft, readonly SampleRequest[]>

/** They do not change while a sandbox runs, so they are made once. */
const known = new WeakMap<PointCatalogue, Promise<Requests>>()

function requestsFor(catalogue: PointCatalogue): Promise<Requests> {
  let requests = known.get(catalogue)
  if (!requests) known.set(catalogue, (requests = makeRequests(catalogue)))
  return requests
}

async function makeRequests(catalogue: PointCatalogue): Promise<Requests> {
  const samples = await loadSamples(catalogue.world.environment)
  return new Map(
    endpoints.flatMap((endpoint) =>
      catalogue
        .of(endpoint)
        .drafts.map((draft) => [draft, exercise(endpoint, draft, samples, catalogue.world)] as const),
    ),
  )
}
