import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { coldStartsInTurns, sandboxStart, startAndEnd, startLine } from '../lib/cold-start.mjs'
import { customersFile, key } from '../lib/fixtures.mjs'
import { shown } from '../lib/report.mjs'
import { usefulApp } from '../lib/server.mjs'
import { median, summary } from '../lib/stats.mjs'

const path = '/v2/customers?limit=1'
const few = 20
const more = 10_000

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P6',
  title: 'start with 10,000 customers more / the same of L2',
  async run({ quick, folder }) {
    const env = { NODE_COMPILE_CACHE: mkdtempSync(join(folder, 'cache-')) }
    /** @param {number} count */
    const oursWith = (count) =>
      sandboxStart(`ours, ${shown(count)} customers`, path, ['--fixtures', customersFile(folder, count)], env)
    /** @param {number} count */
    const usefulWith = (count) => ({
      name: `L2, ${shown(count)} customers`,
      path,
      /** @param {number} port */
      command: (port) => [usefulApp, customersFile(folder, count), key, String(port)],
    })
    await startAndEnd(oursWith(few))
    const servers = [few, few + more].flatMap((count) => [oursWith(count), usefulWith(count)])
    const times = await coldStartsInTurns(servers, quick ? 4 : 15)
    const [ours = [], L2 = [], oursWithMore = [], L2WithMore = []] = times
    // By medians: the difference of two starts of L2 is small, and a ratio to that of a single round means little.
    const reference = median(L2WithMore) - median(L2)
    const added = median(oursWithMore) - median(ours)
    const rounds = oursWithMore.map((value, round) => (value - (ours[round] ?? Number.NaN)) / reference)
    return {
      ...summary(rounds),
      value: added / reference,
      details: [
        ...servers.map((server, at) => startLine(server, times[at] ?? [])),
        `a customer: ours ${shown((added * 1000) / more)} µs, L2 ${shown((reference * 1000) / more)} µs`,
      ],
      raw: { ours, L2, oursWithMore, L2WithMore },
    }
  },
}
