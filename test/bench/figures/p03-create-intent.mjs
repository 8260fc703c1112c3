import { compareUnderLoad } from '../lib/load.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P3',
  title: 'W3, POST an intent: CPU of L2 / ours',
  run: (context) => compareUnderLoad(context, 'W3'),
}
