// Says of a page how many rows of its list it has: "10 of 26, more to come".
import { isJsonObject } from '../contract/formats.ts'
import type { Outcome } from './outcome.ts'

/** A page of a list, as it was answered. */
export interface AnsweredPage {
  rows: number
  more: boolean
  /** @example '10 of 26, more to come' */
  text: string
}

/** Reads the body of an answer. Returns undefined if it is no page. */
export function readPage(body: unknown): AnsweredPage | undefined {
  if (!isJsonObject(body)) return undefined
  const { data, has_more: more, total } = body
  if (!Array.isArray(data) || typeof more !== 'boolean') return undefined
  const rows = data.length
  const shown = total === undefined ? `${rows} ${rows === 1 ? 'row' : 'rows'}` : `${rows} of ${String(total)}`
  return { rows, more, text: more ? `${shown}, more to come` : shown }
}

/** Reads an answer. Returns undefined if it is no page, or if only the beginning of its body is stored. */
export function pageOf({
  status,
  body,
  bodyBytes,
}: Pick<Outcome, 'status' | 'body' | 'bodyBytes'>): AnsweredPage | undefined {
  // Most answers are no page, and need no parsing.
  const isPage = status === 200 && typeof body === 'string' && body.includes('"has_more":')
  if (!isPage || bodyBytes !== undefined) return undefined
  try {
    return readPage(JSON.parse(body))
  } catch (error) {
    // A scenario may answer with anything.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
