import { growthLines, growthOf, measureGrowth } from '../lib/growth.mjs'

const operations = ['lookup', 'search', 'create', 'page']

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P8',
  title: 'lookup, search, create, page of 100 at depth: largest / 1,000 rows',
  async run(context) {
    const growth = await measureGrowth(context, 'rows', operations)
    const store = await measureGrowth(context, 'store', operations)
    const worst = operations.map((name) => growthOf(growth, name)).toSorted((a, b) => b.value - a.value)[0]
    if (!worst) throw new Error('nothing was measured')
    return {
      ...worst,
      details: [...growthLines(growth, operations), ...growthLines(store, operations, 'store alone: ')],
      raw: { growth, store },
    }
  },
}
