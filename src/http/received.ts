import type { ServerResponse } from 'node:http'
import type { Workspace } from '../workspaces/workspace.ts'
import type { AppContext } from './context.ts'
import type { Incoming, KnownHeaders } from './exchange.ts'
import { fromRawHeaders, rawHeadersOf } from './known-headers.ts'
import type { BodySource } from './body/read-body.ts'
import type { Route } from './routes.ts'

/** What a call brought, read from the socket where there is one: its Request would build web objects around it. */
export class Received implements Incoming {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly origin: string
  readonly rawHeaders: readonly string[]
  readonly headers: KnownHeaders
  readonly body: BodySource
  readonly route: Route | undefined
  readonly params: Record<string, string>
  readonly fixed: Workspace | undefined
  readonly #context: AppContext

  constructor(context: AppContext, route: Route | undefined) {
    const stream = context.env?.incoming
    const { raw } = context.req
    const { url, method } = raw
    const pathStart = url.indexOf('/', url.indexOf('//') + 2)
    const queryStart = url.indexOf('?', pathStart)
    this.method = method
    this.path = queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart)
    this.query = queryStart === -1 ? '' : url.slice(queryStart + 1)
    this.origin = url.slice(0, pathStart)
    this.rawHeaders = stream ? stream.rawHeaders : rawHeadersOf(raw.headers)
    this.headers = fromRawHeaders(this.rawHeaders)
    this.body = stream ? { stream } : { web: raw.body }
    this.route = route
    this.params = route?.hasParams ? context.req.param() : {}
    this.fixed = context.env?.workspace
    this.#context = context
  }

  header(name: string): string | undefined {
    const stream = this.#context.env?.incoming
    if (!stream) return this.#context.req.raw.headers.get(name) ?? undefined
    const value = stream.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  gone(): AbortSignal {
    const outgoing = this.#context.env?.outgoing
    return outgoing ? closeOf(outgoing) : this.#context.req.raw.signal
  }
}

/** Aborted when the connection is closed before the answer was sent. */
function closeOf(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  return gone.signal
}
