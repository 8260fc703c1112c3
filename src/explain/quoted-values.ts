// Values of clients in sentences: quoted, on one line, shortened.
import { stringify } from '../json/stringify.ts'
import type { CollectionName } from '../store/rows.ts'

/**
 * Returns a value of a client in quotes, on one line. `cut` shortens it after secrets are hidden: half a secret could
 * not be recognized.
 */
export function quoted(text: string): string {
  return `'${onOneLine(text)}'`
}

/** Returns a text of a client for a line. */
export function onOneLine(text: string): string {
  return text.replace(/[^\x20-\x7e…]/g, '?')
}

/** Returns `a, b and c`; `none` for an empty list. */
export function listed(words: readonly string[]): string {
  if (words.length === 0) return 'none'
  const last = words.at(-1) ?? ''
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** Returns the noun for one row of a collection: `payment method`. */
export function rowName(collection: CollectionName): string {
  return collection.replaceAll('_', ' ').replace(/s$/, '')
}

/** Returns a value as JSON, on one line; a text is returned unchanged. */
export function jsonText(value: unknown): string {
  return onOneLine(typeof value === 'string' ? value : value === undefined ? 'nothing' : stringify(value))
}

const longestWord = 100
const longestText = 1_000

/** Shortens a text of a client. */
export function cut(text: string): string {
  const words = text.replace(/\S{101,}/g, (word) => `${word.slice(0, longestWord)}…${endOf(word)}`)
  return words.length > longestText ? `${words.slice(0, longestText - 1)}…` : words
}

/** The quote and the punctuation after it, which belong to the sentence. */
function endOf(word: string): string {
  return /['"]?[;:,.]?$/.exec(word)?.[0] ?? ''
}
