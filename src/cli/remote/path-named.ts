import { isJsonObject } from '../../contract/formats.ts'
import type { Path } from '../../reading/json-text.ts'
import { printable } from '../../reading/problems.ts'

/**
 * The path that `pathName` wrote as this text, as far as the document has it. Names of fields may hold dots and
 * brackets, so the document decides which part is a name.
 *
 * @example pathNamed({ customers: [{}] }, 'customers[0].first_name')   // ['customers', 0]
 */
export function pathNamed(document: unknown, text: string): Path {
  return follow(document, text === '' || text.startsWith('[') ? text : `.${text}`).path
}

/** How far a text leads into a value, and how much of it is left there. */
function follow(value: unknown, text: string): { path: (string | number)[]; left: number } {
  let best: { path: (string | number)[]; left: number } = { path: [], left: text.length }
  for (const [part, inner, written] of stepsOf(value, text)) {
    const { path, left } = follow(inner, text.slice(written.length))
    if (left < best.left) best = { path: [part, ...path], left }
  }
  return best
}

/** The members of a value with which the text may go on, each as it is written. */
function stepsOf(value: unknown, text: string): [string | number, unknown, string][] {
  if (Array.isArray(value)) {
    const [written, digits] = /^\[(\d+)\]/.exec(text) ?? []
    const place = Number(digits)
    return written === undefined || place >= value.length ? [] : [[place, value[place], written]]
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value)
    .map(([key, inner]): [string, unknown, string] => [key, inner, `.${printable(key)}`])
    .filter(([, , written]) => text.startsWith(written) && /^(?:$|[.[])/.test(text.slice(written.length)))
}
