// The data within a trace: the answers of the sandbox when the trace was written.
import type { CoveredPoint } from '../../coverage/reports/coverage-report.ts'
import { hasFields, hasText, paged } from '../../journal/match-entry.ts'
import { parseExact } from '../../json/parse-exact.ts'
import type { Trace, TracedCall, TracedWorkspace } from '../trace.ts'
import { groupsOf } from './run-groups.ts'
import { Refused, type ControlRequest, type Source } from './source.ts'

type Query = Readonly<Record<string, string | number | undefined>>

/** @param text the JSON of a trace. */
export function traceSource(text: string): Source {
  const trace = parseExact(text, true) as Trace
  return {
    isLive: false,
    ...(trace.tests && { run: groupsOf(trace) }),
    about: aboutOf(trace),
    home: homeOf(trace),
    async ask<T>(method: string, path: string, { workspace, query = {} }: ControlRequest = {}): Promise<T> {
      if (method !== 'GET') throw new Refused(405, 'A trace is read-only.')
      return answerOf(trace, path, workspace ?? homeOf(trace), query) as T
    },
    follow: () => () => undefined,
  }
}

function homeOf({ workspaces }: Trace): string {
  return workspaces[0]?.name ?? 'default'
}

function aboutOf({ workspaces, dropped: before = 0, package: name, version }: Trace): string {
  const calls = workspaces.reduce((sum, { requests }) => sum + requests.length, 0)
  const dropped = workspaces.reduce((sum, each) => sum + each.dropped, before)
  const older = dropped === 0 ? '' : ` ${dropped} older calls were omitted.`
  return `A trace of ${calls} calls, written by ${name} ${version}. A recording; no sandbox is running.${older}`
}

/** The answer to `GET`. @throws {Refused} if the trace does not have it. */
export function answerOf(trace: Trace, path: string, name: string, query: Query): unknown {
  const [noun, ...parts] = path.slice(1).split('/').map(decodeURIComponent)
  const workspace = trace.workspaces.find((each) => each.name === name)
  switch (noun) {
    case 'requests':
      // A link names the call alone, whichever workspace it came to.
      if (parts[0] !== undefined) return callOf(trace, parts[0])
      break
    case 'workspaces':
      return { workspaces: trace.workspaces.map(viewOf) }
    case 'assumptions':
      return assumptionsOf(trace, workspace, parts[0])
    case 'coverage':
      return trace.coverage
    case 'contract':
      return { points: trace.coverage.points satisfies CoveredPoint[] }
  }
  if (!workspace) throw new Refused(404, `The trace has no workspace '${name}'.`)
  switch (noun) {
    case 'requests':
      return requestsOf(workspace, query)
    case 'timeline':
      return { timeline: workspace.timeline }
    case 'state':
      return stateOf(workspace, query, parts)
    case 'scenarios':
      return scenariosOf(workspace, parts[0])
    case 'snapshots':
      return { snapshots: [] }
    case 'clock':
      return remainsOf(workspace).clock
    case 'differences':
      return remainsOf(workspace).differences
  }
  throw new Refused(404, 'A trace does not contain this.')
}

function viewOf({ name, remains }: TracedWorkspace): object {
  return { name, api_key: null, created_at: remains?.created_at ?? null }
}

function assumptionsOf(trace: Trace, workspace: TracedWorkspace | undefined, id?: string): unknown {
  const assumptions = trace.assumptions.map((assumption) => ({
    ...assumption,
    used: workspace?.requests.filter((call) => call.assumptions.includes(assumption.id)).length ?? 0,
  }))
  if (id === undefined) return { assumptions }
  return found(
    assumptions.find((assumption) => assumption.id === id),
    `assumption '${id}'`,
  )
}

function callOf({ workspaces }: Trace, id: string): TracedCall {
  return found(
    workspaces.flatMap(({ requests }) => requests).find((call) => call.id === id),
    `request '${id}': it was omitted to limit the size of the trace`,
  )
}

function requestsOf({ requests, dropped }: TracedWorkspace, query: Query): unknown {
  const text = (name: string): string | undefined => String(query[name] ?? '') || undefined
  const [sought, limit] = [text('text'), text('limit')]
  const fields = {
    operation: text('operation'),
    status: text('status'),
    outcome: text('outcome'),
    test: text('test'),
  }
  const fits = (call: TracedCall): boolean =>
    hasFields(call, fields) &&
    (sought === undefined || hasText(call, [call.request.body, call.response.body], sought))
  const page = { before: text('before'), limit: limit === undefined ? undefined : Number(limit) }
  const matching = paged(requests, ({ id: own, at }) => ({ id: own, at: Date.parse(at) }), page, fits)
  return { requests: matching, dropped }
}

function stateOf(workspace: TracedWorkspace, query: Query, [collection, id]: readonly string[]): unknown {
  const { counts, rows } = remainsOf(workspace)
  if (collection === undefined) return query['counts'] === undefined ? rows : { counts }
  const all = found(rows[collection], `collection '${collection}'`)
  if (collection === 'account') return all[0]
  if (collection === 'stubs') return { stubs: all }
  if (id !== undefined)
    return found(
      all.find((row) => idOf(row) === id),
      `row '${id}': it did not exist, or was omitted to limit the size of the trace`,
    )
  const { after = '', id_prefix: prefix = '', limit = all.length } = query
  const page = all.filter((row) => idOf(row) > String(after) && idOf(row).startsWith(String(prefix)))
  return { [collection]: page.slice(0, Number(limit)) }
}

/** A row is known by its field `id`, or by the first that is one. */
function idOf(row: object): string {
  const [id] = 'id' in row ? [row.id] : Object.values(row)
  return String(id)
}

function scenariosOf(workspace: TracedWorkspace, name?: string): unknown {
  const { scenarios } = remainsOf(workspace)
  if (name === undefined)
    return { scenarios: scenarios.map(({ document: _document, ...scenario }) => scenario) }
  if (name === 'active')
    return { active: scenarios.filter(({ active }) => active).map((scenario) => scenario.name) }
  return found(
    scenarios.find((scenario) => scenario.name === name),
    `scenario '${name}'`,
  )
}

function remainsOf({ name, remains }: TracedWorkspace): NonNullable<TracedWorkspace['remains']> {
  if (remains) return remains
  throw new Refused(
    404,
    `The trace has only the calls of workspace '${name}': it was gone at the end of the run.`,
  )
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Refused(404, `The trace has no ${what}.`)
  return value
}
