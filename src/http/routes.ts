// The routes: paths of the API with their endpoints, HEAD beside GET, and the value of Allow.
import { endpoints } from '../endpoints/index.ts'
import type { Endpoint } from '../endpoints/define.ts'

/** A path of the API with the endpoints that have it. */
export interface Route {
  /** As the contract writes it, such as `/v2/rewards/{reward_id}`. */
  path: string
  hasParams: boolean
  byMethod: ReadonlyMap<string, Endpoint>
  /** The value of `Allow`: its methods, with those that HTTP adds. */
  allow: string
}

/** Groups endpoints by path, in their own order: fixed paths stand before those with a parameter in their place. */
export function groupByPath(all: readonly Endpoint[]): Route[] {
  const grouped = new Map<string, Map<string, Endpoint>>()
  for (const endpoint of all) {
    const methods = grouped.get(endpoint.path) ?? new Map<string, Endpoint>()
    methods.set(endpoint.method, endpoint)
    // A GET answers HEAD as well (RFC 9110).
    if (endpoint.method === 'GET') methods.set('HEAD', endpoint)
    grouped.set(endpoint.path, methods)
  }
  return [...grouped].map(([path, byMethod]) => ({
    path,
    hasParams: path.includes('{'),
    byMethod,
    allow: allowOf([...byMethod.keys()]),
  }))
}

/** The methods of a path as `Allow` lists them, with those that HTTP adds: HEAD beside GET (RFC 9110), and OPTIONS. */
export function allowOf(methods: readonly string[]): string {
  const all = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
  return [...all].toSorted((a, b) => rank(a) - rank(b)).join(', ')
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const rank = (method: string): number => order.indexOf(method)

/** Every path of the API. */
export const routes: readonly Route[] = groupByPath(endpoints)

/** Every method that some path has, for browsers that ask before they call. */
export const allMethods: string = order
  .filter((method) => method === 'OPTIONS' || routes.some((route) => route.byMethod.has(method)))
  .join(', ')

/** What a call is told whose path has other methods. */
export const methodsOfPath = (allow: string): string => `This path has the methods ${allow}.`
