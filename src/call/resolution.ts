// The resolution of a call: its key, version, product, scopes, scenarios, and the assumptions that it rests on.
import type { CredentialForm } from '../contract/credentials.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Environment, ReleasedVersion, Version } from '../contract/versions.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { ApiKeyRow, ProductRow } from '../store/rows.ts'
import type { Stub } from '../store/stubs.ts'
import { readsUntil, type Read } from '../store/transaction.ts'
import { onNothing, type RestsOn } from './rests-on.ts'

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
  /** The mode is `--isolation partner`, and it names no workspace that was made for one. */
  | { kind: 'not_of_partner'; workspace: string }
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

/** A stub that a call is for, with the values of the parameters in its path. */
export interface MatchedStub {
  stub: Stub
  params: Readonly<Record<string, string>>
}

/** Shared by all calls: a list of its own for each would be kept by the journal, empty as it is. */
export const none: readonly never[] = Object.freeze([])

/**
 * What the stages found out about a call. A retried call gets a new one. The journal keeps it: it refers to rows and
 * scenarios, and to nothing that is larger.
 */
export class Resolution {
  /** Why there is no usable key. */
  credentialProblem: CredentialProblem | undefined
  key: ApiKeyRow | undefined
  /** How the key was sent. */
  credentialForm: CredentialForm | undefined
  /** The scopes that the key holds for this call: its own, less those that a scenario takes away. */
  scopes: readonly Scope[] = none
  /** The version that the account has saved. */
  savedVersion: ReleasedVersion | undefined
  version: Version | undefined
  /** How the version was chosen: by the request, or as the account has it saved. */
  versionSource: 'header' | 'saved' | undefined
  /** The stages got as far as its path and method, and there is an endpoint of them. */
  matched = false
  product: ProductRow | undefined
  /** The stub that its path and method have, where no endpoint does. */
  stub: MatchedStub | undefined
  /** The scenarios that were active, in the order that decides; undefined where none were looked for. */
  scenarios: readonly Scenario[] | undefined
  /** What scenarios do to this call. */
  plan: Plan | undefined
  /** The parameter that a scenario has name nothing in this call, whatever its value is. */
  missing: string | undefined
  /** The key was found to hold the scope of the endpoint, or none is needed. */
  permitted = false
  /** The handler was asked, whatever became of that: everything before it let the call pass. */
  asked = false
  /** What the handler looked up last. */
  lastRead: Read | undefined
  /** The assumptions that the answer rests on. */
  restsOn: RestsOn = onNothing

  /** What the handler looked up, in order. */
  get reads(): Read[] {
    return readsUntil(this.lastRead)
  }

  /** The answer is one that the contract does not allow, or does not know: a scenario's, or that of a stub. */
  get offContract(): boolean {
    return this.plan?.offContract === true || this.stub !== undefined
  }
}
