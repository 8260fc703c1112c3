import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P3',
  title: 'W3, POST an intent: CPU of L1 / ours',
  budget: { better: 'at least', gate: 0.55, target: 0.8, stretch: 1.1 },
  run: (context) => compareUnderLoad(context, 'W3'),
}
