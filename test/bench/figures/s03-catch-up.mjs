import { startEngine, withEngine } from '../lib/engine.mjs'
import { shown } from '../lib/report.mjs'
import { startReplica } from '../lib/shared.mjs'
import { median, summary } from '../lib/stats.mjs'

const behind = 20_000

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'S3',
  title: `to catch up ${behind.toLocaleString('en')} commits of one workspace, ms`,
  ...withEngine(async ({ folder, quick }) => {
    /** @type {Record<'log' | 'snapshot', { ms: number, cpu: number }[]>} */
    const raw = { log: [], snapshot: [] }
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      // Without a snapshot, and with one as usual.
      raw.log.push(await catchUp(folder, [String(10 * behind)]))
      raw.snapshot.push(await catchUp(folder, []))
    }
    const details = Object.entries(raw).map(
      ([how, spells]) =>
        `from the ${how}: ${shown(Math.round(median(spells.map(({ ms }) => ms))))} ms, ${shown(Math.round(median(spells.map(({ cpu }) => cpu / 1000))))} ms CPU of the replica`,
    )
    return { ...summary(raw.log.map(({ ms }) => ms)), details, raw }
  }),
}

/** @param {string} folder @param {string[]} snapshotEvery */
async function catchUp(folder, snapshotEvery) {
  const engine = await startEngine()
  const writing = await startReplica(folder, engine, snapshotEvery)
  const sleeping = await startReplica(folder, engine, snapshotEvery)
  // Its code is compiled, and it knows the beginning of the log.
  for (const kind of ['create', 'read'])
    await sleeping.ask({ kind, calls: 500, clients: 1, workspaces: 1, first: 1 })
  await sleeping.ask({ kind: 'read', calls: 1, clients: 1, workspaces: 1 })
  await writing.ask({ kind: 'create', calls: behind, clients: 256, workspaces: 1 })
  const spell = await sleeping.ask({ kind: 'read', calls: 1, clients: 1, workspaces: 1 })
  await Promise.all([writing.stop(), sleeping.stop()])
  engine.stop()
  return spell
}
