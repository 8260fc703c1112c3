import { compareColdStarts, oneLineServer, sandboxStart } from '../lib/cold-start.mjs'

// An empty node starts in half the time from 22 on, so that our own share weighs more.
const recent = Number(process.versions.node.split('.')[0]) >= 22

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P5',
  title: 'cold start, spawn to first 200 / a one-line node:http server',
  budget: recent
    ? { better: 'at most', gate: 2.8, target: 2.3, stretch: 1.6 }
    : { better: 'at most', gate: 2.0, target: 1.6, stretch: 1.3 },
  run: ({ quick }) =>
    compareColdStarts(
      sandboxStart('start, default fixtures', '/v2/rewards/rwd_ada_pending'),
      oneLineServer,
      quick ? 8 : 25,
    ),
}
