// Problems in the requests so far: rules that never fired, calls that matched no endpoint.
import type { EventType } from '../contract/event-types.ts'
import type { UnmatchedCall, UnmatchedCalls } from './unmatched-calls.ts'
import { callsText } from '../scenarios/calls.ts'
import type { RuleTotals } from '../scenarios/rule-totals.ts'

/** The totals of a rule of a scenario that was active. */
export interface WatchedRule {
  /** `scenario#place`, counted from 1, as in journals. */
  id: string
  scenario: string
  /** Its operations. */
  operations: readonly string[]
  /** Its event types, if it is for events; then it counts events in place of calls. */
  events?: readonly EventType[]
  /** How many calls were for these operations while it was active. */
  asked: number
  /** How many of those matched it. */
  calls: number
}

/** A rule of an active scenario that never acted on a call or an event. */
export interface UnfiredRule extends WatchedRule {
  /** Why it did not act, in words. */
  reason: string
}

/** A rule as plain data, for adding up its totals in several sandboxes. */
export interface RuleRecord extends WatchedRule {
  /** On how many calls it acted. */
  hits: number
  /** The matching calls on which it acts, in the notation of scenario files. */
  among: string
}

/** Problems in the requests so far. */
export interface SandboxFindings {
  /**
   * Returns the rules that never acted on a call, of every scenario that was active at some time: in the active list of
   * a workspace, or for a call by its header or its key. Limited to 1,000 scenarios.
   * @example sandbox.findings.unfiredRules().map(({ id, reason }) => `${id}: ${reason}`)
   */
  unfiredRules(): UnfiredRule[]
  /**
   * Returns the calls that matched no endpoint: their number, and at most 1,000 kinds of them.
   * @example sandbox.findings.unmatchedCalls().kinds[0]?.nearest   // 'GET /v2/rewards/{reward_id}'
   */
  unmatchedCalls(): { total: number; kinds: UnmatchedCall[] }
}

/** The findings over all workspaces, including those that were reset or deleted. */
export function sandboxFindings(rules: RuleTotals, unmatched: UnmatchedCalls): SandboxFindings {
  return {
    unfiredRules: () => unfired(recordsOf(rules)),
    unmatchedCalls: () => ({ total: unmatched.total, kinds: unmatched.list() }),
  }
}

/** The totals of every rule so far. */
export function recordsOf(rules: RuleTotals): RuleRecord[] {
  return rules.list().map(({ scenario, rule, checked: asked, calls, hits }) => ({
    id: rule.id,
    scenario,
    operations: [...rule.operations],
    ...(rule.events.size > 0 && { events: [...rule.events] }),
    asked,
    calls,
    hits,
    among: callsText(rule.calls),
  }))
}

/** Rules that never acted, with the reason. */
export function unfired(records: readonly RuleRecord[]): UnfiredRule[] {
  return records
    .filter(({ hits }) => hits === 0)
    .map((record) => {
      const { hits: _hits, among: _among, ...rule } = record
      return { ...rule, reason: reasonOf(record) }
    })
}

function reasonOf({ operations, events, asked, calls, among }: RuleRecord): string {
  if (events !== undefined && asked === 0)
    return `there was no event${events.length > 3 ? ' of its types' : ` ${events.join(' or ')}`}`
  const none = among.endsWith('%')
    ? `the seed chose none of them with its 'calls: ${among}'`
    : `none is among its 'calls: ${among}'`
  if (events !== undefined) return `${calls === 1 ? '1 event' : `${calls} events`} matched it, and ${none}`
  const target = operations.length > 3 ? 'its operations' : operations.join(' or ')
  if (asked === 0) return `no call was for ${target}`
  if (calls === 0) return `${counted(asked)} for ${target}, and none matched its 'when'`
  return `${counted(calls)} matched it, and ${none}`
}

function counted(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`
}
