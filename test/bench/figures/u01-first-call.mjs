import { fileURLToPath } from 'node:url'
import { shown } from '../lib/report.mjs'
import { library, Program } from '../lib/server.mjs'
import { median, ratios, summary } from '../lib/stats.mjs'

const programs = {
  MSW: [fileURLToPath(new URL('../programs/first-call-msw.mjs', import.meta.url))],
  ours: [fileURLToPath(new URL('../programs/first-call-sandbox.mjs', import.meta.url)), library],
}

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'U1',
  title: 'import, createSandbox, first call in process / with MSW',
  async run({ quick }) {
    /** @type {Record<keyof typeof programs, number[]>} */
    const times = { MSW: [], ours: [] }
    // The first process of each fills the file cache.
    for (let round = -1; round < (quick ? 5 : 15); round++) {
      for (const name of /** @type {const} */ (['MSW', 'ours'])) {
        const measured = new Program(programs[name])
        const { milliseconds } = await measured.ask({ ask: 'milliseconds' })
        if (round >= 0) times[name].push(milliseconds)
        await measured.stop()
      }
    }
    return {
      ...summary(ratios(times.ours, times.MSW)),
      value: median(times.ours) / median(times.MSW),
      details: [`ours ${shown(median(times.ours))} ms, MSW ${shown(median(times.MSW))} ms`],
      raw: times,
    }
  },
}
