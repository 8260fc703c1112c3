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
 * @param {string[]} [more] arguments of the program.
 */
export async function startReplica(folder, engine, more = []) {
  const replica = new Program([program, library, engine.url, servedFile(folder), ...more], { core: 0 })
  await replica.ask({ kind: 'read', calls: 1, clients: 1, workspaces: 1, first: 1 })
  return replica
}

/**
 * @typedef {object} Spell What a call took, on average.
 * @property {number} cpu Microseconds of the replicas.
 * @property {number} engine Microseconds of the engine.
 * @property {number} trips Round trips to the engine.
 * @property {number} retries Turns that were lost to another replica.
 * @property {number} refused Calls that lost 20 times, and were answered 503.
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
      const script = writeScript(folder, `shared-${name}-${workspaces}`, inWorkspaces(name, workspaces))
      for (const size of sizes) {
        const spell = await spellOf(servers, engine, script, size)
        if (round >= 0) raw[label]?.[size]?.push(spell)
        // Created rows are not for the next spell to carry.
        if (name === 'W3') await Promise.all(resetOf(servers[0], workspaces))
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
      `redis-server ${version}; µs CPU of the replicas + of the engine, round trips a call (of 1,000 calls: turns lost, refused after 20), by connections`,
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
    const lost = `${of('retries', 1000)}, ${of('refused', 1000)}`
    return `${size}: ${of('cpu')} (${shown(min)}–${shown(max)}) + ${of('engine')}, ${of('trips')} (${lost})`
  })
  return cells.join(' · ')
}

/**
 * @param {Awaited<ReturnType<typeof startSandbox>>[]} servers
 * @param {import('./engine.mjs').Engine} engine
 * @param {string} script
 * @param {number} connections over all servers, one at each at least.
 * @returns {Promise<Spell>}
 */
async function spellOf(servers, engine, script, connections) {
  const read = async () => {
    const each = await Promise.all(
      servers.map(async (server) => ({ cpu: await server.cpu(), ...(await storeFigures(server.url)) })),
    )
    /** @param {'cpu' | 'trips' | 'retries'} field */
    const sum = (field) => each.reduce((total, figures) => total + figures[field], 0)
    return {
      cpu: sum('cpu'),
      engine: (await engine.figures()).cpu,
      trips: sum('trips'),
      retries: sum('retries'),
    }
  }
  const before = await read()
  const at = Math.ceil(connections / servers.length)
  const sent = await Promise.all(servers.map(({ url }) => loadAnyhow(url, script, 1, at)))
  const after = await read()
  const calls = sent.reduce((total, { requests }) => total + requests, 0)
  return {
    cpu: (after.cpu - before.cpu) / calls,
    engine: (after.engine - before.engine) / calls,
    trips: (after.trips - before.trips) / calls,
    retries: (after.retries - before.retries) / calls,
    refused: sent.reduce((total, { refused }) => total + refused, 0) / calls,
  }
}

/** @param {string} url */
async function storeFigures(url) {
  const text = await (await fetch(`${url}/_sandbox/metrics`)).text()
  /** @param {string} name */
  const of = (name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
  return { trips: of('sandbox_store_round_trips_total'), retries: of('sandbox_store_retries_total') }
}

/** The requests of a kind of work, spread over workspaces. @param {'W1' | 'W3'} name @param {number} count */
function inWorkspaces(name, count) {
  return work[name]().map((text, at) => text.replace(authorization, `${authorization}.w${at % count}`))
}

/** @param {{ url: string } | undefined} server @param {number} count */
function resetOf(server, count) {
  return Array.from({ length: count }, (_, at) =>
    fetch(`${server?.url}/_sandbox/reset?workspace=w${at}`, { method: 'POST' }),
  )
}
