import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { idAt } from '../../src/runtime/ids.ts'
import { groupOf } from '../../src/store/indexes.ts'
import type { Account, CustomerRow, Row } from '../../src/store/rows.ts'
import { State } from '../../src/store/state.ts'
import { Transaction } from '../../src/store/transaction.ts'
import { samples } from '../setup/samples.ts'

/**
 * Forks and transactions against the plainest model: a fork copies two maps, a rollback puts the copy back.
 */

interface Model {
  customers: Map<string, CustomerRow>
  rewards: Map<string, Row<'rewards'>>
  account: Account
  ids: number
}

interface Pair {
  state: State
  model: Model
}

type Write =
  | { kind: 'customer'; row: CustomerRow }
  | { kind: 'reward'; row: Row<'rewards'> }
  | { kind: 'delete'; collection: 'customers' | 'rewards'; id: string }
  | { kind: 'account'; account: Account }
  | { kind: 'id' }

type Step = { at: number } & ({ fork: true } | { writes: Write[]; commit: boolean })

const products = ['mk_1', 'mk_2']
const instants = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T02:00:00+02:00',
  '2025-01-01T00:00:00Z',
  '2026-06-01T00:00:00Z',
]
const versions = ['2025-05-05', '2026-10-13'] as const
const pool = 150

const rowId = (prefix: string) => fc.nat(pool).map((number) => `${prefix}_${number}`)

const customer: fc.Arbitrary<CustomerRow> = fc
  .record({
    id: rowId('cus'),
    product: fc.constantFrom(...products),
    created_at: fc.constantFrom(...instants),
    partner: fc.option(fc.nat(20).map(String), { nil: undefined }),
  })
  .map(({ partner, ...row }) => ({
    ...row,
    email: '',
    first_name: '',
    last_name: '',
    statuses: {},
    ...(partner === undefined ? {} : { partner_customer_id: partner }),
  }))

const reward: fc.Arbitrary<Row<'rewards'>> = fc.record({
  id: rowId('rwd'),
  customer_id: rowId('cus'),
  amount: fc.nat(),
  type: fc.constant('OFFER' as const),
  status: fc.constantFrom('PENDING' as const, 'AVAILABLE' as const),
  created_at: fc.constantFrom(...instants),
})

const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 4, arbitrary: customer.map((row) => ({ kind: 'customer' as const, row })) },
  { weight: 4, arbitrary: reward.map((row) => ({ kind: 'reward' as const, row })) },
  {
    weight: 3,
    arbitrary: fc.oneof(
      rowId('cus').map((id) => ({ kind: 'delete' as const, collection: 'customers' as const, id })),
      rowId('rwd').map((id) => ({ kind: 'delete' as const, collection: 'rewards' as const, id })),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...versions).map((version) => ({
      kind: 'account' as const,
      account: { saved_version: { sandbox: version, production: version } },
    })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'id' as const }) },
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ at: fc.nat(), fork: fc.constant(true as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      at: fc.nat(),
      commit: fc.boolean(),
      writes: fc.array(write, { minLength: 1, maxLength: 12 }),
    }),
  },
)

const newId = (place: number, prefix: string) => idAt(7, place, prefix)

const copyOf = (model: Model): Model => ({
  ...model,
  customers: new Map(model.customers),
  rewards: new Map(model.rewards),
})

function apply(write_: Write, tx: Transaction, model: Model): void {
  switch (write_.kind) {
    case 'customer':
      tx.put('customers', write_.row)
      model.customers.set(write_.row.id, write_.row)
      break
    case 'reward':
      tx.put('rewards', write_.row)
      model.rewards.set(write_.row.id, write_.row)
      break
    case 'delete':
      expect(tx.delete(write_.collection, write_.id)).toBe(model[write_.collection].delete(write_.id))
      break
    case 'account':
      tx.putAccount(write_.account)
      model.account = write_.account
      break
    case 'id':
      expect(tx.nextId('customers', 'new')).toBe(newId(model.ids, 'new'))
      model.ids++
      break
  }
}

