import { fileURLToPath } from 'node:url'
import { shown } from '../lib/report.mjs'
import { library, Program } from '../lib/server.mjs'
import { median, ratios, summary } from '../lib/stats.mjs'

const program = fileURLToPath(new URL('../programs/in-process.mjs', import.meta.url))

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P14',
  title: 'in-process requests per second / over loopback fetch',
  async run({ quick }) {
    const measuring = new Program([program, library])
    /** @type {Record<'in process' | 'loopback', number[]>} */
    const perSecond = { 'in process': [], loopback: [] }
    for (let round = -1; round < (quick ? 3 : 9); round++) {
      for (const door of /** @type {const} */ (['in process', 'loopback'])) {
        const answer = await measuring.ask({ ask: door, milliseconds: round === -1 ? 1000 : 400 })
        if (round >= 0) perSecond[door].push(answer.perSecond)
      }
    }
    await measuring.stop()
    return {
      ...summary(ratios(perSecond['in process'], perSecond.loopback)),
      details: [
        `in process ${shown(Math.round(median(perSecond['in process'])))}/s, loopback ${shown(Math.round(median(perSecond.loopback)))}/s, one call at a time`,
      ],
      raw: perSecond,
    }
  },
}
