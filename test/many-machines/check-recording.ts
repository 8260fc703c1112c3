/** Holds everything that clients saw in one run against one machine, workspace by workspace. */
import { checkHistory, type Violation } from './check-history.ts'
import type { History } from './history.ts'
import type { SandboxRequest } from './requests.ts'
import type { Recording } from './run-work.ts'
import type { Reference } from './sandbox-model.ts'

export interface Summary {
  calls: number
  acknowledged: number
  unknown: number
  /** How many calls of unknown outcome must have been carried out. */
  carriedOut: number
  /** How many logs there were: one for each workspace, and one more for each time that it became another one. */
  histories: number
  /** Acknowledged writes that the engine lost. */
  lost: number
  /** Histories for which the search was given up: there may be a violation, or none. */
  undecided: number
  violations: { workspace: string; violation: Violation; history: History<SandboxRequest> }[]
}

/** One violation is enough to look into; to find where it begins takes long. */
const mostViolations = 2

export async function checkRecording(reference: Reference, recording: Recording): Promise<Summary> {
  const sum: Summary = {
    calls: 0,
    acknowledged: 0,
    unknown: 0,
    carriedOut: 0,
    histories: 0,
    lost: 0,
    undecided: 0,
    violations: [],
  }
  for (const workspace of recording.workspaces) {
    if (sum.violations.length >= mostViolations) break
    const history = recording.history(workspace)
    reference.forget(workspace)
    const verdict = await checkHistory(reference.model(workspace), history)
    reference.forget(workspace)
    const unknown = history.operations.filter(({ answer }) => answer === undefined).length
    sum.calls += history.operations.length
    sum.unknown += unknown
    sum.acknowledged += history.operations.length - unknown
    sum.carriedOut += verdict.carriedOut
    sum.histories += verdict.histories
    sum.lost += verdict.lost
    if (!verdict.decided) sum.undecided += 1
    else if (verdict.violation) sum.violations.push({ workspace, violation: verdict.violation, history })
  }
  return sum
}
