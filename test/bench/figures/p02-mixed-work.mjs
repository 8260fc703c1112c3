import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P2',
  title: 'W4, 70 % reads, 15 % searches, 15 % creations: CPU of L1 / ours',
  budget: { better: 'at least', gate: 0.55, target: 0.8, stretch: 1.1 },
  run: (context) => compareUnderLoad(context, 'W4'),
}
