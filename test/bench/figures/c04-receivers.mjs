import { costOfReceivers } from '../lib/receivers.mjs'

/** @type {import('../index.mjs').Figure} */
export const cpuOfReceivers = {
  id: 'C4a',
  title: 'W3 with a receiver of its events that misbehaves / without: CPU, the worst kind',
  run: async (context) => (await costOfReceivers(context)).cpu,
}

/** @type {import('../index.mjs').Figure} */
export const p99OfReceivers = {
  id: 'C4b',
  title: 'W3 with a receiver of its events that misbehaves / without: p99, the worst kind',
  run: async (context) => (await costOfReceivers(context)).p99,
}
