import type { AssumptionId } from '../contract/assumptions.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Environment, ReleasedVersion, Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Moment, TransportFault } from '../scenarios/consequences.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { ApiKeyRow, ProductRow } from '../store/rows.ts'
import type { Change, Read } from '../store/transaction.ts'

/** How a version was chosen: by the request, or as the account has it saved. */
export type VersionSource = 'header' | 'saved'

/** Why a call had no usable key, as far as its sandbox could tell; clients are told much less. */
export type CredentialProblem =
  /** There was none. */
  | { kind: 'missing' }
  /** The header is none that the contract knows; the message of the failure says what is wrong. */
  | { kind: 'malformed' }
  /** No key, and no key id, is like it, */
  | { kind: 'unknown' }
  /** and the workspace that it names does not exist, so that only keys of the start can be keys of it. */
  | { kind: 'no_workspace'; workspace: string }
  /** It is a key of another environment. */
  | { kind: 'other_environment'; keyId: string; environment: Environment }
  /** A key id came with a secret that is not its own, */
  | { kind: 'wrong_secret'; keyId: string }
  /** or with none, */
  | { kind: 'no_secret'; keyId: string }
  /** or an API key with a password, where an assumption refuses that. */
  | { kind: 'password_refused'; keyId: string }
  /** A key that is good is followed by what can name no workspace, */
  | { kind: 'workspace_name'; keyId: string }
  /** or by another workspace than the one that the call came through. */
  | { kind: 'other_workspace'; keyId: string; workspace: string }
  /** The key was there at start and is not in this workspace any more. */
  | { kind: 'removed'; keyId: string; workspace: string }

/** What one effect of a scenario changed. */
export interface ScenarioChanges {
  at: Moment
  changes: readonly Change[]
}

/**
 * What is kept of one exchange: references to what the request and its stages made anyway, so that keeping it costs
 * next to nothing. Nothing in it is masked; `entry.ts` makes of it what may be shown.
 */
export interface ExchangeRecord {
  id: string
  /** When it came, in milliseconds since the epoch on the sandbox clock. */
  at: number
  workspace: string
  method: string
  path: string
  /** Scheme, host and port that the client used. */
  origin: string
  /** The query as it was sent, without the question mark. */
  query: string
  /** Names and values in turns, as a socket gives them. */
  requestHeaders: readonly string[]
  requestBody: Uint8Array | undefined
  /** How many bytes the request body had, where only its beginning is kept. */
  requestBodyCutFrom: number | undefined
  params: Readonly<Record<string, string>>
  endpoint: Endpoint | undefined
  credentialProblem: CredentialProblem | undefined
  key: ApiKeyRow | undefined
  version: Version | undefined
  versionSource: VersionSource | undefined
  /** The version that the account had saved. */
  savedVersion: ReleasedVersion | undefined
  product: ProductRow | undefined
  /** The scopes that counted for this call: those of the key, less those that a scenario took away. */
  scopes: readonly Scope[]
  status: number
  responseHeaders: Readonly<Record<string, string>>
  responseBody: string | Uint8Array | null
  /** How many bytes the response body had, where only its beginning is kept. */
  responseBodyCutFrom: number | undefined
  fault: TransportFault | undefined
  failure: ApiError | undefined
  /** The scenarios that were active for the call, in the order that decides; undefined where none were looked for. */
  scenarios: readonly Scenario[] | undefined
  plan: Plan | undefined
  assumptions: readonly AssumptionId[]
  reads: readonly Read[]
  /** What the call itself changed. */
  changes: readonly Change[]
  /** What scenarios changed before or after that. */
  scenarioChanges: readonly ScenarioChanges[] | undefined
  /** Milliseconds from the request to its answer, of the machine's own time. */
  duration: number
}

/** How much of a body is kept, in bytes. */
export const keptOfBody = 64 * 1024

/** About how much memory a record holds on to, in bytes. */
export function sizeOf(record: ExchangeRecord): number {
  const { path, query, requestHeaders, requestBody, responseBody } = record
  let size = fixedSize + path.length + query.length + (requestBody?.length ?? 0) + (responseBody?.length ?? 0)
  for (const text of requestHeaders) size += text.length
  return size
}

/** What a record takes beside its texts: its fields and references. */
const fixedSize = 1024
