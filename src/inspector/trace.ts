// The data of a trace: a recorded run or workspace, which the page shows without a running sandbox.
import type { CoverageReport } from '../coverage/reports/coverage-report.ts'
import type { Explanation } from '../explain/explanation.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { stringify } from '../json/stringify.ts'
import type { AssumptionView } from '../input/resolve-assumptions.ts'
import type { ClockReading } from '../runtime/clock.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { Differences } from '../operations/differences.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import type { TestName } from '../call/test-of-call.ts'
import type { TracedTest } from '../call/test-result.ts'
import type { TimelineEntry } from '../workspaces/timeline.ts'
import type { ScenarioView } from '../operations/scenarios.ts'

/** A call with why it was answered so. */
export type TracedCall = JournalEntry & {
  explanation: Explanation
  /** In a run: the order among the calls and actions of one sandbox. */
  sequence?: number
  reads?: readonly { collection: string; id: string }[]
}

/** An action of the timeline. */
export type TracedAction = TimelineEntry & { sequence?: number }

/** A scenario with its document. */
type ShownScenario = ScenarioView & { document: unknown }

/** The final state of a workspace, when the trace is written. */
interface WorkspaceRemains {
  /** When it came into being, on its own clock. */
  created_at: string
  clock: ClockReading
  differences: Differences
  scenarios: ShownScenario[]
  /** How many rows each collection has. */
  counts: Record<string, number>
  /** The rows themselves, with secrets hidden; those beyond the limit are omitted. */
  rows: Record<string, object[]>
}

/** One workspace in a trace. */
export interface TracedWorkspace {
  name: string
  /** Newest first. */
  requests: TracedCall[]
  /** How many older ones there were, which are not in it. */
  dropped: number
  /** Actions from outside the API, newest first. */
  timeline: TracedAction[]
  /** In a run: the process of its sandbox. */
  processName?: string
  /** Undefined where it is gone, or was in a process that is. */
  remains?: WorkspaceRemains | undefined
}

/** Whether a file is the trace of a single test with this name and file. */
export function isTraceOf(html: string, { name, file }: TestName): boolean {
  const tests = html.indexOf('"tests":[')
  return html.startsWith(`"tests":[{"name":${traceText(name)},"file":${traceText(file)},`, tests)
}

export interface Trace {
  package: string
  version: string
  /** The results of the tests of a run, as far as they were reported, or of the test whose trace it is. */
  tests?: readonly TracedTest[]
  workspaces: TracedWorkspace[]
  /** The number of omitted earlier calls of a run. */
  dropped?: number
  assumptions: AssumptionView[]
  coverage: CoverageReport
}

/** The current state of a workspace. */
export async function remainsOf(workspace: WorkspaceVerbs): Promise<WorkspaceRemains> {
  const hide = workspace.requests.own.hide()
  const scenarios = await workspace.scenarios.list()
  const documents = await Promise.all(scenarios.map(({ name }) => workspace.scenarios.getOwn(name)))
  const { counts, rows } = hiddenRows(workspace, hide)
  return {
    created_at: workspace.createdAt,
    clock: workspace.clock.read(),
    differences: workspace.differences(),
    scenarios: documents.flatMap((document) => (document ? [hide.json(document) as ShownScenario] : [])),
    counts,
    rows,
  }
}

function hiddenRows({ state }: WorkspaceVerbs, hide: Redactor): Pick<WorkspaceRemains, 'counts' | 'rows'> {
  const rows: WorkspaceRemains['rows'] = {}
  const counts = state.counts()
  for (const [collection, count] of Object.entries(counts)) {
    if (collection === 'account' || collection === 'stubs') continue
    // A trace has no room for more.
    const page = state.dumpRows(collection, count > maxRows ? { limit: maxRows } : undefined)
    rows[collection] = Array.from(page[collection] ?? [], (row) => hide.json(row) as object)
  }
  rows['account'] = [hide.json(state.own.get('account', 'account')) as object]
  rows['stubs'] = state.own.stubs().map((stub) => hide.json(stub) as object)
  return { counts, rows }
}

/** Coverage without the keys in requests to paste: the key of the workspace becomes a variable. */
export function hiddenCoverage(
  report: CoverageReport,
  { findApiKey, requests }: WorkspaceVerbs,
): CoverageReport {
  const hide = requests.own.hide()
  const apiKey = findApiKey()
  const points: CoverageReport['points'] = []
  for (const { exercise, ...point } of report.points) {
    if (exercise === undefined) {
      points.push(point)
      continue
    }
    const lines =
      apiKey === undefined
        ? exercise
        : exercise
            .replaceAll(`-u ${apiKey}:`, '-u "$SANDBOX_API_KEY:"')
            .replaceAll(`Bearer ${apiKey}'`, `Bearer '"$SANDBOX_API_KEY"`)
    points.push({ ...point, exercise: hide.text(lines) })
  }
  return { ...report, points }
}

/** How many rows of a collection a trace has at most. */
const maxRows = 1_000

/** The calls of a workspace that its journal has. */
export function callsOf({ name, requests, timeline }: WorkspaceVerbs): TracedWorkspace {
  const { dropped } = requests
  return { name, requests: requests.own.all(), dropped, timeline: timeline() }
}

/**
 * As much of a trace as fits: rows of the final state take a third of it at most, and the oldest calls are left out
 * first, whichever workspace they are of.
 * @param most the maximum size of its JSON in the file, in bytes.
 */
export function fitted(trace: Trace, most: number): Trace {
  const rows = new Room(most / 3)
  const workspaces: TracedWorkspace[] = []
  for (const { remains, ...workspace } of trace.workspaces) {
    const fitting: WorkspaceRemains['rows'] = {}
    for (const [name, all] of Object.entries(remains?.rows ?? {})) fitting[name] = rows.fitting(all)
    workspaces.push({
      ...workspace,
      requests: [],
      ...(remains && { remains: { ...remains, rows: fitting } }),
    })
  }
  const calls = new Room(most - Buffer.byteLength(traceText({ ...trace, workspaces })))
  const newestFirst = trace.workspaces
    .flatMap(({ requests }, place) => requests.map((call) => ({ call, place, at: Date.parse(call.at) })))
    .toSorted((a, b) => b.at - a.at)
  for (const { call, place } of newestFirst) {
    if (calls.takes(call)) workspaces[place]?.requests.push(call)
  }
  return {
    ...trace,
    workspaces: workspaces.map((workspace, place) => {
      const all = trace.workspaces[place]?.requests.length ?? 0
      return { ...workspace, dropped: workspace.dropped + all - workspace.requests.length }
    }),
  }
}

/** Takes items in order until one does not fit. */
class Room {
  #left: number

  constructor(size: number) {
    this.#left = size
  }

  takes(value: unknown): boolean {
    this.#left -= Buffer.byteLength(traceText(value)) + 1
    return this.#left >= 0
  }

  /** Those of a list that it takes. */
  fitting<T>(list: readonly T[]): T[] {
    return list.filter((value) => this.takes(value))
  }
}

/** The JSON of a trace or a part of it, escaped for HTML: it contains no end of an element and no comment. */
export function traceText(value: unknown): string {
  return stringify(value).replaceAll('<', '\\u003c')
}
