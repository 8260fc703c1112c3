// Coverage: counts how many calls exercised each contract point; `what-counts.ts` says which calls count.
import type { Endpoint } from '../endpoints/define.ts'
import { endpoints } from '../endpoints/index.ts'
import type { InFlightCall } from '../call/index.ts'
import type { PointCatalogue } from './points/catalogue.ts'
import { pointOf, type EndpointPoints } from './points/index.ts'
import type { Counter } from './points/point.ts'

/**
 * Kept apart from the journal: it is a number for each point, whatever the journal drops, and neither a reset nor the
 * end of a workspace takes anything from the total.
 */
export class Coverage {
  readonly #points: PointCatalogue
  readonly #total: Coverage | undefined
  readonly #tallies = new Map<Endpoint, Tally>()
  /** How often it was emptied. */
  clears = 0

  /** @param total counts everything that is counted here, too. */
  constructor(points: PointCatalogue, total?: Coverage) {
    this.#points = points
    this.#total = total
  }

  /** Counts what a call exercised. */
  count(call: InFlightCall): void {
    const { endpoint } = call.request
    if (endpoint === undefined) return
    const tally = this.#tallyOf(endpoint)
    for (const watch of tally.points.watches) watch(call, tally)
  }

  /** How many calls exercised each point of an endpoint, in the order of its points. */
  hitsOf(endpoint: Endpoint): readonly number[] {
    return this.#tallyOf(endpoint).hits
  }

  /**
   * Puts what was counted elsewhere in place of what was counted here, and so in the total.
   *
   * @param counts by the ids of points; those that no contract point has are passed over.
   */
  set(counts: ReadonlyMap<string, number>): void {
    for (const endpoint of endpoints) {
      const tally = this.#tallyOf(endpoint)
      for (const [place, draft] of tally.points.drafts.entries()) {
        tally.set(place, counts.get(pointOf(endpoint, draft).id) ?? 0)
      }
    }
  }

  /** Forgets what was counted here, and takes it from the total. */
  clear(): void {
    this.clears += 1
    for (const tally of this.#tallies.values()) tally.clear()
  }

  /** The counts of an endpoint, from its first call on. */
  #tallyOf(endpoint: Endpoint): Tally {
    let tally = this.#tallies.get(endpoint)
    if (!tally) {
      tally = new Tally(this.#points.of(endpoint), this.#total && this.#total.#tallyOf(endpoint))
      this.#tallies.set(endpoint, tally)
    }
    return tally
  }
}

/** The ids of the points that a call exercises. */
export function exercisedBy(call: InFlightCall, catalogue: PointCatalogue): string[] {
  const { endpoint } = call.request
  if (endpoint === undefined) return []
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

/** A number for each point of one endpoint. */
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
