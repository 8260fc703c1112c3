// What an idle workspace keeps: node workspaces.mjs LIBRARY COUNT, asked once over IPC. Workspaces come into being
// by requests with a key suffix, as those of parallel tests do.
import { authorization } from '../lib/fixtures.mjs'

const [, , library = '', count = '2000'] = process.argv
/** @type {{ createSandbox: (options: object) => Promise<any> }} */
const { createSandbox } = await import(library)
const sandbox = await createSandbox({ maxWorkspaces: 1_000_000 })

/** @param {string} prefix @param {number} times */
async function open(prefix, times) {
  for (let at = 0; at < times; at++) {
    const headers = { authorization: `${authorization}.${prefix}${at}` }
    const answer = await sandbox.fetch('/v2/rewards/rwd_ada_pending', { headers })
    await answer.text()
    if (answer.status !== 200) throw new Error(`the call answered ${answer.status}`)
  }
}

/** Collections free what the ones before them found. */
async function heap() {
  for (let time = 0; time < 4; time++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

process.on('message', async () => {
  await open('warm', 2000)
  const before = await heap()
  await open('idle', Number(count))
  process.send?.({ bytes: ((await heap()) - before) / Number(count) })
})
process.on('disconnect', () => process.exit())
