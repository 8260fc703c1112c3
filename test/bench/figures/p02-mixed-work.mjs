import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P2',
  title: 'W4, 70 % reads, 15 % searches, 15 % creations: CPU of L2 / ours',
  run: (context) => compareUnderLoad(context, 'W4'),
}
