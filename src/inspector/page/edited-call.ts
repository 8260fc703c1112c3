// The edit form of a replay: the fields of a call, and the edits that a replay takes.
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../json/parse-exact.ts'
import type { JournalEntry } from '../../journal/entry.ts'

/** The fields of the form. */
export interface CallForm {
  method: string
  /** With the query. */
  path: string
  /** One a line, such as `content-type: application/json`. */
  headers: string
  body: string
}

/** The edits of a replay. Unedited parts are omitted, so that the replay sends their hidden values. */
export interface CallEdits {
  method?: string
  path?: string
  headers?: Record<string, string | null>
  body?: unknown
}

export function formOf({ method, path, query, request }: JournalEntry): CallForm {
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: headerLines(request.headers).join('\n'),
    body: shownBody(request.body),
  }
}

/** @throws {Error} for a line of the headers that is none. */
export function editsOf(before: CallForm, after: CallForm): CallEdits {
  const edits: CallEdits = {}
  const method = after.method.trim().toUpperCase()
  if (method !== before.method) edits.method = method
  const path = after.path.trim()
  if (path !== before.path) edits.path = path
  const [sent, edited] = [readHeaders(before.headers), readHeaders(after.headers)]
  const headers = new Map<string, string | null>()
  for (const name of sent.keys()) if (!edited.has(name)) headers.set(name, null)
  for (const [name, value] of edited) if (sent.get(name) !== value) headers.set(name, value)
  if (headers.size > 0) edits.headers = Object.fromEntries(headers)
  // A text field gives every line end as one character.
  if (after.body.replaceAll('\r\n', '\n') !== before.body.replaceAll('\r\n', '\n')) {
    edits.body = after.body === '' ? null : sentBody(after.body, edited.has('content-type'))
  }
  return edits
}

/** Headers as lines; one that was sent several times has so many. */
export function headerLines(headers: Readonly<Record<string, string | string[]>>): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  )
}

/** A body as people read it. */
export function shownBody(body: unknown): string {
  if (body === null || body === undefined) return ''
  return typeof body === 'string' ? body : stringify(body, 2)
}

/** The typed text; as JSON if its type would be lost otherwise. */
function sentBody(text: string, hasType: boolean): unknown {
  if (hasType) return text
  try {
    return parseExact(text, true)
  } catch {
    return text
  }
}

function readHeaders(text: string): Map<string, string> {
  const read = new Map<string, string>()
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [, name = '', value = ''] = /^\s*([^\s:]+)\s*:(.*)$/.exec(line) ?? []
    if (name === '')
      throw new Error(`Headers, line ${at + 1}: expected “name: value”, found “${line.slice(0, 80)}”.`)
    const key = name.toLowerCase()
    const before = read.get(key)
    read.set(key, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  return read
}
