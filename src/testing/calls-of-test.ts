// The text below a failed test: the calls to its workspace, their answers, and the reasons of the answers.
import { readPage } from '../call/page-text.ts'
import type { JournalEntry } from '../index.ts'
import { callOf, type Journaled } from './received-requests.ts'

/** The maximum number of requests in the text: enough for one test, and few enough for a test that loops. */
const shownRequests = 30

/** Returns the text about the calls of a test of this name. */
export type DescribeCalls = (test: string | undefined) => string

/**
 * Starts to watch the calls of one test.
 *
 * @param sandbox its journal has the calls with a wrong key, which reach no workspace, and those of workspace
 * `default`, whose key names no workspace. It does not know which test made them.
 * @example
 * const saw = watchCalls(sandbox, workspace)
 * // … the test …
 * saw('a client > finds a customer')
 * // Calls to the sandbox in "a client > finds a customer" (workspace ws_4k2m):
 * //   req_ws_4k2m_1  GET /v2/custmers?limit=1  404  No endpoint is GET /v2/custmers; the nearest is GET /v2/customers: …
 */
export function watchCalls(sandbox: Journaled, workspace: Journaled): DescribeCalls {
  const newest = newestOf(sandbox)
  return (test) => {
    const meanwhile = callsAfter(sandbox, newest)
    return [
      `What the sandbox saw${test === undefined ? '' : ` in "${test}"`} (workspace ${workspace.name}):`,
      ...ownCalls(workspace),
      ...elsewhere(
        'Calls that reached no workspace, made by this test or a concurrent one:',
        meanwhile.filter(({ key_id }) => key_id === null),
        sandbox,
      ),
      ...elsewhere(
        `Calls that reached workspace ${sandbox.name}, made by this test or a concurrent one (use workspace.apiKey):`,
        meanwhile.filter(({ key_id }) => key_id !== null),
        sandbox,
      ),
    ].join('\n')
  }
}

/** Returns the id of the newest call; undefined if there is none. */
export function newestOf({ requests }: Journaled): string | undefined {
  return requests.list({ limit: 1 })[0]?.id
}

/**
 * Returns the text about the calls to a sandbox during a test without a workspace; undefined if there are none.
 * @param newest the id of the last call before the test.
 */
export function sharedCalls(
  sandbox: Journaled,
  newest: string | undefined,
  test: string | undefined,
): string | undefined {
  const calls = callsAfter(sandbox, newest)
  if (calls.length === 0) return undefined
  const head = `What the sandbox saw${test === undefined ? '' : ` during "${test}"`} (workspace ${sandbox.name}), made by this test or a concurrent one:`
  return [head, ...tableOf(calls, sandbox, 0)].join('\n')
}

/** Returns the calls after the call of this id, newest first. */
function callsAfter({ requests }: Journaled, id: string | undefined): JournalEntry[] {
  const all = requests.list()
  const end = all.findIndex((entry) => entry.id === id)
  return end === -1 ? all : all.slice(0, end)
}

function ownCalls(workspace: Journaled): string[] {
  const entries = workspace.requests.list()
  if (entries.length === 0)
    return ['  nothing. It sees only calls with the key of the workspace (workspace.apiKey).']
  const idle = idleScenarios(entries, workspace)
  return [
    ...tableOf(entries, workspace, workspace.requests.dropped),
    ...(idle.length === 0 ? [] : [`Active scenarios that never acted: ${idle.join(', ')}.`]),
  ]
}

/** Returns the scenarios that were active for a call, and acted on none. */
function idleScenarios(entries: readonly JournalEntry[], { requests }: Journaled): string[] {
  const active = new Set<string>()
  const acted = new Set(
    entries.flatMap(({ scenario_rules: rules }) => rules.map((rule) => rule.split('#')[0])),
  )
  for (const { id } of entries.slice(0, shownRequests)) {
    const facts = requests.explain(id)?.sections.find(({ about }) => about === 'scenarios')?.facts ?? []
    for (const { name, value } of facts) {
      if (name === 'active' && Array.isArray(value)) for (const scenario of value) active.add(scenario)
    }
  }
  return [...active].filter((name) => !acted.has(name))
}

function elsewhere(head: string, calls: readonly JournalEntry[], sandbox: Journaled): string[] {
  return calls.length === 0 ? [] : [head, ...tableOf(calls, sandbox, 0)]
}

/** Formats the calls as a table, oldest first. @param dropped the number of older calls that the journal dropped. */
function tableOf(newest: readonly JournalEntry[], { requests }: Journaled, dropped: number): string[] {
  const shown = newest.slice(0, shownRequests).toReversed()
  const older = newest.length - shown.length + dropped
  const rows = shown.map((entry) => {
    const { id, status, outcome } = entry
    const page = readPage(entry.response.body)
    const success = page ? `${outcome}: ${page.text}` : outcome
    const why = outcome === 'success' ? success : (requests.explain(id)?.summary ?? outcome)
    return [id, callOf(entry), String(status ?? 'lost'), why]
  })
  return [...(older > 0 ? [`  … ${older} older`] : []), ...aligned(rows)]
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

/** The fields of an error that a runner prints. */
interface ErrorText {
  message: string
  stack?: string
}

/**
 * Appends the calls to the stack of an error, as every runner and report shows the stack. Its message does not change.
 *
 * @returns the same error, or a new one for a value that is not an error.
 */
export function withCalls(thrown: unknown, calls: string): unknown {
  const error = isError(thrown) ? thrown : new Error(String(thrown), { cause: thrown })
  // This has no effect on a frozen error.
  Reflect.set(error, 'stack', `${error.stack ?? error.message}\n\n${calls}`)
  return error
}

/**
 * Whether a value is an error, by its fields: the errors of a runner may come from another realm or be plain copies.
 */
function isError(thrown: unknown): thrown is ErrorText {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown
}
