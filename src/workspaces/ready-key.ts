// The API key to start with, in an environment and in a workspace.
import type { Environment } from '../contract/versions.ts'
import type { ApiKeyRow } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { Workspace } from './workspace.ts'

/**
 * Returns a key to start with: the first one of the environment that is for one product, by ascending id, so that no
 * other header is needed; undefined if no key is for the environment.
 */
export function findReadyKey(state: State, environment: Environment): ApiKeyRow | undefined {
  let first: ApiKeyRow | undefined
  for (const key of state.all('api_keys')) {
    if (key.environment !== environment) continue
    if (key.products.length === 1) return key
    first ??= key
  }
  return first
}

/**
 * Returns the ready key of a workspace, with its suffix; see `findReadyKey`.
 * @throws {RangeError} if no key is for the environment.
 */
export function readyKey(workspace: Workspace, environment: Environment): string {
  const ready = readyKeyIfAny(workspace, environment)
  if (ready === undefined) throw new RangeError(noReadyKey(environment))
  return ready
}

/** Returns the ready key of a workspace, with its suffix; undefined if no key is for the environment. */
export function readyKeyIfAny(workspace: Workspace, environment: Environment): string | undefined {
  const ready = findReadyKey(workspace.state, environment)
  return ready && ready.api_key + workspace.keySuffix
}

/** The message if no key is for the environment. */
export function noReadyKey(environment: Environment): string {
  return `no API key for environment ${environment}: add one to api_keys`
}
