// The routes: paths of the API with their endpoints, HEAD for each GET, the value of Allow; finds the route of a path.
import type { Assumptions } from '../contract/assumptions.ts'
import { allEndpoints, endpoints, servedEndpoints } from './index.ts'
import type { Endpoint } from './define.ts'

/** A path of the API with its endpoints. */
export interface Route {
  /** The path in the notation of the contract, such as `/v2/rewards/{reward_id}`. */
  path: string
  byMethod: ReadonlyMap<string, Endpoint>
  /** The value of `Allow`: the methods of the path, and those that HTTP adds. */
  allow: string
  /** Returns the values of the path parameters; undefined for a path that does not match. */
  match(path: string): Readonly<Record<string, string>> | undefined
}

/**
 * Groups endpoints by path and retains their order: fixed paths precede those with a parameter in the same position.
 */
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
    byMethod,
    allow: allowOf([...byMethod.keys()]),
    match: matcherOf(path),
  }))
}

/** Returns the methods of a path for `Allow`, with those that HTTP adds: HEAD for GET (RFC 9110), and OPTIONS. */
export function allowOf(methods: readonly string[]): string {
  const all = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
  return [...all].toSorted((a, b) => rank(a) - rank(b)).join(', ')
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const rank = (method: string): number => order.indexOf(method)

const noParams: Readonly<Record<string, string>> = Object.freeze({})

function matcherOf(path: string): Route['match'] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const [start = '', ...between] = path.split(/\{\w+\}/)
  if (names.length === 0) return (sent) => (sent === path ? noParams : undefined)
  return (sent) => {
    if (!sent.startsWith(start)) return undefined
    const params: Record<string, string> = {}
    let at = start.length
    for (const [place, name] of names.entries()) {
      const next = sent.indexOf('/', at)
      const end = next === -1 ? sent.length : next
      const text = between[place] ?? ''
      if (end === at || !sent.startsWith(text, end)) return undefined
      params[name] = decoded(sent.slice(at, end))
      at = end + text.length
    }
    return at === sent.length ? params : undefined
  }
}

/** Decodes the percent encoding of a parameter; invalid sequences stay unchanged. */
function decoded(sent: string): string {
  if (!sent.includes('%')) return sent
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent.replace(/(?:%[0-9A-Fa-f]{2})+/g, (part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
  }
}

const routesOfContract = groupByPath(endpoints)
const allRoutes = groupByPath(allEndpoints)

/** The paths of the operations that the sandbox can serve, or of those that it serves under the current assumptions. */
export function routesOf(values?: Pick<Assumptions, 'unlisted_operations'>): readonly Route[] {
  return values === undefined || servedEndpoints(values) === allEndpoints ? allRoutes : routesOfContract
}

/** Returns the route that matches a path. The app registers the same routes; replay and probes use this function. */
export function findRoute(path: string, routes: readonly Route[] = routesOfContract): Route | undefined {
  for (const route of routes) if (route.match(path) !== undefined) return route
  return undefined
}

/** The methods of all paths, for the preflight requests of browsers. */
export function methodsOf(routes: readonly Route[]): string {
  return order
    .filter((method) => method === 'OPTIONS' || routes.some((route) => route.byMethod.has(method)))
    .join(', ')
}

/** The methods of the paths of the contract. */
export const methodsOfContract: string = methodsOf(routesOfContract)

/** The message for a call with a method that its path does not have. */
export const methodsOfPath = (allow: string): string => `This path has the methods ${allow}.`
