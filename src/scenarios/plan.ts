// The plan of scenarios for one call, with the result of each rule.
import { Consequences } from './consequences.ts'
import type { Rule } from './scenario.ts'

/** The source of the activation of a scenario for a call; each source has its own counters. */
export type ScenarioSource = 'switch' | 'header' | 'key'

/** The result of one rule for the operation of a call. */
export type Verdict =
  /** The part of the call that does not match it, such as `params.reward_id`. */
  | { rule: Rule; misfit: string }
  /** It matches: the number of this match, and whether `calls` includes it. */
  | { rule: Rule; misfit?: never; call: number; acted: boolean; source: ScenarioSource }

/** All consequences of scenarios for one call. */
export class Plan extends Consequences {
  /** The rule that ends the call. */
  endedBy: Rule | undefined
  /** A rewrite changed the answer. */
  rewritten = false
  /** The rules that were used, as `scenario#place`. */
  readonly rules: string[] = []
  /** The result of every rule for the operation, for explanations. */
  readonly verdicts: Verdict[] = []
  /** Consequences that could not be applied, in words. */
  readonly undone: string[] = []
}
