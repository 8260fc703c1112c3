// The lines of two answers to compare: without values that differ in each answer, such as the date.
import { headerLines, shownBody } from './edited-call.ts'

/** Headers that are others in each answer. */
export const notCompared = ['date', 'x-sandbox-request-id'] as const

/** The other headers, by name. @example comparedHeaders({ date: '…', etag: '"1"' })   // ['etag: "1"'] */
export function comparedHeaders(headers: Readonly<Record<string, string | string[]>>): string[] {
  const left = Object.entries(headers).filter(([name]) => !notCompared.some((each) => each === name))
  return headerLines(Object.fromEntries(left)).toSorted()
}

/** A body, line by line; of none there are none. */
export function comparedBody(body: unknown): string[] {
  return body === null || body === undefined ? [] : shownBody(body).split('\n')
}

/** A line of JSON is the same one where it is the last of its object. */
export function withoutComma(line: string): string {
  return line.endsWith(',') ? line.slice(0, -1) : line
}
