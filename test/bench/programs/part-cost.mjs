// What a request costs in a build of the library: node part-cost.mjs LIBRARY REQUESTS, asked over IPC for one turn of
// that many requests at a time.
import { authorization } from '../lib/fixtures.mjs'

const [, , library = '', perTurn = '1000'] = process.argv
const requests = Number(perTurn)

/** @type {{ createSandbox: () => Promise<any> }} */
const { createSandbox } = await import(library)
const sandbox = await createSandbox()
// One Request for all calls: building it costs as much as answering it.
const request = new Request('http://localhost/v2/rewards/rwd_ada_pending', { headers: { authorization } })

process.on('message', async () => {
  const started = process.cpuUsage()
  for (let call = 0; call < requests; call++) {
    const { status } = await sandbox.fetch(request)
    if (status !== 200) throw new Error(`the call answered ${status}`)
  }
  // Of all threads: those that collect garbage count too.
  const { user, system } = process.cpuUsage(started)
  process.send?.({ cpu: (user + system) / requests })
})
process.on('disconnect', () => process.exit())
