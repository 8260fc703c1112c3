// A sample request, and how it is written as a curl line to paste into a shell.
export interface SampleRequest {
  method: string
  /** With the query. */
  path: string
  /** `user:password` of HTTP Basic. */
  user?: string
  headers: Readonly<Record<string, string>>
  /** JSON. */
  body?: string
  /** Keeps the last value of a field of the answer, which later requests name as `$TOKEN`. */
  keeps?: string
}

/** What later requests call a value that was kept. */
export const keptName = '$TOKEN'

/**
 * A request as a line for a shell.
 *
 * @example curlOf({ method: 'GET', path: '/v2/customers', user: 'sk_sandbox_full:', headers: {} }, 'http://localhost:4010')
 * // curl -i -u sk_sandbox_full: http://localhost:4010/v2/customers
 */
export function curlOf({ method, path, user, headers, body, keeps }: SampleRequest, origin: string): string {
  const words = ['curl', keeps === undefined ? '-i' : '-s']
  if (user !== undefined) words.push('-u', user)
  // A body makes it a POST.
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) words.push('-X', method)
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}: ${value}`)
  if (body !== undefined) words.push('-d', body)
  const line = [...words, origin + path].map(quoted).join(' ')
  if (keeps === undefined) return line
  return `TOKEN=$(${line} | sed 's/.*"${keeps}":"\\([^"]*\\)".*/\\1/')`
}

/** A word as a shell takes it; what was kept must be filled in, so it stands in double quotes. */
function quoted(word: string): string {
  if (/^[\w./:@%=,+~-]+$/.test(word)) return word
  if (word.includes(keptName)) return `"${word.replaceAll(/(["\\`])/g, '\\$1')}"`
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
