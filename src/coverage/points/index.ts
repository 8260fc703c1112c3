// Derives the contract points of an endpoint, and the watches that count its calls.
import type { Endpoint } from '../../endpoints/define.ts'
import { answers } from './answers.ts'
import { boundaries } from './boundaries.ts'
import { credentials } from './credentials.ts'
import { locales } from './locales.ts'
import { pages } from './pages.ts'
import type { ContractPoint, Draft, Facet, PlaceOf, Watch, PointContext } from './point.ts'
import { products } from './products.ts'
import { scopes } from './scopes.ts'
import { sentValues } from './sent-values.ts'
import { shownValues } from './shown-values.ts'
import { versions } from './versions.ts'

/** Every kind of points, in the order in which they are listed. */
const facets: readonly Facet[] = [
  answers,
  credentials,
  versions,
  products,
  scopes,
  pages,
  boundaries,
  sentValues,
  locales,
  shownValues,
]

/** The points of one endpoint, in order, and the watches that count its calls. */
export interface EndpointPoints {
  drafts: readonly Draft[]
  watches: readonly Watch[]
}

/** Derives the points of an endpoint from its declaration. */
export function pointsOf(endpoint: Endpoint, context: PointContext): EndpointPoints {
  const drafts: Draft[] = []
  const places = new Map<string, number>()
  const placeOf: PlaceOf = (name) => places.get(name)
  const watches: Watch[] = []
  for (const facet of facets) {
    const own = facet.points(endpoint, context)
    for (const draft of own) places.set(draft.name, drafts.push(draft) - 1)
    if (own.length > 0) watches.push(facet.watch(endpoint, placeOf, context))
  }
  return { drafts, watches }
}

/** Converts a draft to the contract point that reports show. */
export function pointOf({ id }: Endpoint, { name, sentence, section }: Draft): ContractPoint {
  return { id: `${id}/${name}`, operation: id, sentence, section }
}