function run(steps: readonly Step[], pairs: Pair[]): void {
  for (const next of steps) {
    const pair = pairs[next.at % pairs.length]
    if (!pair) continue
    if ('fork' in next) {
      // Past this number they only cost time.
      if (pairs.length < 8) pairs.push({ state: pair.state.fork(), model: copyOf(pair.model) })
      continue
    }
    const tx = new Transaction(pair.state, newId)
    const after = copyOf(pair.model)
    for (const one of next.writes) apply(one, tx, after)
    if (next.commit) {
      checkChanges(tx, pair.model, after)
      pair.model = after
    } else {
      tx.rollback()
      expect(tx.changes).toEqual([])
    }
  }
}

/** The changes of a transaction lead from what was to what is, each from the row that was there. */
function checkChanges(tx: Transaction, before: Model, after: Model): void {
  const replayed = copyOf(before)
  for (const { collection, id, before: from, after: to } of tx.changes) {
    if (collection === 'account') {
      expect(from).toBe(replayed.account)
      replayed.account = to as Account
      continue
    }
    expect(collection === 'customers' || collection === 'rewards').toBe(true)
    const rows = replayed[collection as 'customers' | 'rewards'] as Map<string, object>
    expect(from).toBe(rows.get(id))
    if (to) rows.set(id, to)
    else rows.delete(id)
  }
  expect({ ...replayed, ids: after.ids }).toEqual(after)
}

type Order = (a: CustomerRow | Row<'rewards'>, b: CustomerRow | Row<'rewards'>) => number
const byId: Order = (a, b) => (a.id < b.id ? -1 : 1)
const newest: Order = (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || byId(a, b)
const oldest: Order = (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || byId(a, b)

function check({ state, model }: Pair, order: Order): void {
  const customers = [...model.customers.values()]
  const rewards = [...model.rewards.values()]
  expect([...state.all('customers')]).toEqual(customers.toSorted(byId))
  expect([...state.all('rewards')]).toEqual(rewards.toSorted(byId))
  expect([state.size('customers'), state.size('rewards'), state.size('statements')]).toEqual([
    customers.length,
    rewards.length,
    0,
  ])
  expect([state.account, state.ids]).toEqual([model.account, model.ids])
  for (const number of [0, 1, 2, 75, pool]) {
    expect(state.get('customers', `cus_${number}`)).toBe(model.customers.get(`cus_${number}`))
    const own = rewards.filter((row) => row.customer_id === `cus_${number}`)
    expect(state.scan('rewards', 'by_customer', `cus_${number}`)).toEqual(own.toSorted(newest))
  }
  for (const product of products) {
    const own = customers.filter((row) => row.product === product).toSorted(order)
    expect(state.scan('customers', 'by_product', product)).toEqual(own)
    expect(state.count('customers', 'by_product', product)).toBe(own.length)
    const middle = own[Math.floor(own.length / 2)]
    if (middle) {
      const after = state.positionOf('customers', 'by_product', middle)
      expect(state.scan('customers', 'by_product', product, { after, limit: 5 })).toEqual(
        own.slice(own.indexOf(middle) + 1).slice(0, 5),
      )
    }
    for (const partner of ['0', '7', '20']) {
      const linked = own.filter((row) => row.partner_customer_id === partner).toSorted(byId)
      expect(state.find('customers', 'by_partner_customer_id', groupOf(product, partner))).toEqual(linked[0])
    }
  }
}

describe('states, forks and transactions, against a model of maps', () => {
  test.each([
    ['newest_first', newest],
    ['oldest_first', oldest],
    ['id', byId],
  ])('customers_order=%s', (customers_order, order) => {
    const assumptions = resolveAssumptions({ customers_order })
    fc.assert(
      fc.property(
        fc.array(customer, { minLength: 80, maxLength: 200, size: 'max' }),
        fc.array(reward, { minLength: 80, maxLength: 200, size: 'max' }),
        fc.array(step, { maxLength: 25, size: 'max' }),
        (customers, rewards, steps) => {
          const account = { saved_version: { sandbox: versions[1], production: versions[0] } }
          const state = State.empty(account, assumptions)
          for (const row of customers) state.put('customers', row)
          for (const row of rewards) state.put('rewards', row)
          const model = {
            customers: new Map(customers.map((row) => [row.id, row])),
            rewards: new Map(rewards.map((row) => [row.id, row])),
            account,
            ids: 0,
          }
          const pairs: Pair[] = [{ state, model }]
          run(steps, pairs)
          for (const pair of pairs) check(pair, order)
        },
      ),
      { numRuns: samples(60), seed: 20_261_121 },
    )
  })
})
