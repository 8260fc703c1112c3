// In-process calls against the same calls over a loopback port, one after another, as a test makes them:
// node in-process.mjs LIBRARY, asked over IPC.
import { authorization } from '../lib/fixtures.mjs'

const [, , library = ''] = process.argv
/** @type {{ createSandbox: () => Promise<any> }} */
const { createSandbox } = await import(library)
const sandbox = await createSandbox()
const server = await sandbox.listen()
const path = '/v2/rewards/rwd_ada_pending'
const init = { headers: { authorization } }

/** @type {Record<string, () => Promise<Response>>} */
const doors = {
  'in process': () => sandbox.fetch(path, init),
  loopback: () => fetch(server.url + path, init),
}

process.on('message', async (/** @type {{ ask: string, milliseconds: number }} */ { ask, milliseconds }) => {
  const door = doors[ask]
  if (!door) throw new Error(`no door ${ask}`)
  const started = performance.now()
  let calls = 0
  while (performance.now() - started < milliseconds) {
    const answer = await door()
    await answer.text()
    if (answer.status !== 200) throw new Error(`the call answered ${answer.status}`)
    calls += 1
  }
  process.send?.({ perSecond: (calls * 1000) / (performance.now() - started) })
})
process.on('disconnect', () => process.exit())
