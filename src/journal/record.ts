import type { AssumptionId } from '../contract/assumptions.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Plan, TransportFault } from '../scenarios/plan.ts'
import type { ApiKeyRow, ProductRow } from '../store/rows.ts'
import type { Change, Read } from '../store/transaction.ts'

/** How a version was chosen: by the request, or as the account has it saved. */
export type VersionSource = 'header' | 'saved'

/**
 * What is kept of one exchange: references to what the request and its stages made anyway, so that keeping it costs
 * next to nothing. Nothing in it is masked; `entry.ts` makes of it what may be shown.
 */
export interface ExchangeRecord {
  id: string
  /** Milliseconds since the epoch on the sandbox clock. */
  at: number
  workspace: string
  method: string
  path: string
  /** Scheme, host and port that the client used. */
  origin: string
  /** The query as it was sent, without the question mark. */
  query: string
  /** Names and values in turns, as a socket gives them, or the headers of a call in process. */
  requestHeaders: readonly string[] | Headers
  requestBody: Uint8Array | undefined
  params: Readonly<Record<string, string>>
  endpoint: Endpoint | undefined
  key: ApiKeyRow | undefined
  version: Version | undefined
  versionSource: VersionSource | undefined
  product: ProductRow | undefined
  /** The scopes that counted for this call: those of the key, less those that a scenario took away. */
  scopes: readonly Scope[]
  status: number
  responseHeaders: Readonly<Record<string, string>>
  responseBody: string | Uint8Array | null
  fault: TransportFault | undefined
  failure: ApiError | undefined
  plan: Plan | undefined
  assumptions: readonly AssumptionId[]
  reads: readonly Read[]
  changes: readonly Change[]
  /** Milliseconds from the request to its answer, of the machine's own time. */
  duration: number
}

/** About how much memory a record holds on to, in bytes. */
export function sizeOf({ path, query, requestBody, responseBody }: ExchangeRecord): number {
  return fixedSize + path.length + query.length + (requestBody?.length ?? 0) + (responseBody?.length ?? 0)
}

/** What a record takes beside its texts: its fields, headers and references. */
const fixedSize = 1024
