import { fileURLToPath } from 'node:url'
import { startEngine } from './engine.mjs'
import { authorization, servedFile, work } from './fixtures.mjs'
import { loadAnyhow, writeScript } from './load.mjs'
import { shown } from './report.mjs'
import { library, Program, startSandbox } from './server.mjs'
import { median, ratios, summary } from './stats.mjs'

const program = fileURLToPath(new URL('../programs/shared.mjs', import.meta.url))

/**
 * A replica that is called in process.
 * @param {string} folder
 * @param {import('./engine.mjs').Engine} engine
 * @param {number} [first] the number of the workspace of its first call.
 */
export async function startReplica(folder, engine, first = 1) {
  const replica = new Program([program, library, engine.url, servedFile(folder)], { core: 0 })
  await replica.ask({ kind: 'read', calls: 1, clients: 1, workspaces: 1, first })
  return replica
}

/**
 * @typedef {object} Spell What a call took, on average.
 * @property {number} cpu Microseconds of the replicas.
 * @property {number} engine Microseconds of the engine.
 * @property {number} trips Round trips to the engine.
 * @property {number} refused Calls that were answered 503.
 */

/**
 * What calls cost with a shared store, by replicas, workspaces and connections, and without one.
 *
 * @param {import('../index.mjs').Context} context
 * @param {'W1' | 'W3'} name
 * @returns {Promise<import('../index.mjs').Measured>}
 */
export async function costOfSharing({ folder, quick }, name) {
  const engine = await startEngine()
  const options = ['--fixtures', servedFile(folder)]
  const alone = await startSandbox(options)
  // The second one takes the baseline of the first.
  const replicas = [await startSandbox([...options, '--store', engine.url])]
  replicas.push(await startSandbox([...options, '--store', engine.url]))
  /** @type {{ label: string, servers: typeof replicas, workspaces: number }[]} */
  const settings = [{ label: 'no store', servers: [alone], workspaces: 1 }]
  for (const count of [1, 2])
    for (const workspaces of [1, 50])
      settings.push({
        label: `${count} replica${count > 1 ? 's' : ''}, ${workspaces} workspace${workspaces > 1 ? 's' : ''}`,
        servers: replicas.slice(0, count),
        workspaces,
      })
  const sizes = quick ? [32] : [1, 32, 256]
  /** @type {Record<string, Record<number, Spell[]>>} */
  const raw = Object.fromEntries(
    settings.map(({ label }) => [label, Object.fromEntries(sizes.map((size) => [size, []]))]),
  )
  for (let round = -2; round < (quick ? 3 : 5); round++) {
    for (const { label, servers, workspaces } of settings) {
      // Each replica owns workspaces of its own.
      const scripts = servers.map((server) => {
        const begin = `r${replicas.indexOf(server)}w`
        return writeScript(
          folder,
          `shared-${name}-${workspaces}-${begin}`,
          inWorkspaces(name, begin, workspaces),
        )
      })
      for (const size of sizes) {
        const spell = await spellOf(servers, engine, scripts, size)
        if (round >= 0) raw[label]?.[size]?.push(spell)
        // Created rows are not for the next spell to carry.
        if (name === 'W3')
          await Promise.all(
            servers.flatMap((server) => resetOf(server, `r${replicas.indexOf(server)}w`, workspaces)),
          )
      }
    }
  }
  await Promise.all([alone, ...replicas].map((server) => server.stop()))
  const { version } = await engine.figures()
  engine.stop()
  /** @param {string} label */
  const cpuOf = (label) => (raw[label]?.[32] ?? []).map(({ cpu }) => cpu)
  return {
    ...summary(ratios(cpuOf('1 replica, 1 workspace'), cpuOf('no store'))),
    details: [
      `redis-server ${version}; µs CPU of the replicas + of the engine, round trips a call (of 1,000 calls: refused), by connections`,
      ...Object.entries(raw).map(([label, bySize]) => `${label}: ${lineOf(bySize)}`),
    ],
    raw,
  }
}

/** @param {Record<number, Spell[]>} bySize */
function lineOf(bySize) {
  const cells = Object.entries(bySize).map(([size, spells]) => {
    /** @param {keyof Spell} field */
    const of = (field, times = 1) => shown(times * median(spells.map((spell) => spell[field])))
    const { min, max } = summary(spells.map(({ cpu }) => cpu))
    return `${size}: ${of('cpu')} (${shown(min)}–${shown(max)}) + ${of('engine')}, ${of('trips')} (${of('refused', 1000)})`
  })
  return cells.join(' · ')
}

/**
 * @param {Awaited<ReturnType<typeof startSandbox>>[]} servers
 * @param {import('./engine.mjs').Engine} engine
 * @param {string[]} scripts one for each server.
 * @param {number} connections over all servers, one at each at least.
 * @returns {Promise<Spell>}
 */
async function spellOf(servers, engine, scripts, connections) {
  const read = async () => {
    const each = await Promise.all(
      servers.map(async (server) => ({ cpu: await server.cpu(), ...(await storeFigures(server.url)) })),
    )
    /** @param {'cpu' | 'trips'} field */
    const sum = (field) => each.reduce((total, figures) => total + figures[field], 0)
    return {
      cpu: sum('cpu'),
      engine: (await engine.figures()).cpu,
      trips: sum('trips'),
    }
  }
  const before = await read()
  const at = Math.ceil(connections / servers.length)
  const sent = await Promise.all(
    servers.map(({ url }, index) => loadAnyhow(url, scripts[index] ?? '', 1, at)),
  )
  const after = await read()
  const calls = sent.reduce((total, { requests }) => total + requests, 0)
  return {
    cpu: (after.cpu - before.cpu) / calls,
    engine: (after.engine - before.engine) / calls,
    trips: (after.trips - before.trips) / calls,
    refused: sent.reduce((total, { refused }) => total + refused, 0) / calls,
  }
}

/** @param {string} url */
async function storeFigures(url) {
  const text = await (await fetch(`${url}/_sandbox/metrics`)).text()
  return { trips: Number(/^sandbox_store_round_trips_total (\d+)/m.exec(text)?.[1]) }
}

/** The requests of a kind of work, spread over workspaces. @param {'W1' | 'W3'} name @param {string} begin of their names. @param {number} count */
function inWorkspaces(name, begin, count) {
  return work[name]().map((text, at) => text.replace(authorization, `${authorization}.${begin}${at % count}`))
}

/** @param {{ url: string }} server @param {string} begin @param {number} count */
function resetOf(server, begin, count) {
  return Array.from({ length: count }, (_, at) =>
    fetch(`${server.url}/_sandbox/reset?workspace=${begin}${at}`, { method: 'POST' }),
  )
}
