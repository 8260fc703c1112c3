// Why a credential was refused: unknown key, wrong secret, other environment, no such workspace.
import type { Credential } from '../contract/credentials.ts'
import type { Environment } from '../contract/versions.ts'
import type { CredentialProblem } from '../call/resolution.ts'
import type { State } from '../store/state.ts'
import { defaultWorkspace, type Workspace } from './workspace.ts'
import { isName } from './names.ts'
import type { Workspaces } from './workspaces.ts'

/**
 * Why `identify` found no key for a credential, in the order of its lookups: the whole text, then the text before its
 * last dot. Only for the owner of the sandbox, as it reveals which keys exist.
 */
export function credentialProblem(
  workspaces: Workspaces,
  credential: Credential,
  environment: Environment,
  fixed?: Workspace,
): CredentialProblem {
  const home = fixed ?? workspaces.default
  const text = credential.scheme === 'bearer' ? credential.token : credential.user
  if (!workspaces.policy.hasPublicKeys) return ofPartner()
  const whole = problemIn(home.state, text) ?? removed(home, text)
  if (whole) return whole
  const dot = text.lastIndexOf('.')
  if (dot === -1) return { kind: 'unknown' }
  const [bare, name] = [text.slice(0, dot), text.slice(dot + 1)]
  const existing = name === defaultWorkspace ? workspaces.default : workspaces.find(name)
  const keyId = keyIn(existing?.state ?? workspaces.baseline, bare)?.id
  if (keyId !== undefined && !isName(name)) return { kind: 'workspace_name', keyId }
  if (keyId !== undefined && fixed && fixed.name !== name) {
    return { kind: 'other_workspace', keyId, workspace: name }
  }
  const state = existing?.state ?? workspaces.baseline
  const known = problemIn(state, bare) ?? (existing && removed(existing, bare))
  if (known) return known
  return existing || !isName(name) ? { kind: 'unknown' } : { kind: 'no_workspace', workspace: name }

  /** Partners read why their own calls were refused: this reveals only the workspace of the call. */
  function ofPartner(): CredentialProblem {
    const parts = text.split('.')
    const of = parts.length === 1 ? home.name : (parts.pop() ?? '')
    const own = parts.join('.')
    if (fixed) return problemIn(fixed.state, text) ?? problemIn(fixed.state, own) ?? { kind: 'unknown' }
    const named = workspaces.find(of)
    if (!named?.isolation) return { kind: 'not_of_partner', workspace: isName(of) ? of : home.name }
    return problemIn(named.state, own) ?? { kind: 'unknown' }
  }

  function problemIn(rows: State, user: string): CredentialProblem | undefined {
    const key = keyIn(rows, user)
    if (!key) return undefined
    const { id: found, secret } = key
    if (key.api_key !== user) {
      const password = credential.scheme === 'basic' ? credential.password : ''
      if (password === '') return { kind: 'no_secret', keyId: found }
      if (password !== secret) return { kind: 'wrong_secret', keyId: found }
    }
    if (key.environment !== environment) {
      return { kind: 'other_environment', keyId: found, environment: key.environment }
    }
    return undefined
  }

  function removed(workspace: Workspace, user: string): CredentialProblem | undefined {
    const keyThen = keyIn(workspaces.baseline, user)
    return keyThen && { kind: 'removed', keyId: keyThen.id, workspace: workspace.name }
  }
}

/** The key whose API key or id this is. */
function keyIn(state: State, user: string) {
  return state.find('api_keys', 'by_api_key', user) ?? state.get('api_keys', user)
}
