// The state of the scenarios of a workspace as text: its own scenarios, active ones, counters.
import { z } from 'zod'
import { sourceOfValue } from '../input/source-file.ts'
import type { ScenarioState, ScenarioStart } from './engine.ts'
import { readScenario } from './library.ts'
import type { Scenario } from './scenario.ts'

/** The scenarios of a workspace; `own` is omitted if they are unchanged. */
export const scenariosForm = z.strictObject({
  own: z.array(z.unknown()).optional(),
  active: z.array(z.string()),
  uses: z.array(z.tuple([z.string(), z.int(), z.int()])),
  draws: z.int(),
  round: z.int(),
})

export type ScenariosText = z.output<typeof scenariosForm>

/** The counters before any call. */
export const noCounts = { uses: new Map<string, never>(), draws: 0, round: 0 }

export function scenariosText({ own, ...rest }: ScenarioState, withOwn: boolean): ScenariosText {
  const { active, uses, draws, round } = rest
  return {
    ...(withOwn ? { own: own.map(({ document }) => document) } : {}),
    active: [...active],
    uses: Array.from(uses, ([id, { calls, hits }]) => [id, calls, hits]),
    draws,
    round,
  }
}

/** The scenarios by document object, so that each object is parsed once: tests register hundreds of scenarios. */
const known = new WeakMap<object, Promise<Scenario>>()

async function scenarioOf(document: unknown): Promise<Scenario> {
  const read = (): Promise<Scenario> => readScenario(sourceOfValue(document, 'store'))
  if (typeof document !== 'object' || document === null) return read()
  const reading = known.get(document) ?? read()
  known.set(document, reading)
  return reading
}

/** @param now the current values, where the text has none. */
export async function readScenarios(
  { own, active, uses, draws, round }: ScenariosText,
  now: ScenarioStart,
): Promise<ScenarioState> {
  return {
    own: own ? await Promise.all(own.map(scenarioOf)) : now.own,
    active,
    uses: new Map(uses.map(([id, calls, hits]) => [id, { calls, hits }])),
    draws,
    round,
  }
}
