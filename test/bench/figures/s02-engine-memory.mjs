import { startEngine, withEngine } from '../lib/engine.mjs'
import { shown } from '../lib/report.mjs'
import { startReplica } from '../lib/shared.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'S2',
  title: 'memory of the engine for 1,000 created rows of one workspace',
  ...withEngine(async ({ folder }) => {
    const engine = await startEngine()
    const replica = await startReplica(folder, engine)
    const kib = async () => (await engine.figures()).memory / 1024
    /** @param {string} kind @param {number} calls */
    const call = (kind, calls) => replica.ask({ kind, calls, clients: 32, workspaces: 1 })
    await call('read', 1000)
    const before = await kib()
    await call('create', 900)
    const log = ((await kib()) - before) / 0.9
    await call('create', 9100)
    const after = (await kib()) - before
    await replica.stop()
    engine.stop()
    return {
      details: [
        `${shown(Math.round(log))} KiB for the first; ${shown(Math.round(after / 10))} KiB for each 1,000 of 10,000, most of which the checkpoint has`,
      ],
      raw: { log, after },
    }
  }),
}
