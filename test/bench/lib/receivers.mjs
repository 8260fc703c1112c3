import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { servedFile, work } from './fixtures.mjs'
import { load, writeScript } from './load.mjs'
import { onCore } from './machine.mjs'
import { shown } from './report.mjs'
import { endWithBench, startSandbox } from './server.mjs'
import { median, ratios, summary } from './stats.mjs'

const program = fileURLToPath(new URL('../programs/receiver.mjs', import.meta.url))

/** How a receiver misbehaves. */
const kinds = ['hang', 'reset', '500', '410', '302', '10mb', 'close', 'cut']

/** Starts the receiver of webhook events on the core of the load. */
export async function startReceiver() {
  const [command = '', ...args] = onCore(1, [process.execPath, program])
  const receiver = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithBench(receiver)
  const [port] = await once(receiver.stdout.setEncoding('utf8'), 'data')
  const url = `http://127.0.0.1:${String(port).trim()}`
  return {
    url,
    /** @returns {Promise<number[]>} the ages (ms) of the events that `/ok` received since the last call. */
    async arrivals() {
      const answer = await fetch(`${url}/arrivals`)
      return (await answer.json()).ages
    },
    stop: () => receiver.kill(),
  }
}

/**
 * Adds an endpoint to a sandbox.
 * @param {import('./server.mjs').Server} server
 * @param {string} url
 * @returns a function that removes it.
 */
export async function addEndpoint(server, url) {
  const endpoints = `${server.url}/_sandbox/webhook_endpoints`
  const added = await fetch(endpoints, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (!added.ok) throw new Error(`the endpoint was not added: ${added.status} ${await added.text()}`)
  const { id } = await added.json()
  return async () => {
    await fetch(`${endpoints}/${id}`, { method: 'DELETE' })
  }
}

/** @type {Promise<Record<'cpu' | 'p99', import('../index.mjs').Measured>> | undefined} */
let measured

/**
 * What a receiver of webhook events that misbehaves costs the calls that cause the events: W3 with / without it, in
 * turns on one server. The value is that of the worst kind.
 *
 * @param {import('../index.mjs').Context} context
 */
export function costOfReceivers(context) {
  return (measured ??= measure(context))
}

/** @param {import('../index.mjs').Context} context */
async function measure({ folder, quick }) {
  const script = writeScript(folder, 'receivers', work.W3())
  const server = await startSandbox(['--fixtures', servedFile(folder), '--webhooks', 'standard'])
  const receiver = await startReceiver()
  const spell = async () => {
    const before = await server.cpu()
    const { requests, p99 } = await load(server.url, script, 1)
    return { cpu: ((await server.cpu()) - before) / requests, p99 }
  }
  for (let warmUp = 0; warmUp < (quick ? 2 : 5); warmUp++) await spell()
  /** @type {Record<'cpu' | 'p99', { kind: string, value: number, min: number, max: number, text: string }[]>} */
  const results = { cpu: [], p99: [] }
  /** @param {string} kind */
  const spellWith = async (kind) => {
    const remove = await addEndpoint(server, `${receiver.url}/${kind}`)
    const result = await spell()
    await remove()
    return result
  }
  for (const kind of kinds) {
    /** @type {{ cpu: number, p99: number }[]} */
    const without = []
    /** @type {{ cpu: number, p99: number }[]} */
    const withIt = []
    for (let round = 0; round < (quick ? 3 : 15); round++) {
      // Each pair begins with the same rows; those of its first spell make the second a little slower.
      await fetch(`${server.url}/_sandbox/reset`, { method: 'POST' })
      await spell()
      const isFirst = round % 2 === 1
      if (isFirst) withIt.push(await spellWith(kind))
      without.push(await spell())
      if (!isFirst) withIt.push(await spellWith(kind))
    }
    for (const what of /** @type {const} */ (['cpu', 'p99'])) {
      const [above, below] = [withIt, without].map((spells) => spells.map((one) => one[what]))
      const { value, min, max } = summary(ratios(above ?? [], below ?? []))
      const unit = what === 'cpu' ? 'µs CPU' : 'ms'
      const text = `${kind.padEnd(6)} ${shown(value)} (${shown(min)}–${shown(max)}); ${shown(median(below ?? []))} → ${shown(median(above ?? []))} ${unit}`
      results[what].push({ kind, value, min, max, text })
    }
  }
  await server.stop()
  receiver.stop()
  return { cpu: worst(results.cpu), p99: worst(results.p99) }
}

/** @param {{ kind: string, value: number, min: number, max: number, text: string }[]} all */
function worst(all) {
  const [{ value, min, max }] = all.toSorted((one, other) => other.value - one.value)
  return { value, min, max, details: all.map(({ text }) => text), raw: all }
}
