// A replica that is called in process: node shared.mjs LIBRARY STORE FIXTURES, with requests over IPC.
import { authorization, intentBody, work } from '../lib/fixtures.mjs'

const [, , library = '', store = '', fixtures = ''] = process.argv
/** @type {{ createSandbox: (options: object) => Promise<any> }} */
const { createSandbox } = await import(library)
const sandbox = await createSandbox({ fixtures, store })

/** @param {string} workspace */
const headersFor = (workspace) => ({
  authorization: `${authorization}.${workspace}`,
  'content-type': 'application/json',
})
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
 * @param {{ kind: string, calls: number, clients: number, workspaces: number, first?: number }} what of which so many
 * workspaces are called, from one on.
 * @returns {Promise<{ cpu: number, trips: number, ms: number }>} of each call: microseconds of all threads, round
 * trips; milliseconds of all of them.
 */
async function call({ kind, calls, clients, workspaces, first = 0 }) {
  const send = kinds[kind]
  const trips = await roundTrips()
  const [started, at] = [process.cpuUsage(), performance.now()]
  const end = next + calls
  const client = async () => {
    while (next < end) {
      const answer = send?.({ headers: headers[first + (next++ % workspaces)] })
      if (!answer) throw new Error(`no calls of kind ${kind}`)
      const { status } = await answer
      if (status >= 300) throw new Error(`a call was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const { user, system } = process.cpuUsage(started)
  const ms = performance.now() - at
  return { cpu: (user + system) / calls, trips: ((await roundTrips()) - trips) / calls, ms }
}

async function roundTrips() {
  return Number(/^sandbox_store_round_trips_total (\d+)/m.exec(await sandbox.metrics())?.[1])
}

/** @param {{ workspaces: number }} what */
async function reset({ workspaces }) {
  for (let at = 0; at < workspaces; at++) (await sandbox.open(`w${at}`)).reset()
  await Promise.all(Array.from({ length: workspaces }, (_, at) => sandbox.workspace(`w${at}`).saved()))
  return {}
}

process.on('message', async (/** @type {any} */ question) => {
  if (question.ask === 'close') return void process.send?.((await sandbox.close()) ?? {})
  process.send?.(await (question.ask === 'reset' ? reset(question) : call(question)))
})
process.on('disconnect', () => process.exit())
