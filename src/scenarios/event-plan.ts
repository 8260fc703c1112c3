// The plan of scenarios for the deliveries of one new event.
import type { AttemptFault } from '../contract/event-types.ts'

/** All consequences of scenarios for the deliveries of one event. The effects of several rules add up. */
export class EventPlan {
  /** The rules that acted, as `scenario#place`. */
  readonly rules: string[] = []
  /** The rule that drops the event: then nothing else counts. */
  droppedBy: string | undefined
  isDropped = false
  /** How many further first attempts each endpoint gets. */
  duplicates = 0
  /** How much later the first attempts are due (ms). */
  delay = 0
  readonly faults = new Set<AttemptFault>()
}

/** The name of the scenario of a rule. */
export const scenarioOf = (ruleId: string): string => ruleId.slice(0, ruleId.lastIndexOf('#'))
