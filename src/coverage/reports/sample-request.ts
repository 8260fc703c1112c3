// A sample request, and its form as a curl line to paste into a shell.
export interface SampleRequest {
  method: string
  /** The path with its query. */
  path: string
  /** `user:password` of HTTP Basic. */
  user?: string
  headers: Readonly<Record<string, string>>
  /** JSON. */
  body?: string
  /** The field of the answer whose last value is stored for later requests, which use it as `$TOKEN`. */
  keeps?: string
}

/** The shell variable that holds the stored value. */
export const tokenVariable = '$TOKEN'

/**
 * Formats a request as a shell line.
 *
 * @example
 * curlOf({ method: 'GET', path: '/v2/customers', user: 'sk_sandbox_full:', headers: {} }, 'http://localhost:4010')
 * // curl -i -u sk_sandbox_full: http://localhost:4010/v2/customers
 */
export function curlOf({ method, path, user, headers, body, keeps }: SampleRequest, origin: string): string {
  const words = ['curl', keeps === undefined ? '-i' : '-s']
  if (user !== undefined) words.push('-u', user)
  // With a body, curl sends POST by default.
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) words.push('-X', method)
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}: ${value}`)
  if (body !== undefined) words.push('-d', body)
  const line = [...words, origin + path].map(quoted).join(' ')
  if (keeps === undefined) return line
  return `TOKEN=$(${line} | sed 's/.*"${keeps}":"\\([^"]*\\)".*/\\1/')`
}

/** Quotes a word for a shell. A word with the stored value is in double quotes, so that the shell expands it. */
function quoted(word: string): string {
  if (/^[\w./:@%=,+~-]+$/.test(word)) return word
  if (word.includes(tokenVariable)) return `"${word.replaceAll(/(["\\`])/g, '\\$1')}"`
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
