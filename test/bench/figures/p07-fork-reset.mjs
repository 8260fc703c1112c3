import { growthLines, growthOf, measureGrowth } from '../lib/growth.mjs'

const operations = ['fork', 'reset', 'snapshot', 'restore']
const alsoShown = ['reset and first write', 'restore and first write']

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P7',
  title: 'fork, reset, snapshot, restore, largest / 1,000 rows',
  async run(context) {
    const growth = await measureGrowth(context, 'rows', [...operations, ...alsoShown])
    const store = await measureGrowth(context, 'store', ['fork', 'fork and first write'])
    const worst = operations.map((name) => growthOf(growth, name)).toSorted((a, b) => b.value - a.value)[0]
    if (!worst) throw new Error('nothing was measured')
    return {
      ...worst,
      details: [
        ...growthLines(growth, [...operations, ...alsoShown]),
        ...growthLines(store, ['fork', 'fork and first write'], 'store alone: '),
      ],
      raw: { growth, store },
    }
  },
}
