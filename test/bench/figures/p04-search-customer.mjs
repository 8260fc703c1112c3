import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P4',
  title: 'W2, search one of 10,000 customers: CPU of L1 / ours',
  budget: { better: 'at least', gate: 0.45, target: 0.7, stretch: 1.0 },
  run: (context) => compareUnderLoad(context, 'W2'),
}
