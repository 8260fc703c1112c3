// The parts of a journal entry that a repeated call sends: without headers that clients add, and without secrets.
import type { ExplanationFact } from '../../../explain/explanation.ts'
import { stringify } from '../../../json/stringify.ts'
import type { ExplainedEntry } from '../../../operations/requests.ts'

/** A call as another client can send it. */
export interface SentAgain {
  method: string
  /** Path and query, encoded as in an address. */
  target: string
  /** Headers without the credential; a repeated header is repeated here. */
  headers: readonly (readonly [string, string])[]
  /** How the key was sent; undefined where none was. */
  credential: 'basic' | 'bearer' | undefined
  /** Undefined where none was sent. */
  body: SentBody | undefined
}

export interface SentBody {
  text: string
  /** The value as JSON; undefined for a text. */
  json: unknown
}

/** Headers that clients add by themselves. */
const ownHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|expect|user-agent|accept-encoding|sec-fetch-.*|te|upgrade|authorization)$/i

export function sentAgain(entry: ExplainedEntry): SentAgain {
  const { method, path, query, request } = entry
  const { authorization, ...others } = request.headers
  const headers = Object.entries(others)
    .filter(([name]) => !ownHeaders.test(name))
    .flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const))
    .filter(([name, value]) => !(value === '*/*' && name === 'accept'))
    .filter(([name, value]) => !(value === '*' && name === 'accept-language'))
  const credential = isBasic(entry) ? 'basic' : 'bearer'
  return {
    method,
    target: encoded(path) + (query === '' ? '' : `?${encoded(query)}`),
    headers,
    credential: authorization === undefined ? undefined : credential,
    body: bodyOf(request.body),
  }
}

/** The headers by their names: values of one name are joined as HTTP joins them. */
export function joinedHeaders({ headers }: SentAgain): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of headers) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return values
}

/** One fact of an explanation. @example factOf(entry, 'connection', 'fault')?.value */
export function factOf(entry: ExplainedEntry, about: string, name: string): ExplanationFact | undefined {
  const section = entry.explanation.sections.find((one) => one.about === about)
  return section?.facts.find((fact) => fact.name === name)
}

function isBasic(entry: ExplainedEntry): boolean {
  return factOf(entry, 'key', 'key')?.note?.startsWith('sent as Basic') ?? false
}

function bodyOf(body: unknown): SentBody | undefined {
  if (body === null || body === undefined) return undefined
  return typeof body === 'string' ? { text: body, json: undefined } : { text: stringify(body), json: body }
}

/** A masked part of a path is shown decoded, so that it may hold characters that an address cannot. */
function encoded(text: string): string {
  const whole = text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
  return whole.replaceAll(/[^\x21-\x7e]|[<>"]/gu, encodeURIComponent).replaceAll('#', '%23')
}
