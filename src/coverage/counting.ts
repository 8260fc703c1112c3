// Coverage counters: how many calls exercised each contract point; `what-counts.ts` defines which calls count.
import type { Endpoint } from '../endpoints/define.ts'
import type { InFlightCall } from '../call/index.ts'
import type { PointCatalogue } from './points/catalogue.ts'
import { pointOf, type EndpointPoints } from './points/index.ts'
import type { Counter } from './points/point.ts'
import { ReceiverCounts } from '../events/receiver-counts.ts'

/**
 * Counts the calls for each contract point. It is independent of the journal: dropped journal entries still count, and
 * the total survives a reset and the removal of a workspace.
 */
export class Coverage {
  readonly #points: PointCatalogue
  readonly #total: Coverage | undefined
  readonly #tallies = new Map<Endpoint, Tally>()
  /** The points that receivers of webhook events covered. */
  readonly receiver: ReceiverCounts

  /** @param total the coverage that also counts every call counted here. */
  constructor(points: PointCatalogue, total?: Coverage) {
    this.#points = points
    this.#total = total
    this.receiver = new ReceiverCounts(total?.receiver)
  }

  /** Counts the points that a call exercised. */
  count(call: InFlightCall): void {
    const { endpoint } = call.request
    if (!endpoint?.listed) return
    const tally = this.#tallyOf(endpoint)
    for (const watch of tally.points.watches) watch(call, tally)
  }

  /** Returns the number of calls that exercised each point of an endpoint, in the order of its points. */
  hitsOf(endpoint: Endpoint): readonly number[] {
    return this.#tallyOf(endpoint).hits
  }

  /** Clears these counts, and subtracts them from the total. */
  clear(): void {
    this.receiver.clear()
    for (const tally of this.#tallies.values()) tally.clear()
  }

  /** Returns the counts of an endpoint, and creates them on first use. */
  #tallyOf(endpoint: Endpoint): Tally {
    let tally = this.#tallies.get(endpoint)
    if (!tally) {
      tally = new Tally(this.#points.of(endpoint), this.#total && this.#total.#tallyOf(endpoint))
      this.#tallies.set(endpoint, tally)
    }
    return tally
  }
}

/** Returns the ids of the points that a call exercises. */
export function exercisedBy(call: InFlightCall, catalogue: PointCatalogue): string[] {
  const { endpoint } = call.request
  if (!endpoint?.listed) return []
  const { drafts, watches } = catalogue.of(endpoint)
  const ids: string[] = []
  const counter: Counter = {
    hit(place) {
      const draft = place === undefined ? undefined : drafts[place]
      if (draft) ids.push(pointOf(endpoint, draft).id)
    },
  }
  for (const watch of watches) watch(call, counter)
  return ids
}

/** A count for each point of one endpoint. */
class Tally implements Counter {
  readonly points: EndpointPoints
  readonly hits: number[]
  readonly #total: Tally | undefined

  constructor(points: EndpointPoints, total: Tally | undefined) {
    this.points = points
    this.hits = points.drafts.map(() => 0)
    this.#total = total
  }

  hit(place: number | undefined): void {
    if (place !== undefined) this.#add(place, 1)
  }

  set(place: number, hits: number): void {
    this.#add(place, hits - (this.hits[place] ?? 0))
  }

  clear(): void {
    for (const place of this.hits.keys()) this.set(place, 0)
  }

  #add(place: number, count: number): void {
    this.hits[place] = (this.hits[place] ?? 0) + count
    if (this.#total) this.#total.#add(place, count)
  }
}
