// The two values of --isolation: the whole difference between them, on one page.
import type { Credential } from '../contract/credentials.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Isolation } from './isolation.ts'
import { defaultWorkspace } from './names.ts'
import { PartnerKeys } from './partner-keys.ts'

/** The decisions on which the two values differ. */
export interface IsolationPolicy {
  /** A request creates the workspace that it names. */
  readonly createsOnFirstUse: boolean
  /** The built-in keys open every workspace, and lists show them. */
  readonly hasPublicKeys: boolean
  /** Each workspace has a token that opens its part of the control plane. */
  readonly hasWorkspaceTokens: boolean
  /** A client learns nothing of the workspaces that its key or token does not open. */
  readonly hidesOthers: boolean
  /** The copies that replays create are a part of their original: its owner, its last access, its room. */
  readonly copiesBelongToOriginal: boolean
  /** Returns the owner of a new workspace. */
  begin(name: string): Isolation | undefined
  /** Returns the keys that open the workspaces of an owner. */
  keysOf(owner: Isolation): PartnerKeys | undefined
  /** Whether a credential, without its workspace name, may open a workspace that has these keys. */
  mayOpen(keys: PartnerKeys | undefined, credential: Credential): boolean
  /** Returns the owner of a workspace after all its keys were revoked. @throws {ConflictError} */
  rotated(workspace: { readonly name: string; readonly isolation: Isolation | undefined }): Isolation
}

/** Workspaces separate the tests of one partner, so that any client may open and create each of them. */
export const testIsolation: IsolationPolicy = {
  createsOnFirstUse: true,
  hasPublicKeys: true,
  hasWorkspaceTokens: false,
  hidesOthers: false,
  copiesBelongToOriginal: false,
  begin: () => undefined,
  keysOf: () => undefined,
  mayOpen: () => true,
  rotated({ name }) {
    throw new ConflictError(
      `workspace '${name}' shares its keys with all workspaces: only --isolation partner gives each workspace its own keys`,
    )
  },
}

/**
 * Each workspace belongs to one partner and has keys of its own; only the operator creates it.
 * @param secret `--isolation-secret`; without it a lineage alone determines the keys.
 * @param nextLineage creates a lineage, given how many workspaces had the same name in this process.
 */
export function partnerIsolation(secret: string | undefined, nextLineage: (earlier: number) => string) {
  const begun = new Map<string, number>()
  const known = new WeakMap<Isolation, PartnerKeys>()
  const begin = (of: string): Isolation => {
    const earlier = begun.get(of) ?? 0
    begun.set(of, earlier + 1)
    return { of, lineage: nextLineage(earlier), generation: 1 }
  }
  const keysOf = (owner: Isolation): PartnerKeys => {
    const keys = known.get(owner) ?? new PartnerKeys(secret ?? '', owner)
    known.set(owner, keys)
    return keys
  }
  // Comparing with these keys takes as long, so that the time of a refusal does not reveal whether the workspace
  // exists.
  const unused = keysOf(begin(''))
  return {
    createsOnFirstUse: false,
    hasPublicKeys: false,
    hasWorkspaceTokens: true,
    hidesOthers: true,
    copiesBelongToOriginal: true,
    begin,
    keysOf,
    mayOpen: (keys, credential) => (keys ?? unused).made(credential),
    rotated({ name, isolation }) {
      if (name === defaultWorkspace) {
        throw new ConflictError(
          `workspace '${name}' has no keys of its own: create one workspace for each partner`,
        )
      }
      if (isolation && isolation.of !== name) {
        throw new ConflictError(
          `workspace '${name}' is a copy of '${isolation.of}': rotate the keys of '${isolation.of}'`,
        )
      }
      // A folder may hold a workspace from before --isolation partner, which has no owner yet.
      return isolation ? { ...isolation, generation: isolation.generation + 1 } : begin(name)
    },
  } satisfies IsolationPolicy
}
