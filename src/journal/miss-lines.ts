// The nearest requests of a failed `verify`, as lines for people: each with the positions in which it differs.
import { stringify } from '../json/stringify.ts'
import type { NearMiss } from './verify.ts'

/** Returns a line for the request, and one for each difference. */
export function missLines({ id, method, path, operation, status, differs }: NearMiss): string[] {
  const head = `  ${id} ${method} ${path} ${status ?? 'lost'}${operation === null ? '' : ` ${operation}`}`
  const lines = differs.map(({ at, expected, actual }) => {
    const was = actual === undefined ? 'there was none' : `it was ${stringify(actual)}`
    return `    ${at}: expected ${stringify(expected)}, ${was}`
  })
  return [head, ...lines]
}
