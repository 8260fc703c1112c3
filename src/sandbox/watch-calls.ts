// Notifies the watcher of a run of each call: the points and assumptions that it exercised, and the reason of its
// answer.
import type { Explanation } from '../explain/explanation.ts'
import { exercisedBy } from '../coverage/counting.ts'
import type { PointCatalogue } from '../coverage/points/catalogue.ts'
import { recordsOf, type RuleRecord } from '../explain/sandbox-findings.ts'
import type { UnmatchedKind } from '../explain/unmatched-calls.ts'
import type { InFlightCall } from '../call/index.ts'
import type { CallFacts, Recorder } from '../http/recorder.ts'
import { lazyEntryOf, type JournalEntry } from '../journal/entry.ts'
import { transferOf, type Transfer } from '../journal/har.ts'
import { kept } from '../journal/limits.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { ReceiverPointId } from '../events/receiver-points.ts'
import type { RuleTotals } from '../scenarios/rule-totals.ts'
import { redactor } from '../secrets/redact.ts'
import type { TimelineEntry } from '../workspaces/timeline.ts'
import { workspaceVerbs, type VerbContext } from '../operations/sandbox-workspace.ts'

/** A call, as a run counts it. */
export interface SeenCall {
  /** Whether the call came over HTTP. Otherwise it was made in this process. */
  over_http: boolean
  /** The facts that an HTTP Archive has in addition to the entry. */
  transfer: Transfer
  entry: JournalEntry
  /** The ids of the contract points that it exercised. */
  points: readonly string[]
  /** The explanation of the answer, if the watcher requests it. */
  explanation?: Explanation
  /** The reason of a refusal, in a sentence, unless a scenario caused it. */
  refused_because?: string
  /** The mistake in a call that met no endpoint. */
  unmatched?: UnmatchedKind
}

/** Notified of the events of a sandbox, before each answer leaves. */
export interface Watcher {
  onCall(call: SeenCall): void
  /** Whether each call gets a full explanation, whether it was refused or not. */
  readonly explains?: boolean
  /** The number of the sandbox in its run, from 2: the sandbox of the run itself is the first. */
  readonly runNumber?: number
  /** Called with the rules of scenarios whose counts changed. */
  onRules(changed: readonly RuleRecord[]): void
  /** Called with the points of a receiver of events that an attempt covered. */
  onReceiver(points: readonly ReceiverPointId[]): void
  /** Called when a caller changed a workspace by other means than the API. */
  onAction(workspace: string, entry: TimelineEntry): void
}

/** The parts of a sandbox that a watcher reads. */
interface WatchedParts {
  points: PointCatalogue
  rules: RuleTotals
  context: VerbContext
  recorder: Recorder
}

/** Whether a scenario caused the answer. A scenario that only delays answers or shortens pages refuses nothing. */
function isCausedByScenario(plan: Plan | undefined): boolean {
  if (plan === undefined) return false
  const { ending, rewritten, offContract, missingScopes, changes } = plan
  return ending !== undefined || rewritten || offContract || missingScopes.length + changes.length > 0
}

/** Notifies a watcher of each call. */
export function watchCalls(watcher: Watcher, { points, rules, context, recorder }: WatchedParts) {
  const reported = new Map<string, string>()
  const reportRules = (): void => {
    const changed = recordsOf(rules).filter((record) => {
      const [key, now] = [`${record.scenario} ${record.id}`, JSON.stringify(record)]
      if (reported.get(key) === now) return false
      reported.set(key, now)
      return true
    })
    if (changed.length > 0) watcher.onRules(changed)
  }
  return {
    reportRules,
    onCall(call: InFlightCall, { workspace, overHttp, isUnmatched }: CallFacts): void {
      const { request, resolution, outcome } = call
      const hide = redactor(recorder.secrets)
      // Explain only the calls that need it, as most calls of a run succeed.
      const explained = (): Explanation => workspaceVerbs(workspace, context).requests.own.explained(call)
      const explanation = watcher.explains ? explained() : undefined
      const isRefused = (outcome.status < 200 || outcome.status > 299) && !isCausedByScenario(resolution.plan)
      watcher.onCall({
        over_http: overHttp,
        transfer: transferOf(call),
        entry: lazyEntryOf(kept(call), hide, (value) => value),
        points: exercisedBy(call, points),
        ...(explanation && { explanation }),
        ...(isRefused && { refused_because: (explanation ?? explained()).summary }),
        ...(isUnmatched && { unmatched: recorder.unmatched.kindOf(request.method, request.path) }),
      })
      reportRules()
    },
  }
}
