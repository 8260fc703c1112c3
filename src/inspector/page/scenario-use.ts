// How often the rules of a scenario acted, in words; and whether one never did although it could.
import type { ScenarioView } from '../../operations/scenarios.ts'

/** A rule of a scenario with its use. */
type Rule = ScenarioView['rules'][number]

/** Whether an active rule never acted: usually it matches no call. */
export function neverFired({ hits }: Pick<Rule, 'hits'>, isOn: boolean): boolean {
  return isOn && hits === 0
}

/** @example wordsOfUse({ calls: 3, hits: 2 })   // 'acted on 2 of 3 calls that matched' */
export function wordsOfUse({ calls, hits }: Pick<Rule, 'calls' | 'hits'>): string {
  if (calls === 0) return 'no call matched'
  return `acted on ${hits} of ${calls} ${calls === 1 ? 'call' : 'calls'} that matched`
}

/** The scenarios whose name or description contains a text, ignoring case. */
export function scenariosWith(text: string, scenarios: readonly ScenarioView[]): ScenarioView[] {
  const wanted = text.trim().toLowerCase()
  return scenarios.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
}
