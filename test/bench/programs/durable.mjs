// What acknowledged creations cost with --data on a state of N customers: node durable.mjs LIBRARY ROWS FOLDER, asked
// over IPC. After each measurement the state is reset, so that it keeps its size.
import { join } from 'node:path'
import { authorization, customerId, intentBody, leanCustomer } from '../lib/fixtures.mjs'

const [, , library = '', count = '0', folder = ''] = process.argv
const rows = Number(count)

/** @type {{ createSandbox: (options: object) => Promise<any> }} */
const { createSandbox } = await import(library)
const sandbox = await createSandbox({
  fixtures: { customers: Array.from({ length: rows }, (_, at) => leanCustomer(at)) },
  data: join(folder, `durable-${rows}.json`),
})

let made = 0
const create = async () => {
  const at = made++
  const answer = await sandbox.fetch('/v2/transaction_intents', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    // No customer of this state has a card.
    body: JSON.stringify({
      ...intentBody(at),
      customer_id: customerId((at * 7919) % rows),
      payment_method_id: undefined,
    }),
  })
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${await answer.text()}`)
}

/** @param {number} clients @param {number} each */
const creations = (clients, each) =>
  Promise.all(
    Array.from({ length: clients }, async () => {
      for (let time = 0; time < each; time++) await create()
    }),
  )

/** @type {Record<string, { times: number, run: () => Promise<unknown> }>} */
const operations = {
  'create, 50 clients': { times: 4000, run: () => creations(50, 80) },
  'create, one client': { times: 300, run: () => creations(1, 300) },
}

process.on('message', async (/** @type {{ ask: string }} */ { ask }) => {
  if (ask === 'ready') return process.send?.({ rss: process.memoryUsage().rss })
  const operation = operations[ask]
  if (!operation) throw new Error(`no operation ${ask}`)
  const started = performance.now()
  await operation.run()
  const nanoseconds = ((performance.now() - started) * 1e6) / operation.times
  sandbox.reset()
  await sandbox.saved()
  process.send?.({ nanoseconds })
})
process.on('disconnect', () => process.exit())
