// What is printed beside a failed test: the requests that its workspace saw, and why each was answered so.
import type { Journaled } from './received-requests.ts'

/** How many requests are shown: enough for one test, and no flood for one that loops. */
const shownRequests = 30

/**
 * What a workspace was asked, how it answered and why, oldest first, as a table; shown when a test fails.
 *
 * @example
 * whatItSaw(workspace)
 * // What the sandbox saw (workspace ws_4k2m):
 * //   req_ws_4k2m_1  GET /v2/custmers  404  No endpoint is GET /v2/custmers; the nearest is GET /v2/customers: …
 */
export function whatItSaw({ name, requests }: Journaled): string {
  const newest = requests.list()
  const head = `What the sandbox saw (workspace ${name}):`
  if (newest.length === 0) {
    return `${head}\n  nothing. Only calls with the key of the workspace (workspace.apiKey) are in it.`
  }
  const shown = newest.slice(0, shownRequests).toReversed()
  const older = newest.length - shown.length + requests.dropped
  const rows = shown.map((entry) => {
    const { id, method, path, status, outcome } = entry
    const why = outcome === 'success' ? outcome : (requests.explain(id)?.summary ?? outcome)
    return [id, `${method} ${path}`, outcome === 'fault' ? 'lost' : String(status), why]
  })
  return [head, ...(older > 0 ? [`  … ${older} older`] : []), ...aligned(rows)].join('\n')
}

/** Prints it beside a failed test. Runners show what a test writes together with the test. */
export function printFailure(workspace: Journaled): void {
  // oxlint-disable-next-line no-console -- this runs in the process of a test, whose console the runner collects
  console.error(whatItSaw(workspace))
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  )
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}
