import { fileURLToPath } from 'node:url'
import { library, Program } from '../lib/server.mjs'
import { summary } from '../lib/stats.mjs'

const program = fileURLToPath(new URL('../programs/workspaces.mjs', import.meta.url))

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P11',
  title: 'memory per idle workspace, of 2,000 made by a request each',
  async run({ quick }) {
    const values = []
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const measuring = new Program([program, library, '2000'])
      values.push((await measuring.ask({ ask: 'heap' })).bytes / 1024)
      await measuring.stop()
    }
    return { ...summary(values), raw: values }
  },
}
