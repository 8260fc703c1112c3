// The trace of a run: the calls of its own sandbox and of those that the command created, and the final state of its
// own.
import type { CoverageReport } from '../../coverage/reports/coverage-report.ts'
import { hiddenCoverage, remainsOf, type TracedCall, type TracedWorkspace } from '../../inspector/trace.ts'
import { traceFile } from '../../inspector/trace-file.tsx'
import type { RunTally } from '../../sandbox/runs/run-tally.ts'
import type { Verbs } from '../../operations/index.ts'

/** The inputs of a trace. */
export interface TracedRun {
  /** The run's own sandbox. */
  sandbox: Verbs
  coverage: CoverageReport
  tally: RunTally
}

/** The file, as text. */
export async function runTrace({ sandbox, coverage, tally }: TracedRun): Promise<string> {
  const workspaces = workspacesOf(tally)
  for (const { name } of sandbox.workspaces.list()) {
    const remains = await remainsOf(sandbox.workspace(name))
    const traced = workspaces.find((each) => each.name === name)
    if (traced) traced.remains = remains
    else workspaces.push({ name, requests: [], dropped: 0, timeline: [], processName: ownProcess, remains })
  }
  const isDefault = ({ name }: TracedWorkspace): boolean => name === sandbox.name
  workspaces.sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
  const hidden = hiddenCoverage(coverage, sandbox.workspace(sandbox.name))
  return traceFile({
    tests: [...tally.tests.values()],
    workspaces,
    dropped: tally.journal().dropped,
    assumptions: sandbox.assumptions(),
    coverage: hidden,
  })
}

/** The name of the process of `exec` itself, whose sandbox answers over HTTP. */
const ownProcess = 'exec'

/** Calls and actions by workspace; the name of a workspace includes its sandbox, unless it is the run's own. */
function workspacesOf(tally: RunTally): TracedWorkspace[] {
  const labels = labelsOf(tally)
  const found = new Map<string, TracedWorkspace>()
  const traced = (workspace: string, source: string): TracedWorkspace => {
    const label = labels.get(source) ?? { process: ownProcess, sandbox: '' }
    const name = label.sandbox === '' ? workspace : `${workspace} (${label.sandbox})`
    const known = found.get(name)
    if (known) return known
    const made: TracedWorkspace = { name, requests: [], dropped: 0, timeline: [], processName: label.process }
    found.set(name, made)
    return made
  }
  for (const { entry, explanation, source, sequence } of tally.journal().entries) {
    if (explanation) traced(entry.workspace, source).requests.push({ ...entry, explanation, sequence })
  }
  for (const { workspace, entry, source, sequence } of tally.actions) {
    traced(workspace, source).timeline.push({ ...entry, sequence })
  }
  const ids = new Map<string, number>()
  for (const workspace of found.values()) {
    const newestFirst = workspace.requests.toSorted((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0))
    workspace.requests = withOwnIds(newestFirst, ids)
    workspace.timeline.reverse()
  }
  return [...found.values()]
}

/** The labels of all sandboxes except the run's own, by source. Processes are numbered from 1. */
function labelsOf({ sandboxes }: RunTally): Map<string, { process: string; sandbox: string }> {
  const numbers = new Map<number, number>()
  for (const joined of sandboxes.values())
    if (!numbers.has(joined.process)) numbers.set(joined.process, numbers.size + 1)
  return new Map(
    [...sandboxes].map(([source, joined]) => [
      source,
      { process: `process ${numbers.get(joined.process)}`, sandbox: `sandbox ${joined.sandbox}` },
    ]),
  )
}

/**
 * Request numbers repeat after a reset and in a workspace that is created again: all but the newest call of an id are
 * marked, so that a link opens one call.
 * @param seen how often each id occurred before.
 */
function withOwnIds(calls: readonly TracedCall[], seen: Map<string, number>): TracedCall[] {
  return calls.map((call) => {
    const times = (seen.get(call.id) ?? 0) + 1
    seen.set(call.id, times)
    return times === 1 ? call : { ...call, id: `${call.id} (earlier ${times - 1})` }
  })
}
