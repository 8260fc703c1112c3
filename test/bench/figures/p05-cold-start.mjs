import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { compareColdStarts, oneLineServer, sandboxStart, startAndEnd } from '../lib/cold-start.mjs'
import { buildIn } from '../lib/server.mjs'

/** @param {Record<string, string>} env @param {string} [before] the folder of another build. */
const defaultStart = (env, before) =>
  sandboxStart(
    before === undefined ? 'start, default fixtures' : 'before',
    '/v2/rewards/rwd_ada_pending',
    [],
    env,
    before === undefined ? undefined : buildIn(before).bin,
  )

/** @type {import('../index.mjs').Figure} */
export const firstStart = {
  id: 'P5a',
  title: 'cold start without a code cache, spawn to first 200 / a one-line node:http server',
  run({ quick, before }) {
    const env = { NODE_DISABLE_COMPILE_CACHE: '1' }
    const earlier = before === undefined ? undefined : defaultStart(env, before)
    return compareColdStarts(defaultStart(env), oneLineServer, quick ? 8 : 25, earlier)
  },
}

/** @type {import('../index.mjs').Figure} */
export const laterStart = {
  id: 'P5b',
  title: 'cold start from the second on / a one-line node:http server',
  async run({ quick, folder, before }) {
    const env = { NODE_COMPILE_CACHE: mkdtempSync(join(folder, 'cache-')) }
    const later = defaultStart(env)
    const earlier = before === undefined ? undefined : defaultStart(env, before)
    await startAndEnd(later)
    if (earlier) await startAndEnd(earlier)
    return compareColdStarts(later, oneLineServer, quick ? 8 : 25, earlier)
  },
}
