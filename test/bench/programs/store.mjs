// What the store alone costs with N customers: node store.mjs STORE ROWS, asked over IPC; STORE is a bundle of
// src/store/state.ts. Each operation is so short that it is run many times between two readings of the clock.
import { customerId, leanCustomer, partnerId } from '../lib/fixtures.mjs'

const [, , store = '', count = '0'] = process.argv
const rows = Number(count)

/** @type {{ State: any }} */
const { State } = await import(store)
const account = { saved_version: { sandbox: '2026-10-13', production: '2025-05-05' } }
const baseline = State.empty(account, { customers_order: 'newest_first' })
const loaded = performance.now()
for (let at = 0; at < rows; at++) baseline.put('customers', leanCustomer(at))
const loading = performance.now() - loaded
const state = baseline.fork()

const requested = Array.from({ length: 1000 }, (_, at) => Math.floor((at * rows) / 1000))
const ids = requested.map(customerId)
const groups = requested.map((at) => `mk_summit\u0001${partnerId(at)}`)
const places = Array.from({ length: 9 }, (_, at) =>
  state.positionOf(
    'customers',
    'by_product',
    state.get('customers', customerId(Math.floor(((at + 1) * rows) / 10))),
  ),
)
// New rows go between the others, not behind the last one.
const fresh = Array.from({ length: 100_000 }, (_, at) => {
  const beside = Math.floor(((at * 7919) % 100_003) * (rows / 100_003))
  return {
    ...leanCustomer(beside),
    id: `${customerId(beside)}_${at}`,
    partner_customer_id: `${partnerId(beside)}_${at}`,
  }
})
let turn = 0
let made = 0
/** @type {unknown} */
let sink

/** @type {Record<string, { times: number, run: () => unknown }>} */
const operations = {
  lookup: { times: 20_000, run: () => state.get('customers', ids[turn++ % ids.length]) },
  search: {
    times: 10_000,
    run: () => state.find('customers', 'by_partner_customer_id', groups[turn++ % groups.length]),
  },
  create: { times: 2000, run: () => state.put('customers', fresh[made++]) },
  page: {
    times: 1000,
    run: () =>
      state.scan('customers', 'by_product', 'mk_summit', {
        after: places[turn++ % places.length],
        limit: 101,
      }),
  },
  fork: { times: 5000, run: () => baseline.fork() },
  'fork and first write': {
    times: 1000,
    run: () => baseline.fork().put('customers', fresh[turn++ % fresh.length]),
  },
}

process.on('message', (/** @type {{ ask: string }} */ { ask }) => {
  if (ask === 'ready') return process.send?.({ loading, rss: process.memoryUsage().rss })
  const operation = operations[ask]
  if (!operation) throw new Error(`no operation ${ask}`)
  const started = performance.now()
  for (let time = 0; time < operation.times; time++) sink = operation.run()
  process.send?.({ nanoseconds: ((performance.now() - started) * 1e6) / operation.times, last: typeof sink })
})
process.on('disconnect', () => process.exit())
