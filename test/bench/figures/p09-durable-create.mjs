import { join } from 'node:path'
import { creations, customersFile } from '../lib/fixtures.mjs'
import { growthLines, growthOf, measureGrowth } from '../lib/growth.mjs'
import { load, writeScript } from '../lib/load.mjs'
import { shown } from '../lib/report.mjs'
import { startSandbox } from '../lib/server.mjs'
import { median } from '../lib/stats.mjs'

const operations = ['create, 50 clients', 'create, one client']
const sizes = [1000, 100_000]

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P9',
  title: 'create with --data, 100,000 / 1,000 rows, acknowledged',
  async run(context) {
    const growth = await measureGrowth(context, 'durable', operations, sizes)
    const lines = growthLines(growth, operations)
    for (const size of sizes) lines.push(await throughput(context, size))
    return { ...growthOf(growth, 'create, 50 clients'), details: lines, raw: growth }
  },
}

/**
 * What 50 clients get over HTTP. The rows that they create stay.
 * @param {import('../index.mjs').Context} context
 * @param {number} rows
 */
async function throughput({ folder, quick }, rows) {
  const script = writeScript(folder, `create-${rows}`, creations(rows))
  const data = join(folder, `served-${rows}.json`)
  const server = await startSandbox(['--fixtures', customersFile(folder, rows), '--data', data])
  const spells = []
  for (let round = -2; round < (quick ? 2 : 5); round++) {
    const sent = await load(server.url, script, 1, 50)
    if (round >= 0) spells.push(sent)
  }
  await server.stop()
  /** @param {(sent: import('../lib/load.mjs').Sent) => number} of */
  const middle = (of) => shown(median(spells.map(of)))
  return `${rows.toLocaleString('en')} rows over HTTP, 50 clients: ${middle(({ requests, seconds }) => Math.round(requests / seconds))} acknowledged/s, p50 ${middle(({ p50 }) => p50)} ms, p99 ${middle(({ p99 }) => p99)} ms`
}
