// Authentication: finds the API key and the workspace that a credential names.
import type { Credential, CredentialForm } from '../contract/credentials.ts'
import type { Environment } from '../contract/versions.ts'
import { isSameSecret } from '../runtime/random.ts'
import type { State } from '../store/state.ts'
import type { ApiKeyRow } from '../store/rows.ts'
import { defaultWorkspace, type Workspace } from './workspace.ts'
import { isName } from './names.ts'
import type { Workspaces } from './workspaces.ts'

/** The key and the workspace of a call. */
export interface Identity {
  key: ApiKeyRow
  /** How the key was sent. */
  form: CredentialForm
  workspace: Workspace
}

/**
 * Finds the key and the workspace that a credential names (contract: Authentication 1-3; design: Requests).
 *
 * It looks up the whole text first, so that a key may contain dots, and then splits it at its last dot into key and
 * workspace. A workspace is forked on first use, after its key was found in the baseline. Without public keys only a
 * key of the workspace itself, with its name, identifies a workspace, and only an existing one.
 *
 * @param fixed the workspace to stay in, whatever the credential says.
 * @throws {TooManyWorkspacesError} if it would exceed the limit.
 */
export function identify(
  workspaces: Workspaces,
  credential: Credential,
  environment: Environment,
  fixed?: Workspace,
): Identity | undefined {
  const text = credential.scheme === 'bearer' ? credential.token : credential.user
  const home = fixed ?? (workspaces.policy.hasPublicKeys ? workspaces.default : undefined)
  const key = home && keyIn(home.state, text, home)
  if (key) return { key, form: formOf(key, text), workspace: home }

  const dot = text.lastIndexOf('.')
  const name = text.slice(dot + 1)
  if (dot === -1 || !isName(name)) return undefined
  const bare = text.slice(0, dot)
  if (fixed && fixed.name !== name) return undefined
  if (!fixed && !mayOpen(workspaces, name, credential)) return undefined
  const existing = fixed ?? (name === defaultWorkspace ? workspaces.default : workspaces.findOpen(name))
  // All partners know the keys of the baseline, so none of them opens or creates a workspace.
  if (!workspaces.policy.hasPublicKeys && !fixed && !existing?.keys) return undefined
  const found = keyIn(existing?.state ?? workspaces.baseline, bare, existing)
  return (
    found && { key: found, form: formOf(found, bare), workspace: existing ?? workspaces.findOrCreate(name) }
  )

  function keyIn(state: State, user: string, of: Workspace | undefined): ApiKeyRow | undefined {
    const row = matchingKey(state, user, credential)
    if (row?.environment !== environment) return undefined
    // A row that a client wrote is not a key, however it was written.
    if (of?.keys && !of.keys.isOwn(row)) return undefined
    return row
  }

  function formOf(row: ApiKeyRow, user: string): CredentialForm {
    if (credential.scheme === 'bearer') return 'bearer'
    return row.api_key === user ? 'basic_key' : 'basic_key_pair'
  }
}

/** Returns the workspace that a credential names after the last dot; the whole text may be a key of `default`. */
export function namedWorkspace(workspaces: Workspaces, credential: Credential): string {
  const { default: home, policy } = workspaces
  const text = credential.scheme === 'bearer' ? credential.token : credential.user
  const name = text.slice(text.lastIndexOf('.') + 1)
  if (name === text || !isName(name)) return home.name
  return policy.hasPublicKeys && matchingKey(home.state, text, credential) ? home.name : name
}

/** Whether a credential without its workspace is a key of a state. */
export function isKeyIn(state: State, credential: Credential, environment: Environment): boolean {
  const bare = bareCredential(credential)
  const text = bare.scheme === 'bearer' ? bare.token : bare.user
  return matchingKey(state, text, bare)?.environment === environment
}

/** Whether a credential may open a workspace of this name, which need not exist. */
export function mayOpen(workspaces: Workspaces, name: string, credential: Credential): boolean {
  return workspaces.policy.mayOpen(workspaces.owners.keysFor(name), bareCredential(credential))
}

/** Returns the same credential without its workspace, for a call that is moved to another one. */
export function withoutWorkspace(credential: Credential, state: State): Credential {
  const text = credential.scheme === 'bearer' ? credential.token : credential.user
  const dot = text.lastIndexOf('.')
  if (dot === -1 || !isName(text.slice(dot + 1)) || matchingKey(state, text, credential)) return credential
  return bareCredential(credential)
}

function bareCredential(credential: Credential): Credential {
  const text = credential.scheme === 'bearer' ? credential.token : credential.user
  const bare = text.slice(0, text.lastIndexOf('.'))
  return credential.scheme === 'bearer' ? { ...credential, token: bare } : { ...credential, user: bare }
}

/** Returns the key for a user name and, for a key id, its secret. */
function matchingKey(state: State, user: string, credential: Credential): ApiKeyRow | undefined {
  const byKey = state.find('api_keys', 'by_api_key', user)
  if (credential.scheme === 'bearer' || byKey) return byKey
  // A key id alone is no credential; secrets are never empty.
  const byId = state.get('api_keys', user)
  return byId && isSameSecret(byId.secret, credential.password) ? byId : undefined
}
