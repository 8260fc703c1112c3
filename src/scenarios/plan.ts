// What the rules of scenarios do to one call, and what became of each of them.
import { Consequences } from './consequences.ts'
import type { Rule } from './scenario.ts'

/** What made a scenario active for a call; each source has counters of its own. */
export type ScenarioSource = 'switch' | 'header' | 'key'

/** What became of one rule that is for the operation of a call. */
export type Verdict =
  /** The part of the call that does not fit it, such as `params.reward_id`. */
  | { rule: Rule; misfit: string }
  /** It fits: the how-manieth such call it was, and whether that is among the `calls` that it acts on. */
  | { rule: Rule; misfit?: never; call: number; acted: boolean; source: ScenarioSource }

/** Everything that scenarios do to one call. */
export class Plan extends Consequences {
  /** The rule that the ending is of. */
  endedBy: Rule | undefined
  /** A rewrite changed the answer. */
  rewritten = false
  /** The rules that were used, as `scenario#place`. */
  readonly rules: string[] = []
  /** What became of every rule for the operation, for explaining it. */
  readonly verdicts: Verdict[] = []
  /** What was asked for and could not be done, in words. */
  readonly undone: string[] = []
}
