// Reads what a call brought from the socket where there is one: its Request would build web objects around it.
import type { Received } from '../exchange/received.ts'
import type { AppContext } from './context.ts'
import type { Route } from './routes.ts'

/** @param route the route that its path fits. */
export function receive(context: AppContext, route: Route | undefined): Received {
  const stream = context.env?.incoming
  const { raw } = context.req
  const { url, method } = raw
  const pathStart = url.indexOf('/', url.indexOf('//') + 2)
  const queryStart = url.indexOf('?', pathStart)
  return {
    method,
    path: queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart),
    query: queryStart === -1 ? '' : url.slice(queryStart + 1),
    origin: url.slice(0, pathStart),
    rawHeaders: stream ? stream.rawHeaders : rawHeadersOf(raw.headers),
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
