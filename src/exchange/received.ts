// What came in: the facts of one request (method, path, query, headers, body), which no stage changes.
import type { Endpoint } from '../endpoints/define.ts'

export interface Received {
  readonly method: string
  /** The path as it was sent, without the query. */
  readonly path: string
  /** The query as it was sent, without the question mark. */
  readonly query: string
  /** Scheme, host and port that the client used. */
  readonly origin: string
  /** Every header as it came, names and values in turns. */
  readonly rawHeaders: readonly string[]
  /** The methods of its path, as `Allow` lists them; undefined where no endpoint has the path. */
  readonly allow: string | undefined
  /** The endpoint of its path and method, also where the call was refused before anybody looked for one. */
  readonly endpoint: Endpoint | undefined
  /** The values of the parameters in the path. */
  readonly params: Readonly<Record<string, string>>
  /** The body, once it was read, which can be done once only. */
  body: Uint8Array | undefined
  /** How many bytes the body had, where only its beginning is kept. */
  readonly bodyBytes: number | undefined
}

/** The request headers as they came, names in lower case. */
export function headerPairs({ rawHeaders }: Received): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? ''])
  }
  return pairs
}

/** The values of a request header, in the order in which they came; none where it was not sent. */
export function headerValues(received: Received, name: string): string[] {
  return headerPairs(received).flatMap(([sent, value]) => (sent === name ? [value] : []))
}

/** A request header as HTTP reads it: what was sent several times is joined. */
export function headerOf(received: Received, name: string): string | undefined {
  const values = headerValues(received, name)
  return values.length === 0 ? undefined : values.join(', ')
}
