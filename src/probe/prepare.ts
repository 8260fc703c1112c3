// Converts a request of a probe into one for a target: its key, its headers, its body.
import { merchantKeyHeader } from '../contract/credentials.ts'
import { scopeNames, type Scope } from '../contract/scopes.ts'
import type { Target } from './target.ts'

/** A key of the target by its path below `keys`. */
export type KeyName = 'full' | 'multi' | `without.${Scope}`

/** A request to the target. */
export interface ProbeRequest {
  readonly method: string
  /** Below the target's URL, with its query. */
  readonly path: string
  /** The key to send; `full` by default, null for none. */
  readonly key?: KeyName | null
  /** The form of the key; `Bearer <key>` by default. */
  readonly authorization?: (key: string) => string
  readonly headers?: Readonly<Record<string, string>>
  /** Selects no product, even for a target that requires one with every call. */
  readonly withoutProduct?: true
  /** Sent as JSON, with its content type unless `headers` has one. */
  readonly json?: unknown
  /** Sent unchanged. */
  readonly body?: string
}

/** A request in the form that is sent. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Converts a request for a target.
 * @param product the product, unless the request selects one itself.
 */
export function prepare(
  { keys }: Target,
  { method, path, key = 'full', authorization = bearer, headers, withoutProduct, json, body }: ProbeRequest,
  product?: string,
): Sent {
  const content = json === undefined ? body : JSON.stringify(json)
  return {
    method,
    path,
    headers: {
      accept: 'application/json',
      ...(key === null ? {} : { authorization: authorization(keyOf(keys, key)) }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(product === undefined || withoutProduct ? {} : { [merchantKeyHeader]: product }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  }
}

function keyOf({ full, multi, without }: Target['keys'], name: KeyName): string {
  const scope = scopeNames.find((one) => name === `without.${one}`)
  const key = scope === undefined ? { full, multi }[name === 'multi' ? name : 'full'] : without[scope]
  if (key === undefined)
    throw new Error(`a probe uses keys.${name} of the target without declaring that it needs it`)
  return key
}

const bearer = (key: string): string => `Bearer ${key}`
