// The text of a state document as YAML, in pieces, for people who go on by hand.
import { stringify } from 'yaml'

/** Texts are not folded: a diff shows the line that changed. */
const options = { lineWidth: 0 }

/**
 * The same document as `documentText` writes, as YAML: joined, the pieces are the whole of it. A list may be anything
 * that gives its rows.
 *
 * @example [...yamlDocument({ customers: [{ id: 'cus_1' }] })].join('')   // customers:\n  - id: cus_1\n
 */
export function* yamlDocument(document: Readonly<Record<string, unknown>>): Generator<string> {
  for (const [name, part] of Object.entries(document)) {
    if (part === undefined) continue
    if (isList(part)) yield* listText(name, part)
    else yield stringify({ [name]: part }, options)
  }
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function* listText(name: string, rows: Iterable<unknown>): Generator<string> {
  let isFirst = true
  for (const row of rows) {
    const text = stringify({ [name]: [row] }, options)
    yield isFirst ? text : text.slice(text.indexOf('\n') + 1)
    isFirst = false
  }
  if (isFirst) yield stringify({ [name]: [] }, options)
}
