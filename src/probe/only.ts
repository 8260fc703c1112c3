// Selects by `only`: ids and prefixes of them, up to a slash.
import { didYouMean } from '../input/did-you-mean.ts'
import { OptionsError } from '../options/read-options.ts'
import { printable } from '../input/problems.ts'

/** @throws {OptionsError} for anything but a list of texts, which types do not prevent in JavaScript. */
export function requireList(option: string, words: unknown): void {
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return
  throw new OptionsError(`${option}: must be a list of texts`)
}

const pages = { point: 'docs/contract-points.md', assumption: 'docs/assumptions.md' }

/**
 * Returns the selected items; all without words.
 * @param kind the noun for the ids, for the message.
 * @throws {OptionsError} for a word that selects nothing, with a suggestion.
 * @example chosen(checks, ['searchCustomers', 'listStatements/page'], 'point')
 */
export function chosen<T extends { readonly id: string }>(
  all: readonly T[],
  words: readonly string[] = [],
  kind: keyof typeof pages,
): T[] {
  requireList('only', words)
  const isMeant = (id: string, word: string): boolean => id === word || id.startsWith(`${word}/`)
  const unknown = words.find((word) => !all.some(({ id }) => isMeant(id, word)))
  if (unknown !== undefined) {
    const known = all.flatMap(({ id }) =>
      id.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/')),
    )
    const hint = didYouMean(unknown, [...new Set(known)], `: ${pages[kind]} lists the ${kind}s`)
    const message = `unknown ${kind} '${printable(unknown)}'${hint}`
    throw new OptionsError(`--only: ${message}`)
  }
  return words.length === 0 ? [...all] : all.filter(({ id }) => words.some((word) => isMeant(id, word)))
}
