// Shortens long values for evidence.

/** Maximum stored size of a body: more of it shows nothing more, and a calibrated file is read at every start. */
const kept = { items: 3, fields: 40, characters: 300, depth: 8 }

/** The mark in place of the removed part. */
const marks = /(?:… |^)(?:and \d+ more|\(\d+ characters\)|\(nested deeper\))$/

/** Returns a shortened text without its mark, whose number is ours. */
export const withoutMarks = (text: string): string => text.replace(marks, '')

/** Shortens long values in a body whose secrets are hidden, each with the size of the removed part. */
export function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return value.length > kept.characters ? `${value.slice(0, 100)}… (${value.length} characters)` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === kept.depth) return '… (nested deeper)'
  if (Array.isArray(value)) {
    const items = value.slice(0, kept.items).map((item) => shortened(item, depth + 1))
    return value.length > kept.items ? [...items, `… and ${value.length - kept.items} more`] : items
  }
  const fields = Object.entries(value)
  const shown = fields
    .slice(0, kept.fields)
    .map(([name, inner]) => [shortened(name), shortened(inner, depth + 1)])
  const more = fields.length - kept.fields
  return Object.fromEntries(more > 0 ? [...shown, ['…', `and ${more} more`]] : shown)
}
