import type { CredentialForm } from '../contract/credentials.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { ApiKeyRow, ProductRow } from '../store/rows.ts'

/** What coverage looks at of a call: references to what the request and its stages made anyway. */
export interface ObservedCall {
  method: string
  /** The endpoint of the path and method, also where the call was refused before anybody looked at them. */
  endpoint: Endpoint | undefined
  /** Whether an Authorization header was sent. */
  hasCredential: boolean
  /** How the key was sent; undefined where there is no usable one. */
  credentialForm: CredentialForm | undefined
  key: ApiKeyRow | undefined
  /** The value of `x-service-version`. */
  versionHeader: string | undefined
  version: Version | undefined
  /** The value of `x-service-merchant-key`. */
  productHeader: string | undefined
  product: ProductRow | undefined
  scopes: readonly Scope[]
  plan: Plan | undefined
  /** The query as it was sent, without the question mark. */
  query: string
  /** The values of the query parameters, once they were found valid. */
  parameters: Readonly<Record<string, unknown>>
  /** The body as JSON, once it was read. */
  body: unknown
  /** The key was found to hold the scope of the endpoint, or none is needed. */
  permitted: boolean
  /** The handler was asked: everything before it let the call pass. */
  asked: boolean
  failure: ApiError | undefined
  /** What the handler gave. */
  result: unknown
}

/**
 * Whether the client saw an answer that the sandbox made by the rules of the contract. Not so where a scenario ended
 * the call (`not_found`, `error`, `invalid`, `unauthenticated`, `unsupported_version`, `respond`, `transport`),
 * rewrote the answer, or made it one that the contract does not allow; nor for HEAD, which shows no body.
 *
 * What a scenario only changes around a call leaves the answer the sandbox's own: rows (`change`), the scopes of the
 * key (`missing_scope`), how a list is cut within the contract (`page`), time (`latency`).
 */
export function isOwnAnswer({ plan, method }: ObservedCall): boolean {
  if (method === 'HEAD') return false
  if (plan === undefined) return true
  return plan.ending === undefined && !plan.rewritten && !plan.offContract
}

/**
 * Whether what the client sent as parameters and body counts: it was looked at, or a scenario ended a call that was
 * on its way there.
 */
export function countsAsSent({ asked, failure, plan }: ObservedCall): boolean {
  return asked || failure?.type === 'VALIDATION_ERROR' || plan?.ending !== undefined
}
