import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { compareColdStarts, sandboxStart, startAndEnd } from '../lib/cold-start.mjs'
import { customersFile } from '../lib/fixtures.mjs'
import { summary } from '../lib/stats.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P6',
  title: 'cold start with a file of 10,000 customers: a row more than with 20, from the second on',
  async run({ quick, folder }) {
    const env = { NODE_COMPILE_CACHE: mkdtempSync(join(folder, 'cache-')) }
    /** @param {string} name @param {number} count */
    const startWith = (name, count) =>
      sandboxStart(name, '/v2/customers?limit=1', ['--fixtures', customersFile(folder, count)], env)
    const few = startWith('20 customers', 20)
    await startAndEnd(few)
    const compared = await compareColdStarts(startWith('10,000 customers', 10_000), few, quick ? 4 : 15)
    const { above, below } = compared.raw
    const perRow = above.map((milliseconds, pair) => ((milliseconds - (below[pair] ?? 0)) * 1000) / 9_980)
    return { ...compared, ...summary(perRow) }
  },
}
