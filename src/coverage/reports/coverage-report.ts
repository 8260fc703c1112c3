// The coverage report: each contract point with its number of calls, and a sample request for each missing point.
import { endpoints } from '../../endpoints/index.ts'
import type { Coverage } from '../counting.ts'
import type { ObservedAt } from '../../input/resolve-assumptions.ts'
import type { PointCatalogue } from '../points/catalogue.ts'
import { pointOf } from '../points/index.ts'
import type { ReceiverPoint } from '../../events/receiver-points.ts'
import type { ContractPoint, Draft } from '../points/point.ts'
import { exercise } from './exercise.ts'
import { curlOf, type SampleRequest } from './sample-request.ts'
import { loadSamples } from './samples.ts'

/** A contract point with the number of calls that exercised it. */
export interface CoveredPoint extends ContractPoint {
  covered: boolean
  /** The number of calls that exercised it. */
  hits: number
  /** For a missing point: shell lines that exercise it on the built-in fixtures, if the fixtures allow it. */
  exercise?: string
}

/** The points that a report omits on request. */
export interface LeftOut {
  /** The number of points that do not count. */
  points: number
  /** The operations that count; absent if all do. */
  only?: string[]
  /** The facets that do not count. */
  skip?: string[]
}

/** The covered and the missing contract points. */
export interface CoverageReport {
  total: number
  covered: number
  /**
   * Percentage of covered points, rounded down to one decimal: 100 means that at least one call exercised each point.
   */
  percent: number
  /** Present only if `only` or `skip` omitted points. */
  left_out?: LeftOut
  /** Present only if assumptions have values observed at a service: their number, the host and the time. */
  calibrated?: ObservedAt & { assumptions: number }
  points: CoveredPoint[]
  /** Points of receivers of webhook events, which the numbers above do not count. Present only if events are served. */
  receiver?: ReceiverPoint[]
}

/** @param origin the origin of the sandbox, for the lines to paste. */
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
  const servesEvents = catalogue.context.values.webhook_events !== 'not_served'
  return { ...countsOf(points), points, ...(servesEvents && { receiver: coverage.receiver.list() }) }
}

/** Counts the covered points. The percentage is rounded down to one decimal. */
export function countsOf(
  points: readonly CoveredPoint[],
): Pick<CoverageReport, 'total' | 'covered' | 'percent'> {
  const [total, covered] = [points.length, points.filter((point) => point.covered).length]
  return { total, covered, percent: Math.floor((covered * 1000) / total) / 10 }
}

type Requests = ReadonlyMap<Draft, readonly SampleRequest[]>

/** Sample requests do not change while a sandbox runs, so they are built once. */
const known = new WeakMap<PointCatalogue, Promise<Requests>>()

function requestsFor(catalogue: PointCatalogue): Promise<Requests> {
  let requests = known.get(catalogue)
  if (!requests) known.set(catalogue, (requests = makeRequests(catalogue)))
  return requests
}

async function makeRequests(catalogue: PointCatalogue): Promise<Requests> {
  const samples = await loadSamples(catalogue.context.environment)
  return new Map(
    endpoints.flatMap((endpoint) =>
      catalogue
        .of(endpoint)
        .drafts.map((draft) => [draft, exercise(endpoint, draft, samples, catalogue.context)] as const),
    ),
  )
}
