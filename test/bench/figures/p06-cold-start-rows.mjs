import { compareColdStarts, sandboxStart } from '../lib/cold-start.mjs'
import { customersFile } from '../lib/fixtures.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P6',
  title: 'cold start with a file of 10,000 customers / of 20',
  budget: { better: 'at most', gate: 2.5, target: 1.6, stretch: 1.3 },
  run: ({ quick, folder }) =>
    compareColdStarts(
      sandboxStart('10,000 customers', '/v2/customers?limit=1', [
        '--fixtures',
        customersFile(folder, 10_000),
      ]),
      sandboxStart('20 customers', '/v2/customers?limit=1', ['--fixtures', customersFile(folder, 20)]),
      quick ? 4 : 15,
    ),
}
