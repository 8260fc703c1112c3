// Counts how often each rule was checked, matched and used over all workspaces, to find rules that never fired.
import { stringify } from '../json/stringify.ts'
import type { Rule, Scenario } from './scenario.ts'

/** The totals of a rule over the calls of all workspaces. */
export interface RuleTotal {
  readonly scenario: string
  readonly rule: Rule
  /** How many calls were for its operations while it was active. */
  checked: number
  /** How many of those matched it. */
  calls: number
  /** On how many of those it acted. */
  hits: number
}

/** Limit of stored scenarios: tests can register any number of them. */
const maxScenarios = 1_000

/**
 * The totals of every rule that was active at some time, over all workspaces. Separate from the counters of the
 * workspaces, which a reset or deletion clears.
 *
 * Scenarios with the same name and document share their totals, as tests may each register a scenario in their own
 * workspace.
 */
export class RuleTotals {
  readonly #known = new WeakSet<Scenario>()
  readonly #byDocument = new Map<string, readonly RuleTotal[]>()
  readonly #byRule = new WeakMap<Rule, RuleTotal>()

  /** Records that a scenario is active, for all calls or for one. */
  note(scenario: Scenario): void {
    if (this.#known.has(scenario)) return
    const { name, rules, document } = scenario
    const text = stringify([name, document])
    let totals = this.#byDocument.get(text)
    if (!totals) {
      if (this.#byDocument.size >= maxScenarios) return
      totals = rules.map((rule) => ({ scenario: name, rule, checked: 0, calls: 0, hits: 0 }))
      this.#byDocument.set(text, totals)
    }
    this.#known.add(scenario)
    for (const [place, rule] of rules.entries()) {
      const total = totals[place]
      if (total) this.#byRule.set(rule, total)
    }
  }

  /** Returns the totals of a rule; undefined if its scenario was not recorded. */
  of(rule: Rule): RuleTotal | undefined {
    return this.#byRule.get(rule)
  }

  /** Returns every recorded rule, in the order in which their scenarios became active. */
  list(): RuleTotal[] {
    return [...this.#byDocument.values()].flat()
  }
}
