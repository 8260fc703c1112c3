// The routes: paths of the API with their endpoints, HEAD beside GET, and the value of Allow; which one a path fits.
import { endpoints } from './index.ts'
import type { Endpoint } from './define.ts'

/** A path of the API with the endpoints that have it. */
export interface Route {
  /** As the contract writes it, such as `/v2/rewards/{reward_id}`. */
  path: string
  byMethod: ReadonlyMap<string, Endpoint>
  /** The value of `Allow`: its methods, with those that HTTP adds. */
  allow: string
  /** The values of the parameters in a path; undefined for a path that does not fit. */
  match(path: string): Readonly<Record<string, string>> | undefined
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
    byMethod,
    allow: allowOf([...byMethod.keys()]),
    match: matcherOf(path),
  }))
}

/** The methods of a path as `Allow` lists them, with those that HTTP adds: HEAD beside GET (RFC 9110), and OPTIONS. */
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

/** A parameter without its percent signs; what they do not stand for stays as it is. */
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

/** Every path of the API. */
export const routes: readonly Route[] = groupByPath(endpoints)

/** The route that a path fits. The app has the same routes; replay and probes look here. */
export function findRoute(path: string): Route | undefined {
  for (const route of routes) if (route.match(path) !== undefined) return route
  return undefined
}

/** Every method that some path has, for browsers that ask before they call. */
export const allMethods: string = order
  .filter((method) => method === 'OPTIONS' || routes.some((route) => route.byMethod.has(method)))
  .join(', ')

/** What a call is told whose path has other methods. */
export const methodsOfPath = (allow: string): string => `This path has the methods ${allow}.`
