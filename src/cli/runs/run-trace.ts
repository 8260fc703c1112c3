// The trace of a run: the calls of its own sandbox and of those that the command made, and what is left of its own.
import type { CoverageReport } from '../../coverage/reports/coverage-report.ts'
import { hiddenCoverage, remainsOf, type TracedCall, type TracedWorkspace } from '../../inspector/trace.ts'
import { traceFile } from '../../inspector/trace-file.tsx'
import type { RunEntry, RunTally } from '../../sandbox/runs/run-tally.ts'
import type { Verbs } from '../../operations/index.ts'

/** What a trace is made of. */
export interface TracedRun {
  /** The run's own sandbox. */
  sandbox: Verbs
  coverage: CoverageReport
  tally: RunTally
}

/** The file, as text. */
export async function runTrace({ sandbox, coverage, tally }: TracedRun): Promise<string> {
  const { entries, dropped } = tally.journal()
  const workspaces = workspacesOf(entries)
  for (const { name } of sandbox.workspaces.list()) {
    const remains = await remainsOf(sandbox.workspace(name))
    const traced = workspaces.find((each) => each.name === name)
    if (traced) traced.remains = remains
    else workspaces.push({ name, requests: [], dropped: 0, remains })
  }
  const isDefault = ({ name }: TracedWorkspace): boolean => name === sandbox.name
  workspaces.sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
  const hidden = await hiddenCoverage(coverage, sandbox.workspace(sandbox.name))
  return traceFile({ workspaces, dropped, assumptions: sandbox.assumptions(), coverage: hidden })
}

/** The calls by workspace; of another sandbox than the run's own its name says which. */
function workspacesOf(entries: readonly RunEntry[]): TracedWorkspace[] {
  const sources = ['', ...new Set(entries.map(({ source }) => source).filter((source) => source !== ''))]
  const found = new Map<string, TracedCall[]>()
  for (const { entry, explanation, source } of entries) {
    if (!explanation) continue
    const name =
      source === '' ? entry.workspace : `${entry.workspace} (sandbox ${sources.indexOf(source) + 1})`
    const calls = found.get(name) ?? []
    found.set(name, calls)
    calls.push({ ...entry, explanation })
  }
  return [...found].map(([name, calls]) => ({ name, requests: withOwnIds(calls), dropped: 0 }))
}

/** After a reset, or in a workspace that is made anew, numbers of requests come again: earlier ones are marked. */
function withOwnIds(calls: readonly TracedCall[]): TracedCall[] {
  const seen = new Map<string, number>()
  return calls.map((call) => {
    const times = (seen.get(call.id) ?? 0) + 1
    seen.set(call.id, times)
    return times === 1 ? call : { ...call, id: `${call.id} (earlier ${times - 1})` }
  })
}
