// The requests to paste of a coverage report, with keys that lead to the workspace that is shown.

/** The suffix of each key, such as `.w3`. @param home the key of the default workspace. @param key the key of this one. */
export function suffixOf(home: string | null | undefined, key: string | null | undefined): string {
  return home && key?.startsWith(home) ? key.slice(home.length) : ''
}

/** A row of `api_keys`, as far as it is pasted. */
export interface OwnKey {
  id: string
  api_key: string
  secret: string
}

/**
 * A request with its keys in another workspace.
 * @param own the rows of a workspace whose keys are others than those of the built-in rows of the same ids.
 * @example withKeysOf('.w3', 'curl -u sk_sandbox_full: …')   // 'curl -u sk_sandbox_full.w3: …'
 */
export function withKeysOf(suffix: string, request: string, own: readonly OwnKey[] = []): string {
  const inOwn = (_all: string, before: string, key: string, secret = ''): string => {
    const row = own.find(({ id }) => id === key.replace(/^sk_(sandbox_)?/, 'key_'))
    // A shell parses pasted text, and rows may contain any text.
    if (!row || /\W/.test(row.api_key + row.secret)) return before + key + suffix + secret
    return before + (secret === '' ? row.api_key + suffix : `${key}${suffix}:${row.secret}`)
  }
  return request.replaceAll(/(-u |: Bearer )(\w+)(:\w+)?/g, inOwn)
}
