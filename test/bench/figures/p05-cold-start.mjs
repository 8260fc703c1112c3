import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { compareColdStarts, oneLineServer, sandboxStart, startAndEnd } from '../lib/cold-start.mjs'

/** @param {Record<string, string>} env */
const defaultStart = (env) => sandboxStart('start, default fixtures', '/v2/rewards/rwd_ada_pending', [], env)

/** @type {import('../index.mjs').Figure} */
export const firstStart = {
  id: 'P5a',
  title: 'cold start without a code cache, spawn to first 200 / a one-line node:http server',
  run: ({ quick }) =>
    compareColdStarts(defaultStart({ NODE_DISABLE_COMPILE_CACHE: '1' }), oneLineServer, quick ? 8 : 25),
}

/** @type {import('../index.mjs').Figure} */
export const laterStart = {
  id: 'P5b',
  title: 'cold start from the second on / a one-line node:http server',
  async run({ quick, folder }) {
    const later = defaultStart({ NODE_COMPILE_CACHE: mkdtempSync(join(folder, 'cache-')) })
    await startAndEnd(later)
    return compareColdStarts(later, oneLineServer, quick ? 8 : 25)
  },
}
