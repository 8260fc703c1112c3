// Finds the parameters of a query that an endpoint does not know, and the assumptions that could give them a meaning.
import { valuesOf, type Assumptions } from '../contract/assumptions.ts'
import type { Endpoint, NameAssumption } from './define.ts'

/** The names of parameters that a query has and an endpoint does not know, in the order of the query. */
export function unknownParameters(query: string, endpoint: Endpoint, values: Assumptions): string[] {
  const known = Object.entries(endpoint.query).map(([field, { nameFrom }]) =>
    nameFrom ? values[nameFrom] : field,
  )
  return [...new Set(new URLSearchParams(query).keys())].filter((name) => !known.includes(name))
}

/** The assumption under which an endpoint would know a parameter of this name. */
export function namedBy(name: string, endpoint: Endpoint): NameAssumption | undefined {
  return Object.values(endpoint.query)
    .map(({ nameFrom }) => nameFrom)
    .find((id) => id !== undefined && otherNames(id).includes(name))
}

function otherNames(id: NameAssumption): readonly string[] {
  return valuesOf(id)
}
