import { costOfWatching } from '../lib/watched.mjs'

/** @type {import('../index.mjs').Figure} */
export const reading = {
  id: 'C3a',
  title: 'W1 with one who watches the stream / with none: CPU',
  run: (context) => costOfWatching(context, 'W1'),
}

/** @type {import('../index.mjs').Figure} */
export const creating = {
  id: 'C3b',
  title: 'W3 with one who watches the stream / with none: CPU',
  run: (context) => costOfWatching(context, 'W3'),
}
