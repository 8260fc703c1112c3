import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shown } from '../lib/report.mjs'
import { startReference, startSandbox } from '../lib/server.mjs'
import { ratios, summary } from '../lib/stats.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P10',
  title: 'memory after start, default fixtures / L1',
  budget: { better: 'at most', gate: 1.6, target: 1.3, stretch: 1.1 },
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
