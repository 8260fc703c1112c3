import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P1',
  title: 'W1, GET a reward: CPU of L1 / ours',
  budget: { better: 'at least', gate: 0.65, target: 0.9, stretch: 1.2 },
  run: (context) => compareUnderLoad(context, 'W1'),
}
