// What whoever gathers a run is told of each call: what it exercised and rested on, and why it was answered so.
import type { Explanation } from '../explain/explanation.ts'
import { exercisedBy } from '../coverage/counting.ts'
import type { PointCatalogue } from '../coverage/points/catalogue.ts'
import { recordsOf, type RuleRecord } from '../explain/sandbox-findings.ts'
import type { UnmatchedKind } from '../explain/unmatched-calls.ts'
import type { InFlightCall } from '../call/index.ts'
import type { CallFacts, Recorder } from '../http/recorder.ts'
import { lazyEntryOf, type JournalEntry } from '../journal/entry.ts'
import { kept } from '../journal/limits.ts'
import type { Plan } from '../scenarios/plan.ts'
import type { RuleTotals } from '../scenarios/rule-totals.ts'
import { redactor } from '../secrets/redact.ts'
import type { TimelineEntry } from '../workspaces/timeline.ts'
import { workspaceVerbs, type VerbContext } from '../operations/sandbox-workspace.ts'

/** A call, as a run counts it. */
export interface SeenCall {
  /** Over HTTP, or in this process. */
  over_http: boolean
  /** Where it was sent to. */
  origin: string
  entry: JournalEntry
  /** The ids of the contract points that it exercised. */
  points: readonly string[]
  /** Why it was answered so, where that was asked for. */
  explanation?: Explanation
  /** Why it was refused, in a sentence, unless a scenario asked for that. */
  refused_because?: string
  /** What is wrong with it, when it met no endpoint. */
  unmatched?: UnmatchedKind
}

/** Told of what happens in a sandbox, before each answer leaves. */
export interface Watcher {
  onCall(call: SeenCall): void
  /** Whether it wants each call explained, also those that were not refused. */
  readonly explains?: boolean
  /** The number at which generated names of workspaces begin: each sandbox of a run has its own. */
  readonly firstName?: number
  /** The rules of scenarios of which more is known than before. */
  onRules(changed: readonly RuleRecord[]): void
  /** Something was done to a workspace from outside the API. */
  onAction(workspace: string, entry: TimelineEntry): void
}

/** What is looked at. */
interface Watched {
  points: PointCatalogue
  rules: RuleTotals
  context: VerbContext
  recorder: Recorder
}

/** Whether a scenario brought an answer about: waiting and cutting pages otherwise refuse nothing. */
function isAskedFor(plan: Plan | undefined): boolean {
  if (plan === undefined) return false
  const { ending, rewritten, offContract, missingScopes, changes } = plan
  return ending !== undefined || rewritten || offContract || missingScopes.length + changes.length > 0
}

/** Tells a watcher of each call. */
export function watchCalls(watcher: Watcher, { points, rules, context, recorder }: Watched) {
  const told = new Map<string, string>()
  const tellRules = (): void => {
    const changed = recordsOf(rules).filter((record) => {
      const [key, now] = [`${record.scenario} ${record.id}`, JSON.stringify(record)]
      if (told.get(key) === now) return false
      told.set(key, now)
      return true
    })
    if (changed.length > 0) watcher.onRules(changed)
  }
  return {
    tellRules,
    onCall(call: InFlightCall, { workspace, overHttp, metNoEndpoint }: CallFacts): void {
      const { request, resolution, outcome } = call
      const hide = redactor(recorder.secrets)
      // Only of calls that need it: most of a run are fine.
      const explained = (): Explanation => workspaceVerbs(workspace, context).requests.own.explained(call)
      const explanation = watcher.explains ? explained() : undefined
      const isRefused = (outcome.status < 200 || outcome.status > 299) && !isAskedFor(resolution.plan)
      watcher.onCall({
        over_http: overHttp,
        origin: request.origin,
        entry: lazyEntryOf(kept(call), hide, (value) => value),
        points: exercisedBy(call, points),
        ...(explanation && { explanation }),
        ...(isRefused && { refused_because: (explanation ?? explained()).summary }),
        ...(metNoEndpoint && { unmatched: recorder.unmatched.kindOf(request.method, request.path) }),
      })
      tellRules()
    },
  }
}
