import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { servedFile } from '../lib/fixtures.mjs'
import { shown } from '../lib/report.mjs'
import { buildIn, library, Program, startReference, startSandbox } from '../lib/server.mjs'
import { ratios, summary } from '../lib/stats.mjs'

const program = fileURLToPath(new URL('../programs/creates.mjs', import.meta.url))
const creates = 200_000

/** @type {import('../index.mjs').Figure} */
export const afterStart = {
  id: 'P10a',
  title: 'memory after start, default fixtures / L1',
  async run({ folder, quick, before }) {
    const answers = join(folder, 'empty-answers.json')
    writeFileSync(answers, JSON.stringify({ reward: '{}', customers: '{}', intent: '{}' }))
    const contenders = {
      L1: () => startReference('L1', answers),
      ours: () => startSandbox(),
      ...(before !== undefined && { before: () => startSandbox([], buildIn(before).bin) }),
    }
    /** @type {Record<string, number[]>} */
    const memory = {}
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      for (const [name, start] of Object.entries(contenders)) {
        const server = await start()
        ;(memory[name] ??= []).push((await server.memory()).rss / 2 ** 20)
        await server.stop()
      }
    }
    const { L1 = [], ours = [], before: earlier } = memory
    return {
      ...summary(ratios(ours, L1)),
      ...(earlier && { sinceBefore: ratios(ours, earlier) }),
      details: [residentLine(memory)],
      raw: memory,
    }
  },
}

/** @type {import('../index.mjs').Figure} */
export const afterCreates = {
  id: 'P10b',
  title: 'memory after 200,000 creates',
  async run({ folder, quick, before }) {
    const builds = { ours: library, ...(before !== undefined && { before: buildIn(before).library }) }
    /** @type {Record<string, number[]>} */
    const memory = {}
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      for (const [name, code] of Object.entries(builds)) {
        const measured = new Program([program, code, servedFile(folder), String(creates)], { core: 0 })
        ;(memory[name] ??= []).push((await measured.ask({ ask: 'memory' })).rss / 2 ** 20)
        await measured.stop()
      }
    }
    const { ours = [], before: earlier } = memory
    return {
      ...summary(ours),
      ...(earlier && { sinceBefore: ratios(ours, earlier) }),
      details: [residentLine(memory)],
      raw: memory,
    }
  },
}

/** @param {Record<string, number[]>} memory MiB of each round, by contender. */
function residentLine(memory) {
  const each = Object.entries(memory).map(([name, mib]) => `${name} ${shown(summary(mib).value)} MiB`)
  return `resident after a collection: ${each.join(', ')}`
}
