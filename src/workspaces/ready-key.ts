import type { Environment } from '../contract/versions.ts'
import type { Workspace } from './workspace.ts'

/**
 * A key to start with: the first one of the environment that is for one product, by ascending id, so
 * that no other header is needed.
 *
 * @throws {RangeError} when no key is for the environment.
 */
export function readyKey(workspace: Workspace, environment: Environment): string {
  const keys = [...workspace.state.all('api_keys')].filter((key) => key.environment === environment)
  const ready = keys.find((key) => key.products.length === 1) ?? keys[0]
  if (!ready) throw new RangeError(`no API key is for environment ${environment}: add one to api_keys`)
  return ready.api_key + workspace.keySuffix
}
