import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P1',
  title: 'W1, GET a reward: CPU of L2 / ours',
  run: (context) => compareUnderLoad(context, 'W1'),
}
