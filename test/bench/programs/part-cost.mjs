// What a request costs in two builds of the library, in one process and in turns, so that whatever disturbs the
// machine disturbs both: node part-cost.mjs WITH WITHOUT REQUESTS, asked over IPC for a number of rounds.
import { authorization } from '../lib/fixtures.mjs'

const [, , withPart = '', withoutPart = '', perTurn = '1000'] = process.argv

/** @param {string} library */
async function caller(library) {
  /** @type {{ createSandbox: () => Promise<any> }} */
  const { createSandbox } = await import(library)
  const sandbox = await createSandbox()
  // One Request for all calls: building it costs as much as answering it.
  const request = new Request('http://localhost/v2/rewards/rwd_ada_pending', { headers: { authorization } })
  return async () => {
    const started = process.cpuUsage()
    for (let call = 0; call < Number(perTurn); call++) {
      const { status } = await sandbox.fetch(request)
      if (status !== 200) throw new Error(`the call answered ${status}`)
    }
    const { user, system } = process.cpuUsage(started)
    return (user + system) / Number(perTurn)
  }
}

const callers = [await caller(withPart), await caller(withoutPart)]

process.on('message', async (/** @type {{ rounds: number }} */ { rounds }) => {
  /** @type {number[][]} */
  const cpu = [[], []]
  for (let round = 0; round < rounds; round++) {
    // Each goes first in every other round, so that neither always follows the other.
    for (const turn of round % 2 === 0 ? [0, 1] : [1, 0])
      cpu[turn]?.push((await callers[turn]?.()) ?? Number.NaN)
  }
  process.send?.({ on: cpu[0], off: cpu[1] })
})
process.on('disconnect', () => process.exit())
