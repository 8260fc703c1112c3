// The requests to paste of a coverage report, with keys that lead to the workspace that is shown.

/** What stands after each key, such as `.w3`. @param home the key of the default workspace. @param key that of this one. */
export function suffixOf(home: string | null | undefined, key: string | null | undefined): string {
  return home && key?.startsWith(home) ? key.slice(home.length) : ''
}

/**
 * A request with its keys in another workspace.
 * @example withKeysOf('.w3', 'curl -u sk_sandbox_full: …')   // 'curl -u sk_sandbox_full.w3: …'
 */
export function withKeysOf(suffix: string, request: string): string {
  return request.replaceAll(
    /(-u |: Bearer )(\w+)/g,
    (_all, before: string, key: string) => before + key + suffix,
  )
}
