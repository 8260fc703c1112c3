// The credentials of a partner's workspace: keys, their secrets, and the token of its control plane.
import type { Environment } from '../contract/versions.ts'
import type { Scope } from '../contract/scopes.ts'
import type { PartnerKeys } from '../workspaces/partner-keys.ts'
import { readyKey } from '../workspaces/ready-key.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/**
 * Everything that opens the workspace of a partner. It is shown once, when the workspace is created and when its keys
 * are rotated.
 */
export interface WorkspaceCredentials {
  name: string
  /** The key to start with; see `SandboxWorkspace.apiKey`. */
  api_key: string
  /** When the workspace was created, on its own clock. */
  created_at: string
  /** The keys of the sandbox's environment: `id` and `secret` are a pair for Basic. */
  api_keys: { id: string; api_key: string; secret: string; scopes: Scope[]; products: string[] }[]
  /** Opens the control plane of this workspace only. */
  admin_token: string
}

/** @throws {RangeError} if no key is for the environment. */
export function credentialsOf(
  workspace: Workspace,
  keys: PartnerKeys,
  environment: Environment,
): WorkspaceCredentials {
  const { name, state, createdAt, keySuffix } = workspace
  const rows = [...state.all('api_keys')].filter((row) => row.environment === environment)
  return {
    name,
    api_key: readyKey(workspace, environment),
    created_at: createdAt,
    api_keys: rows.map(({ id, api_key: apiKey, secret, scopes, products }) => ({
      id: id + keySuffix,
      api_key: apiKey + keySuffix,
      secret,
      scopes: [...scopes],
      products: [...products],
    })),
    admin_token: keys.adminToken,
  }
}
