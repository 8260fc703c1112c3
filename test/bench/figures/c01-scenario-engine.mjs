import { costOfPart } from '../lib/part-cost.mjs'

/** The stages that ask the engine, which then do nothing. */
const noEngine = `
const nothing = { run() {} }
export { nothing as prepareScenarios, nothing as planScenarios }
export { nothing as delayAsPlanned, nothing as endAsPlanned }
`

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'C1',
  title: 'the scenario engine with no scenario active: CPU a request (95 % interval)',
  run: (context) => costOfPart(context, 'no-engine', { 'http/stages/apply-scenarios.ts': noEngine }),
}
