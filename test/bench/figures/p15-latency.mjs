import { measureLoad } from '../lib/load.mjs'
import { shown } from '../lib/report.mjs'
import { median, ratios, summary } from '../lib/stats.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P15',
  title: 'W3, POST an intent: p99, median of ours / median of L2',
  async run(context) {
    const { L2, ours } = await measureLoad(context, 'W3')
    const [above, below] = [ours, L2].map((spells) => spells.map(({ p99 }) => p99))
    return {
      ...summary(ratios(above, below)),
      // A single stall makes a round's ratio several times as large, but not the median of a server.
      value: median(above) / median(below),
      details: [`p99: ours ${shown(summary(above).value)} ms, L2 ${shown(summary(below).value)} ms`],
      raw: { ours: above, L2: below },
    }
  },
}
