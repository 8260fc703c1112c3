/** Holds everything that clients saw in one run against one machine, workspace by workspace. */
import { checkHistory, type Violation } from './check-history.ts'
import type { History } from './history.ts'
import type { SandboxRequest } from './requests.ts'
import type { Recording } from './run-work.ts'
import type { Reference } from './sandbox-model.ts'

/** Where the checker came furthest in a workspace, and all that clients saw of it. */
export interface FailedHistory {
  workspace: string
  violation: Violation
  history: History<SandboxRequest>
}

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
  violations: FailedHistory[]
  /** Where the search was given up: there may be a violation, or none. */
  undecided: FailedHistory[]
}

/** One violation is enough to look into; to find where it begins takes long. */
const maxViolations = 2

export async function checkRecording(reference: Reference, recording: Recording): Promise<Summary> {
  const sum: Summary = {
    calls: 0,
    acknowledged: 0,
    unknown: 0,
    carriedOut: 0,
    histories: 0,
    lost: 0,
    undecided: [],
    violations: [],
  }
  for (const workspace of recording.workspaces) {
    if (sum.violations.length >= maxViolations) break
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
    const { violation, decided } = verdict
    if (violation) (decided ? sum.violations : sum.undecided).push({ workspace, violation, history })
  }
  return sum
}
