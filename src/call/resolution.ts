// The resolution of a call: its key, version, product, scopes, scenarios, and the assumptions that it rests on.
import type { CredentialForm } from '../contract/credentials.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Environment, ReleasedVersion, Version } from '../contract/versions.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { ApiKeyRow, ProductRow } from '../store/rows.ts'
import type { Stub } from '../store/stubs.ts'
import { listReads, type Read } from '../store/transaction.ts'
import { onNothing, type RestsOn } from './rests-on.ts'

/** Why a call had no usable key, as far as its sandbox knows; clients learn much less. */
export type CredentialProblem =
  /** No credential was sent. */
  | { kind: 'missing' }
  /** The contract does not define this form of the header; the message of the failure says what is wrong. */
  | { kind: 'malformed' }
  /** No key and no key id is similar to it. */
  | { kind: 'unknown' }
  /** The workspace that it names does not exist, so only keys of the start can be keys of it. */
  | { kind: 'no_workspace'; workspace: string }
  /** With `--isolation partner`: it names no workspace of a partner. */
  | { kind: 'not_of_partner'; workspace: string }
  /** It is a key of another environment. */
  | { kind: 'other_environment'; keyId: string; environment: Environment }
  /** A key id was sent with the secret of another key. */
  | { kind: 'wrong_secret'; keyId: string }
  /** A key id was sent without a secret. */
  | { kind: 'no_secret'; keyId: string }
  /** The suffix of a valid key cannot be the name of a workspace. */
  | { kind: 'workspace_name'; keyId: string }
  /** The suffix of a valid key names another workspace than the one of the call. */
  | { kind: 'other_workspace'; keyId: string; workspace: string }
  /** The key existed at start and is no longer in this workspace. */
  | { kind: 'removed'; keyId: string; workspace: string }

/** The stub of a call, with the values of its path parameters. */
export interface MatchedStub {
  stub: Stub
  params: Readonly<Record<string, string>>
}

/** Shared by all calls: an empty list for each would take memory in the journal. */
export const none: readonly never[] = Object.freeze([])

/**
 * The findings of the stages about a call. A retried call gets a new one. The journal stores it: it refers to rows and
 * scenarios, and to nothing larger.
 */
export class Resolution {
  /** Why there is no usable key. */
  credentialProblem: CredentialProblem | undefined
  key: ApiKeyRow | undefined
  /** How the key was sent. */
  credentialForm: CredentialForm | undefined
  /** The scopes that the key has for this call: its own, except those that a scenario removes. */
  scopes: readonly Scope[] = none
  /** The saved version of the account. */
  savedVersion: ReleasedVersion | undefined
  version: Version | undefined
  /** The source of the version: the request, or the account. */
  versionSource: 'header' | 'saved' | undefined
  /** The stages reached route matching, and an endpoint has its path and method. */
  matched = false
  product: ProductRow | undefined
  /** The stub of its path and method, if no endpoint has them. */
  stub: MatchedStub | undefined
  /** The active scenarios, in the order that decides; undefined if they were not looked up. */
  scenarios: readonly Scenario[] | undefined
  /** The effects of scenarios on this call. */
  plan: Plan | undefined
  /** The parameter that a scenario treats as unknown in this call, whatever its value. */
  missing: string | undefined
  /** The key has the scope of the endpoint, or none is needed. */
  permitted = false
  /** The handler was called: every stage before it let the call pass. */
  asked = false
  /** The last lookup of the handler. */
  lastRead: Read | undefined
  /** The assumptions that the answer rests on. */
  restsOn: RestsOn = onNothing

  /** The lookups of the handler, in order. */
  get reads(): Read[] {
    return listReads(this.lastRead)
  }

  /** The contract does not allow or define this answer: it is that of a scenario or a stub. */
  get offContract(): boolean {
    return this.plan?.offContract === true || this.stub !== undefined
  }
}
