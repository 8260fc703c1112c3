// What came in: the facts of one request (method, path, query, headers, body), which no stage changes.
import type { Endpoint } from '../endpoints/define.ts'

/** The request headers that decide something. */
export const knownHeaders = [
  'authorization',
  'x-service-version',
  'x-service-merchant-key',
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'idempotency-key',
  'x-sandbox-scenario',
  'origin',
  'access-control-request-method',
] as const

export type KnownHeader = (typeof knownHeaders)[number]

/** Their values. A header that was sent twice is joined by ", ", as HTTP has it. */
export type KnownHeaders = { [Name in KnownHeader]?: string }

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
  readonly headers: Readonly<KnownHeaders>
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
