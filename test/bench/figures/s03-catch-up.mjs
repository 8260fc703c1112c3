import { startEngine, withEngine } from '../lib/engine.mjs'
import { shown } from '../lib/report.mjs'
import { startReplica } from '../lib/shared.mjs'
import { median, summary } from '../lib/stats.mjs'

const rows = 20_000

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'S3',
  title: `to take over a workspace with ${rows.toLocaleString('en')} created rows, ms`,
  ...withEngine(async ({ folder, quick }) => {
    /** @type {{ ms: number, cpu: number }[]} */
    const raw = []
    for (let round = 0; round < (quick ? 1 : 5); round++) raw.push(await takeOver(folder))
    const details = [`${shown(Math.round(median(raw.map(({ cpu }) => cpu / 1000))))} ms CPU of the replica`]
    return { ...summary(raw.map(({ ms }) => ms)), details, raw }
  }),
}

/** @param {string} folder */
async function takeOver(folder) {
  const engine = await startEngine()
  const writing = await startReplica(folder, engine, 1)
  const next = await startReplica(folder, engine, 2)
  // Its code is compiled.
  for (const kind of ['create', 'read'])
    await next.ask({ kind, calls: 500, clients: 1, workspaces: 1, first: 2 })
  await writing.ask({ kind: 'create', calls: rows, clients: 256, workspaces: 1 })
  await writing.ask({ ask: 'close' })
  const spell = await next.ask({ kind: 'read', calls: 1, clients: 1, workspaces: 1 })
  await Promise.all([writing.stop(), next.stop()])
  engine.stop()
  return spell
}
