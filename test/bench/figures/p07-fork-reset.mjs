import { growthLines, growthOf, measureGrowth } from '../lib/growth.mjs'
import { median } from '../lib/stats.mjs'

const operations = ['fork', 'reset']
const alsoShown = ['reset and first write']

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P7',
  title: 'fork and reset, largest state / 1,000 rows (stretch: and ≤ 10 µs each)',
  budget: { better: 'at most', gate: 3, target: 1.5, stretch: 1.5 },
  later: 'snapshot and restore come with a later issue',
  async run(context) {
    const growth = await measureGrowth(context, 'rows', [...operations, ...alsoShown])
    const store = await measureGrowth(context, 'store', ['fork', 'fork and first write'])
    const worst = operations.map((name) => growthOf(growth, name)).toSorted((a, b) => b.value - a.value)[0]
    if (!worst) throw new Error('nothing was measured')
    const slowest = Math.max(...operations.flatMap((name) => Object.values(growth[name] ?? {}).map(median)))
    return {
      ...worst,
      also: { stretch: slowest <= 10_000 },
      details: [
        ...growthLines(growth, [...operations, ...alsoShown]),
        ...growthLines(store, ['fork', 'fork and first write'], 'store alone: '),
      ],
      raw: { growth, store },
    }
  },
}
