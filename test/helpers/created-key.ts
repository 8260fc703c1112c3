// The id, the secret and the scopes of a created key, which only the state of its workspace shows by default.

export interface CreatedKey {
  /** The id and the key have the suffix of their workspace. */
  id: string
  key: string
  secret: string
  scopes: readonly string[]
}

interface KeyRow {
  id: string
  secret: string
  api_key: string
  scopes: readonly string[]
}

/**
 * Returns the parts of a key.
 * @param rows the rows of the collection `api_keys`, in the workspace that created the key.
 */
export function createdKey(rows: readonly unknown[], key: string): CreatedKey {
  const [token, ...suffix] = key.split('.')
  const row = (rows as readonly KeyRow[]).find(({ api_key }) => api_key === token)
  if (!row) throw new Error(`No row has the key ${key}`)
  return { id: [row.id, ...suffix].join('.'), key, secret: row.secret, scopes: row.scopes }
}
