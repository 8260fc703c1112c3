// Writes a call as a line of curl for a POSIX shell, with `$SANDBOX_API_KEY` in place of the key.
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { sentAgain } from './sent-again.ts'

/**
 * @param address of the sandbox, without a slash at its end.
 * @example asCurl(entry, 'http://localhost:4010')
 * // curl -i \
 * //   -H "Authorization: Bearer $SANDBOX_API_KEY" \
 * //   http://localhost:4010/v2/rewards/rwd_ada_pending
 */
export function asCurl(entry: ExplainedEntry, address: string): string {
  const { method, target, headers, credential, body } = sentAgain(entry)
  const words = ['curl -i']
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${quoted(method)}`)
  if (credential === 'bearer') words.push('-H "Authorization: Bearer $SANDBOX_API_KEY"')
  if (credential === 'basic') words.push('-u "$SANDBOX_API_KEY:"')
  for (const [name, value] of headers) {
    // A header without a value ends in a semicolon, as one that ends in a colon is left out.
    words.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  }
  if (body !== undefined) {
    // Else curl would call it a form.
    if (!headers.some(([name]) => name === 'content-type')) words.push("-H 'content-type:'")
    // With `--data`, a value that begins with @ would name a file.
    words.push(`--data-raw ${quoted(body.json === undefined ? body.text : printableJson(body.text))}`)
  }
  // Otherwise curl would interpret both.
  if (/[[\]{}]/.test(target)) words.push('--globoff')
  if (/(^|\/)\.\.?(\/|\?|$)/.test(target)) words.push('--path-as-is')
  return [...words, quoted(address + target)].join(' \\\n  ')
}

/** JSON that survives being pasted into a terminal, where control characters are keys that are pressed. */
function printableJson(text: string): string {
  return text.replaceAll(/[\x7f-\x9f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  if (/^[\w./:@%=,+~-]+$/.test(word)) return word
  // Control characters do not survive being pasted; `$'…'` is of bash, zsh, ksh and POSIX 2024.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\x00-\x09\x0b-\x1f\x7f]/.test(word)) return `$'${word.replaceAll(/[\\'\n\x00-\x1f\x7f]/g, escaped)}'`
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function escaped(character: string): string {
  if (character === '\\' || character === "'") return `\\${character}`
  // Three octal digits: with more than two hexadecimal ones some shells would read on.
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
}
