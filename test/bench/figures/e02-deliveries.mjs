import { costOfEvents, pacedDeliveries } from '../lib/deliveries.mjs'

/** @type {import('../index.mjs').Figure} */
export const paced = {
  id: 'E2a',
  title: 'deliveries to one endpoint, at 100 creates a second',
  run: pacedDeliveries,
}

/** @type {import('../index.mjs').Figure} */
export const underLoad = {
  id: 'E2b',
  title: 'deliveries to one endpoint, under W3',
  run: async (context) => (await costOfEvents(context)).deliveries,
}
