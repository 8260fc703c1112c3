// What requests leave to look into: rules that never fired, calls that met no endpoint.
import type { UnmatchedCall, UnmatchedCalls } from './unmatched-calls.ts'
import { callsText } from '../scenarios/calls.ts'
import type { RuleTotal, RuleTotals } from '../scenarios/rule-totals.ts'

/** A rule of a scenario that was active, and that never acted on a call. */
export interface UnfiredRule {
  /** `scenario#place`, counted from 1, as journals name it. */
  id: string
  scenario: string
  /** The operations it is for. */
  operations: readonly string[]
  /** How many calls were for these operations while it was active. */
  asked: number
  /** How many of those matched it. */
  calls: number
  /** Why it did not act, in words. */
  reason: string
}

/** What the requests so far leave to look into. */
export interface SandboxFindings {
  /**
   * The rules that never acted on a call, of every scenario that was active at some time: in the active list of a
   * workspace, or for a call by its header or its key. At most 1,000 scenarios are watched.
   * @example sandbox.findings.unfiredRules().map(({ id, reason }) => `${id}: ${reason}`)
   */
  unfiredRules(): UnfiredRule[]
  /**
   * The calls that met no endpoint, whoever made them: how many, and at most 1,000 kinds of them.
   * @example sandbox.findings.unmatchedCalls().kinds[0]?.nearest   // 'GET /v2/rewards/{reward_id}'
   */
  unmatchedCalls(): { total: number; kinds: UnmatchedCall[] }
}

/** What is found over all workspaces, also those that were reset or are gone. */
export function sandboxFindings(rules: RuleTotals, unmatched: UnmatchedCalls): SandboxFindings {
  return {
    unfiredRules: () =>
      rules
        .list()
        .filter(({ hits }) => hits === 0)
        .map((total) => ({
          id: total.rule.id,
          scenario: total.scenario,
          operations: [...total.rule.operations],
          asked: total.asked,
          calls: total.calls,
          reason: reasonOf(total),
        })),
    unmatchedCalls: () => ({ total: unmatched.total, kinds: unmatched.list() }),
  }
}

function reasonOf({ rule, asked, calls }: RuleTotal): string {
  const target = rule.operations.size > 3 ? 'its operations' : [...rule.operations].join(' or ')
  if (asked === 0) return `no call was for ${target}`
  if (calls === 0) return `${counted(asked)} for ${target}, and none matched its 'when'`
  return `${counted(calls)} matched it, and none is among its 'calls: ${callsText(rule.calls)}'`
}

function counted(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`
}
