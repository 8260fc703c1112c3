import { fileURLToPath } from 'node:url'
import { library, Program } from '../lib/server.mjs'
import { summary } from '../lib/stats.mjs'

const program = fileURLToPath(new URL('../programs/thousand-tests.mjs', import.meta.url))

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'U3',
  title: '1,000 tests in process: a workspace, five calls, one signed event',
  async run({ quick }) {
    const values = []
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const measured = new Program([program, library])
      values.push((await measured.ask({ ask: 'seconds' })).seconds)
      await measured.stop()
    }
    return { ...summary(values), raw: values }
  },
}
