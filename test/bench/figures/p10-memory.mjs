import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { servedFile } from '../lib/fixtures.mjs'
import { shown } from '../lib/report.mjs'
import { library, Program, startReference, startSandbox } from '../lib/server.mjs'
import { ratios, summary } from '../lib/stats.mjs'

const program = fileURLToPath(new URL('../programs/creates.mjs', import.meta.url))
const creates = 200_000

/** @type {import('../index.mjs').Figure} */
export const afterStart = {
  id: 'P10a',
  title: 'memory after start, default fixtures / L1',
  async run({ folder, quick }) {
    const answers = join(folder, 'empty-answers.json')
    writeFileSync(answers, JSON.stringify({ reward: '{}', customers: '{}', intent: '{}' }))
    /** @type {Record<'ours' | 'L1', number[]>} */
    const memory = { ours: [], L1: [] }
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      for (const name of /** @type {const} */ (['L1', 'ours'])) {
        const server = await (name === 'L1' ? startReference('L1', answers) : startSandbox())
        memory[name].push((await server.memory()).rss / 2 ** 20)
        await server.stop()
      }
    }
    return {
      ...summary(ratios(memory.ours, memory.L1)),
      details: [
        `resident after a collection: ours ${shown(summary(memory.ours).value)} MiB, L1 ${shown(summary(memory.L1).value)} MiB`,
      ],
      raw: memory,
    }
  },
}

/** @type {import('../index.mjs').Figure} */
export const afterCreates = {
  id: 'P10b',
  title: 'memory after 200,000 creates',
  async run({ folder, quick, before }) {
    const builds = {
      ours: library,
      ...(before !== undefined && { before: pathToFileURL(join(resolve(before), 'dist/index.mjs')).href }),
    }
    /** @type {Record<string, number[]>} */
    const memory = { ours: [], before: [] }
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      for (const [name, code] of Object.entries(builds)) {
        const measured = new Program([program, code, servedFile(folder), String(creates)], { core: 0 })
        memory[name]?.push((await measured.ask({ ask: 'memory' })).rss / 2 ** 20)
        await measured.stop()
      }
    }
    const { ours = [], before: earlier = [] } = memory
    const compared = earlier.length === 0 ? '' : `; before ${shown(summary(earlier).value)} MiB`
    return { ...summary(ours), details: [`resident after a collection${compared}`], raw: memory }
  },
}
