// The facts of one request: method, path, query, headers, body.
import type { Endpoint } from '../endpoints/define.ts'
import type { Route } from '../endpoints/routes.ts'
import type { SentHeaders } from './sent-headers.ts'

/** The data of a request as it arrived. */
export interface Arrival {
  method: string
  /** Path and query as they were sent. */
  target: string
  /** Scheme, host and port that the client used. */
  origin: string
  headers: SentHeaders
  /** The route that its path matches. */
  route: Route | undefined
  /** The path that matched its route, if it differs from the one that was sent. */
  routedPath?: string | undefined
}

/**
 * One immutable request. The journal holds a thousand of them, so it has few objects: derived values are getters, computed
 * on demand.
 */
export class IncomingRequest {
  readonly method: string
  readonly #target: string
  /** Scheme, host and port that the client used. */
  readonly origin: string
  readonly headers: SentHeaders
  readonly #route: Route | undefined
  readonly #routedPath: string | undefined
  /** The endpoint of its path and method, even if the call was refused before route matching. */
  readonly endpoint: Endpoint | undefined
  /** The body as far as a stage read it; as text if it is ASCII. */
  readonly body: string | Uint8Array | undefined
  /** The size of the body in bytes, if only its beginning is stored. */
  readonly bodyBytes: number | undefined

  constructor(
    { method, target, origin, headers, route, routedPath }: Arrival,
    body?: string | Uint8Array,
    bodyBytes?: number,
  ) {
    this.method = method
    this.#target = target
    this.origin = origin
    this.headers = headers
    this.#route = route
    this.#routedPath = routedPath
    this.endpoint = route?.byMethod.get(method)
    this.body = body
    this.bodyBytes = bodyBytes
  }

  /** Returns the same request with its body. @param bodyBytes the size of the whole body, if this is its beginning. */
  withBody(body: string | Uint8Array | undefined, bodyBytes?: number): IncomingRequest {
    return new IncomingRequest(this.arrival, body, bodyBytes)
  }

  /** The request without its body. */
  get arrival(): Arrival {
    const { method, origin, headers } = this
    return {
      method,
      origin,
      headers,
      target: this.#target,
      route: this.#route,
      routedPath: this.#routedPath,
    }
  }

  /** The path as it was sent, without the query. */
  get path(): string {
    const queryStart = this.#target.indexOf('?')
    return queryStart === -1 ? this.#target : this.#target.slice(0, queryStart)
  }

  /** The query as it was sent, without the question mark. */
  get query(): string {
    const queryStart = this.#target.indexOf('?')
    return queryStart === -1 ? '' : this.#target.slice(queryStart + 1)
  }

  /** The values of the parameters in the path. */
  get params(): Readonly<Record<string, string>> {
    return this.#route?.match(this.#routedPath ?? this.path) ?? noParams
  }

  /** The methods of its path as in `Allow`; undefined if no endpoint has the path. */
  get allow(): string | undefined {
    return this.#route?.allow
  }

  /** Whether it is the preflight of a browser. */
  get isPreflight(): boolean {
    const { origin, 'access-control-request-method': requestedMethod } = this.headers.known
    return this.method === 'OPTIONS' && origin !== undefined && requestedMethod !== undefined
  }

  /** Whether a browser sends it automatically, such as for an icon: it takes no number and no room in the journal. */
  get isOfBrowser(): boolean {
    return this.endpoint === undefined && (this.isPreflight || this.path === '/favicon.ico')
  }

  /** Approximate memory of it in bytes. */
  get size(): number {
    return this.#target.length + this.headers.size + (this.body?.length ?? 0)
  }
}

const noParams: Readonly<Record<string, string>> = Object.freeze({})

/** The request headers as they arrived, with names in lower case. */
export function headerPairs({ headers: { raw } }: IncomingRequest): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    pairs.push([(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? ''])
  }
  return pairs
}

/** Returns the values of a request header, in their order; none if it was not sent. */
export function headerValues(request: IncomingRequest, name: string): string[] {
  return headerPairs(request).flatMap(([sent, value]) => (sent === name ? [value] : []))
}

/** Returns a request header as HTTP defines it: repeated values are joined. */
export function headerOf(request: IncomingRequest, name: string): string | undefined {
  const values = headerValues(request, name)
  return values.length === 0 ? undefined : values.join(', ')
}
