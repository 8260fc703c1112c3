// The coverage report: each contract point with how often it was exercised, and with a request that would.
import { endpoints } from '../../endpoints/index.ts'
import type { Coverage } from '../counting.ts'
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

/** Which contract points were exercised. */
export interface CoverageReport {
  total: number
  covered: number
  /** Of the points, with one decimal and rounded down: 100 means all of them. */
  percent: number
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
  const covered = points.filter((point) => point.covered).length
  return { total: points.length, covered, percent: percentOf(covered, points.length), points }
}

/** With one decimal, rounded down. */
export function percentOf(covered: number, total: number): number {
  return Math.floor((covered * 1000) / total) / 10
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
