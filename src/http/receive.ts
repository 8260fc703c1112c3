// Reads what a call brought from the socket where there is one: its Request would build web objects around it.
import { knownHeaders, type KnownHeader, type KnownHeaders, type Received } from '../exchange/received.ts'
import type { AppContext } from './context.ts'
import type { Route } from './routes.ts'

/** @param route the route that its path fits. */
export function receive(context: AppContext, route: Route | undefined): Received {
  const stream = context.env?.incoming
  const { raw } = context.req
  const { url, method } = raw
  const pathStart = url.indexOf('/', url.indexOf('//') + 2)
  const queryStart = url.indexOf('?', pathStart)
  const rawHeaders = stream ? stream.rawHeaders : rawHeadersOf(raw.headers)
  return {
    method,
    path: queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart),
    query: queryStart === -1 ? '' : url.slice(queryStart + 1),
    origin: url.slice(0, pathStart),
    rawHeaders,
    headers: fromRawHeaders(rawHeaders),
    allow: route?.allow,
    endpoint: route?.byMethod.get(method),
    params: route?.hasParams ? context.req.param() : noParams,
    body: undefined,
    bodyBytes: undefined,
  }
}

const noParams: Readonly<Record<string, string>> = Object.freeze({})

/** The headers of a call in process, as a socket gives them; a copy, as its caller may change them for the next. */
function rawHeadersOf(headers: Headers): string[] {
  const raw: string[] = []
  for (const [name, value] of headers) raw.push(name, value)
  // The journal keeps it: a list that was added to has room for many more.
  return raw.slice()
}

const known: ReadonlySet<string> = new Set(knownHeaders)

function isKnown(name: string): name is KnownHeader {
  return known.has(name)
}

/**
 * Picks the headers we know out of what a socket gives: names and values in turns. Node's own object keeps the first
 * of two Authorization headers; here a header that was sent twice is joined, so that none of two keys is ever picked.
 */
function fromRawHeaders(raw: readonly string[]): KnownHeaders {
  const headers: KnownHeaders = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!isKnown(name)) continue
    const value = raw[at + 1] ?? ''
    const before = headers[name]
    headers[name] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}
