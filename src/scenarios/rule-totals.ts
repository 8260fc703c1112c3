// How often each rule was asked, matched and used over all workspaces, for telling rules that never fired.
import { stringify } from '../json/stringify.ts'
import type { Rule, Scenario } from './scenario.ts'

/** What the calls of all workspaces did with a rule. */
export interface RuleTotal {
  readonly scenario: string
  readonly rule: Rule
  /** How many calls were for its operations while it was active. */
  asked: number
  /** How many of those matched it. */
  calls: number
  /** How many of those it acted on. */
  hits: number
}

/** Scenarios that tests make up and register are not bounded; what is kept of them is. */
const maxScenarios = 1_000

/**
 * What became of every rule that was active at some time, over all workspaces. Kept apart from the counts of the
 * workspaces, as those are gone with a reset and with the workspace itself.
 *
 * A scenario counts as the same wherever it is registered with the same document, as tests do that each register it
 * in a workspace of their own.
 */
export class RuleTotals {
  readonly #known = new WeakSet<Scenario>()
  readonly #byDocument = new Map<string, readonly RuleTotal[]>()
  readonly #byRule = new WeakMap<Rule, RuleTotal>()

  /** Notes that a scenario is active, for all calls or for one. */
  note(scenario: Scenario): void {
    if (this.#known.has(scenario)) return
    const { name, rules, document } = scenario
    const text = stringify([name, document])
    let totals = this.#byDocument.get(text)
    if (!totals) {
      if (this.#byDocument.size >= maxScenarios) return
      totals = rules.map((rule) => ({ scenario: name, rule, asked: 0, calls: 0, hits: 0 }))
      this.#byDocument.set(text, totals)
    }
    this.#known.add(scenario)
    for (const [place, rule] of rules.entries()) {
      const total = totals[place]
      if (total) this.#byRule.set(rule, total)
    }
  }

  /** Where the uses of a rule are counted; undefined for one of a scenario that was not noted. */
  of(rule: Rule): RuleTotal | undefined {
    return this.#byRule.get(rule)
  }

  /** Every rule that was noted, in the order in which their scenarios became active. */
  list(): RuleTotal[] {
    return [...this.#byDocument.values()].flat()
  }
}
