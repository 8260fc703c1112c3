// Checks of pages on lists of few customers: if these rows cannot show a point, the report says how many are needed.
import { expect, it } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { conform } from '../../src/probe/conform.ts'
import { testMachine } from '../helpers/probing.ts'

const names = [
  'page/first',
  'page/middle',
  'page/last',
  'page/only',
  'page/empty',
  'page/walk',
  'total',
] as const

const product = {
  merchant_key: 'mk_one',
  name: 'One',
  rewards: {
    currency: 'USD',
    symbol: '$',
    description: 'Cash.',
    precision: 2,
    categories: [],
    special_categories: [],
  },
}

const holds = 'holds'
const more = (count: number): string => `${count} more customers`

it.each([
  [0, [more(2), more(3), more(2), 'ids.partner_customer_id of one', holds, more(2), holds]],
  [1, [more(1), more(2), more(1), holds, holds, more(1), holds]],
  [2, [holds, more(1), holds, holds, holds, holds, holds]],
  [3, [holds, holds, holds, holds, holds, holds, holds]],
  [7, [holds, holds, holds, holds, holds, holds, holds]],
])('%i customers', async (count, expected) => {
  const customers = Array.from({ length: count }, (_, n) => ({
    id: `cus_${n}`,
    first_name: 'Per',
    last_name: 'Son',
    email: `cus-${n}@example.com`,
    statuses: {},
    created_at: `2025-01-0${n + 1}T00:00:00Z`,
    product: 'mk_one',
  }))
  const api_keys = [
    { id: 'key', secret: 's', api_key: 'sk', scopes: [], products: ['mk_one'], environment: 'sandbox' },
  ]
  const fixtures = { products: [product], api_keys, customers }
  const sandbox = await createSandbox({ fixtures } as SandboxOptions)
  try {
    const target = {
      keys: { full: 'sk' },
      fetch: sandbox.fetch,
      budget: { per_second: 1e6, timeout_seconds: 7 },
    }
    const only = names.map((name) => `searchCustomers/${name}`)
    const { points } = await conform(target, { only }, testMachine())
    const shown = names.map((name) => {
      const point = points.find(({ id }) => id === `searchCustomers/${name}`)
      return point?.verdict === 'not_observable' ? point.why?.split('; ').at(-1) : point?.verdict
    })
    expect(shown).toEqual(expected)
  } finally {
    await sandbox.close()
  }
})
