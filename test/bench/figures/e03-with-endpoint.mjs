import { costOfEvents } from '../lib/deliveries.mjs'

/** @type {import('../index.mjs').Figure} */
export const cpu = {
  id: 'E3a',
  title: 'W3 with an endpoint that answers immediately / no events: CPU',
  run: async (context) => (await costOfEvents(context)).cpu,
}

/** @type {import('../index.mjs').Figure} */
export const p99 = {
  id: 'E3b',
  title: 'W3 with an endpoint that answers immediately / no events: p99',
  run: async (context) => (await costOfEvents(context)).p99,
}
