import { costOfEvents } from '../lib/deliveries.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'E1',
  title: 'W3 with --webhooks standard and no endpoint / without: CPU',
  run: async (context) => (await costOfEvents(context)).noEndpoint,
}
