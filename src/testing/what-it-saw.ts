// What stands under a failed test: the requests that its workspace saw, and why each was answered so.
import type { JournalEntry } from '../index.ts'
import { callOf, type Journaled } from './received-requests.ts'

/** How many requests are shown: enough for one test, and no flood for one that loops. */
const shownRequests = 30

/** Says what was seen while a test ran, for a test of this name. */
export type Saw = (test: string | undefined) => string

/**
 * Begins to watch the calls of one test.
 *
 * @param sandbox has the calls that reach no workspace, as their key is wrong, and those of workspace `default`, as their
 *   key names none: nobody knows of which test they are.
 * @example
 * const saw = watchCalls(sandbox, workspace)
 * // … the test …
 * saw('a client > finds a customer')
 * // What the sandbox saw in "a client > finds a customer" (workspace ws_4k2m):
 * //   req_ws_4k2m_1  GET /v2/custmers?limit=1  404  No endpoint is GET /v2/custmers; the nearest is GET /v2/customers: …
 */
export function watchCalls(sandbox: Journaled, workspace: Journaled): Saw {
  const newest = newestOf(sandbox)
  return (test) => {
    const meanwhile = callsAfter(sandbox, newest)
    return [
      `What the sandbox saw${test === undefined ? '' : ` in "${test}"`} (workspace ${workspace.name}):`,
      ...ownCalls(workspace),
      ...elsewhere(
        'Calls that reached no workspace meanwhile, by this test or by one beside it:',
        meanwhile.filter(({ key_id }) => key_id === null),
        sandbox,
      ),
      ...elsewhere(
        `Calls that reached workspace ${sandbox.name} meanwhile, by this test or by one beside it (use workspace.apiKey):`,
        meanwhile.filter(({ key_id }) => key_id !== null),
        sandbox,
      ),
    ].join('\n')
  }
}

/** The id of the newest call; undefined without one. */
export function newestOf({ requests }: Journaled): string | undefined {
  return requests.list({ limit: 1 })[0]?.id
}

/** What a sandbox saw during a test without a workspace; undefined where it saw nothing. @param newest the call before it. */
export function sharedCalls(
  sandbox: Journaled,
  newest: string | undefined,
  test: string | undefined,
): string | undefined {
  const calls = callsAfter(sandbox, newest)
  if (calls.length === 0) return undefined
  const head = `What the sandbox saw${test === undefined ? '' : ` during "${test}"`} (workspace ${sandbox.name}), by this test or by one beside it:`
  return [head, ...tableOf(calls, sandbox, 0)].join('\n')
}

/** Those that came after the one of this id, newest first. */
function callsAfter({ requests }: Journaled, id: string | undefined): JournalEntry[] {
  const all = requests.list()
  const end = all.findIndex((entry) => entry.id === id)
  return end === -1 ? all : all.slice(0, end)
}

function ownCalls(workspace: Journaled): string[] {
  const entries = workspace.requests.list()
  if (entries.length === 0)
    return ['  nothing. Only calls with the key of the workspace (workspace.apiKey) are in it.']
  const idle = idleScenarios(entries, workspace)
  return [
    ...tableOf(entries, workspace, workspace.requests.dropped),
    ...(idle.length === 0 ? [] : [`Scenarios that were active and never acted: ${idle.join(', ')}.`]),
  ]
}

/** The scenarios that were active for a call, and acted on none. */
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

/** Oldest first. @param dropped how many more there were. */
function tableOf(newest: readonly JournalEntry[], { requests }: Journaled, dropped: number): string[] {
  const shown = newest.slice(0, shownRequests).toReversed()
  const older = newest.length - shown.length + dropped
  const rows = shown.map((entry) => {
    const { id, status, outcome } = entry
    const why = outcome === 'success' ? outcome : (requests.explain(id)?.summary ?? outcome)
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

/** What a runner prints of an error. */
interface ErrorText {
  message: string
  stack?: string
}

/**
 * Lets the stack of an error end with the calls, as every runner and report shows it. Its message stays as it is.
 *
 * @returns the same error; for a value that is none, an error of it.
 */
export function withCalls(thrown: unknown, calls: string): unknown {
  const error = isError(thrown) ? thrown : new Error(String(thrown), { cause: thrown })
  // It fails where the error is frozen, which then stays as it is.
  Reflect.set(error, 'stack', `${error.stack ?? error.message}\n\n${calls}`)
  return error
}

/** By its fields, as the errors of a runner may come from another realm, or be plain copies. */
function isError(thrown: unknown): thrown is ErrorText {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown
}
