import { costOfPart } from '../lib/part-cost.mjs'

/** The stage that asks the engine, which then does nothing. */
const noEngine = `
export function applyScenarios() {}
`

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'C1',
  title: 'the scenario engine with no scenario active: CPU a request (95 % interval)',
  budget: { better: 'at most', gate: 1, target: 0.5, stretch: 0.2, unit: 'µs' },
  run: (context) => costOfPart(context, 'no-engine', { 'http/stages/apply-scenarios.ts': noEngine }),
}
