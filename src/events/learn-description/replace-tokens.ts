// Replaces values within a text by placeholders.

/** A value and its placeholder; undefined is no value. */
export type Replacement = readonly [value: string | undefined, placeholder: string]

/**
 * Replaces values that are whole words of a text. A value that could be a word by chance, such as `12`, is replaced only
 * if it is the whole text.
 *
 * @example replaceTokens('t=1795262400,v1=ab', [['1795262400', '{attempt.time:unix}']])   // 't={attempt.time:unix},v1=ab'
 */
export function replaceTokens(text: string, replacements: readonly Replacement[]): string {
  const known = new Map<string, string>()
  for (const [value, placeholder] of replacements)
    if (value !== undefined && !known.has(value)) known.set(value, placeholder)
  const whole = known.get(text)
  if (whole !== undefined) return whole
  const values = [...known.keys()]
    .filter((value) => value.length >= 5 && /\d|[._-]/.test(value))
    .toSorted((a, b) => b.length - a.length)
  if (values.length === 0) return text
  const words = new RegExp(`(?<!\\w)(?:${values.map(escaped).join('|')})(?!\\w)`, 'g')
  return text.replaceAll(words, (value) => known.get(value) ?? value)
}

const escaped = (value: string): string => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
