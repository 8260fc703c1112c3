// Finds query parameters that are unknown to an endpoint, and the assumptions that would define them.
import { valuesOf, type Assumptions } from '../contract/assumptions.ts'
import type { Endpoint, NameAssumption } from './define.ts'

/** Returns the query's parameter names that are unknown to an endpoint, in the order of the query. */
export function unknownParameters(query: string, endpoint: Endpoint, values: Assumptions): string[] {
  const known = Object.entries(endpoint.query).map(([field, { nameFrom }]) =>
    nameFrom ? values[nameFrom] : field,
  )
  return [...new Set(new URLSearchParams(query).keys())].filter((name) => !known.includes(name))
}

/** Returns the assumption under which an endpoint would accept a parameter of this name. */
export function namedBy(name: string, endpoint: Endpoint): NameAssumption | undefined {
  return Object.values(endpoint.query)
    .map(({ nameFrom }) => nameFrom)
    .find((id) => id !== undefined && otherNames(id).includes(name))
}

function otherNames(id: NameAssumption): readonly string[] {
  return valuesOf(id)
}
