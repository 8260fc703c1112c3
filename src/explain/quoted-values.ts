// Values of clients as they may stand in a sentence: quoted, on one line, cut.
import { stringify } from '../json/stringify.ts'
import type { CollectionName } from '../store/rows.ts'

/** A value of a client in a sentence. Long ones are cut once they are masked: half a secret could not be. */
export function quoted(text: string): string {
  return `'${onOneLine(text)}'`
}

/** What comes from a client, as it may stand in a line. */
export function onOneLine(text: string): string {
  return text.replace(/[^\x20-\x7e…]/g, '?')
}

/** `a, b and c`; `none` where there is none. */
export function listed(words: readonly string[]): string {
  if (words.length === 0) return 'none'
  const last = words.at(-1) ?? ''
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** What one row of a collection is called: `payment method`. */
export function rowName(collection: CollectionName): string {
  return collection.replaceAll('_', ' ').replace(/s$/, '')
}

/** A value as JSON, on one line; a text stands for itself. */
export function jsonText(value: unknown): string {
  return onOneLine(typeof value === 'string' ? value : value === undefined ? 'nothing' : stringify(value))
}

const longestWord = 100
const longestText = 1_000

/** Cuts what a client made too long to be read. */
export function cut(text: string): string {
  const words = text.replace(/\S{101,}/g, (word) => `${word.slice(0, longestWord)}…${endOf(word)}`)
  return words.length > longestText ? `${words.slice(0, longestText - 1)}…` : words
}

/** The quote and the signs after it, which belong to the sentence. */
function endOf(word: string): string {
  return /['"]?[;:,.]?$/.exec(word)?.[0] ?? ''
}
