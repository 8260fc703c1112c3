// What calls cost on a state of N customers: node rows.mjs LIBRARY ROWS, asked over IPC. In a process of its own,
// so that the garbage collection of a large state is not paid by a small one.
import { authorization, customerId, intentBody, leanCustomer, partnerId } from '../lib/fixtures.mjs'

const [, , library = '', count = '0'] = process.argv
const rows = Number(count)

/** @type {{ createSandbox: (options: object) => Promise<any> }} */
const { createSandbox } = await import(library)
const loaded = performance.now()
const sandbox = await createSandbox({
  fixtures: { customers: Array.from({ length: rows }, (_, at) => leanCustomer(at)) },
  maxWorkspaces: 1_000_000,
})
const loading = performance.now() - loaded

/** The customers that are asked for: the same number at every size, spread over all of them. */
const requested = Array.from({ length: 1000 }, (_, at) => Math.floor((at * rows) / 1000))
/** Pages begin at the tenths of the list. */
const depths = Array.from({ length: 9 }, (_, at) => Math.floor(((at + 1) * rows) / 10))

const headers = { authorization }
/** @param {string} path @param {object} [init] */
const call = async (path, init = { headers }) => {
  const answer = await sandbox.fetch(path, init)
  const text = await answer.text()
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${text}`)
  return text
}
let turn = 0
/** @param {number[]} list */
const nextOf = (list) => list[turn++ % list.length] ?? 0
const create = () =>
  call('/v2/transaction_intents', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    // No customer of this state has a card.
    body: JSON.stringify({
      ...intentBody(turn),
      customer_id: customerId(nextOf(requested)),
      payment_method_id: undefined,
    }),
  })

const forked = sandbox.workspace('reset')
let forks = 0
const taken = forked.snapshot()
const takenOfDefault = sandbox.snapshot()

/** @type {Record<string, { times: number, run: () => unknown }>} */
const operations = {
  lookup: { times: 2000, run: () => call(`/v2/customers/${customerId(nextOf(requested))}/rewards_balance`) },
  search: {
    times: 1000,
    run: () => call(`/v2/customers?partner_customer_id=${partnerId(nextOf(requested))}`),
  },
  create: { times: 1000, run: create },
  page: {
    times: 200,
    run: () => call(`/v2/customers?limit=100&starting_after=${customerId(nextOf(depths))}`),
  },
  fork: { times: 1000, run: () => void sandbox.workspace(`w${forks++}`) },
  reset: { times: 10_000, run: () => void forked.reset() },
  snapshot: { times: 10_000, run: () => void forked.snapshot() },
  restore: { times: 10_000, run: () => forked.restore(taken) },
  'reset and first write': {
    times: 500,
    run: () => {
      sandbox.reset()
      return create()
    },
  },
  'restore and first write': {
    times: 500,
    run: () => {
      sandbox.restore(takenOfDefault)
      return create()
    },
  },
}

process.on('message', async (/** @type {{ ask: string }} */ { ask }) => {
  if (ask === 'ready') return process.send?.({ loading, rss: process.memoryUsage().rss })
  const operation = operations[ask]
  if (!operation) throw new Error(`no operation ${ask}`)
  const started = performance.now()
  for (let time = 0; time < operation.times; time++) {
    const done = operation.run()
    if (done instanceof Promise) await done
  }
  process.send?.({ nanoseconds: ((performance.now() - started) * 1e6) / operation.times })
})
process.on('disconnect', () => process.exit())
