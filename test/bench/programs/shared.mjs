// A replica that is called in process: node shared.mjs LIBRARY STORE FIXTURES [ENTRIES], asked over IPC; ENTRIES is after
// how many commits a snapshot takes their place, where it is not as usual.
import { authorization, intentBody, work } from '../lib/fixtures.mjs'

const [, , library = '', store = '', fixtures = '', entries = ''] = process.argv
/** @type {{ createSandbox: (options: object, events: object) => Promise<any> }} */
const { createSandbox } = await import(library)
const snapshotEvery = { entries: Number(entries), bytes: Infinity, kept: Number(entries) }
const sandbox = await createSandbox({ fixtures, store }, entries === '' ? {} : { store: { snapshotEvery } })

/** @param {string} workspace */
const headersFor = (workspace) => ({ authorization: `${authorization}.${workspace}`, 'content-type': 'application/json' })
const paths = work.W1().map((text) => text.split(' ', 2)[1] ?? '')
const bodies = paths.map((_, at) => JSON.stringify(intentBody(at)))
const headers = Array.from({ length: 50 }, (_, at) => headersFor(`w${at}`))
let next = 0

/** @type {Record<string, (init: object) => Promise<Response>>} */
const kinds = {
  read: (init) => sandbox.fetch(paths[next % paths.length], init),
  create: (init) =>
    sandbox.fetch('/v2/transaction_intents', { ...init, method: 'POST', body: bodies[next % bodies.length] }),
}

/**
 * @param {{ kind: string, calls: number, clients: number, workspaces: number }} what
 * @returns {Promise<{ cpu: number, trips: number }>} of each call: microseconds of all threads, round trips.
 */
async function call({ kind, calls, clients, workspaces }) {
  const send = kinds[kind]
  const [trips, started] = [await roundTrips(), process.cpuUsage()]
  const end = next + calls
  const client = async () => {
    while (next < end) {
      const answer = send?.({ headers: headers[next++ % workspaces] })
      if (!answer) throw new Error(`no calls of kind ${kind}`)
      const { status } = await answer
      if (status >= 300) throw new Error(`a call was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const { user, system } = process.cpuUsage(started)
  return { cpu: (user + system) / calls, trips: ((await roundTrips()) - trips) / calls }
}

async function roundTrips() {
  return Number(/^sandbox_store_round_trips_total (\d+)/m.exec(await sandbox.metrics())?.[1])
}

/** @param {{ workspaces: number }} what */
async function reset({ workspaces }) {
  for (let at = 0; at < workspaces; at++) sandbox.workspace(`w${at}`).reset()
  await Promise.all(Array.from({ length: workspaces }, (_, at) => sandbox.workspace(`w${at}`).saved()))
  return {}
}

process.on('message', async (/** @type {any} */ question) => {
  process.send?.(await (question.ask === 'reset' ? reset(question) : call(question)))
})
process.on('disconnect', () => process.exit())
