import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P4',
  title: 'W2, search one of 10,000 customers: CPU of L2 / ours',
  run: (context) => compareUnderLoad(context, 'W2'),
}
