import { setTimeout as sleep } from 'node:timers/promises'
import { authorization, intentBody, servedFile, work } from './fixtures.mjs'
import { load, writeScript } from './load.mjs'
import { addEndpoint, startReceiver } from './receivers.mjs'
import { shown } from './report.mjs'
import { startSandbox } from './server.mjs'
import { median, percentile, ratios, summary } from './stats.mjs'

/** Creates a second of the paced load. */
const pace = 100

/** How long the last events of the paced load may take (ms). */
const grace = 500

/** @param {string} folder */
const startWithEvents = (folder) => startSandbox(['--fixtures', servedFile(folder), '--webhooks', 'standard'])

/** @param {import('./server.mjs').Server} server */
async function reset(server) {
  const answer = await fetch(`${server.url}/_sandbox/reset`, { method: 'POST' })
  if (!answer.ok) throw new Error(`the reset answered ${answer.status}: ${await answer.text()}`)
}

/**
 * The deliveries a second to one endpoint that answers immediately, while intents are created at a fixed pace. An event
 * counts if it arrives until half a second after the last create.
 *
 * @param {import('../index.mjs').Context} context
 * @returns {Promise<import('../index.mjs').Measured>}
 */
export async function pacedDeliveries({ folder, quick }) {
  const server = await startWithEvents(folder)
  const receiver = await startReceiver()
  const seconds = quick ? 2 : 3
  /** @type {{ rate: number, lag: number, created: number }[]} */
  const spells = []
  // The first round warms up.
  for (let round = -1; round < (quick ? 3 : 5); round++) {
    await reset(server)
    const remove = await addEndpoint(server, `${receiver.url}/ok`)
    const created = await createAtPace(server.url, seconds)
    await sleep(grace)
    const ages = await receiver.arrivals()
    await remove()
    // An attempt that was in flight belongs to no spell.
    await sleep(100)
    await receiver.arrivals()
    if (round >= 0) spells.push({ rate: ages.length / seconds, lag: percentile(ages, 0.99), created })
  }
  await server.stop()
  receiver.stop()
  const lag = summary(spells.map((one) => one.lag))
  return {
    ...summary(spells.map(({ rate }) => rate)),
    also: { target: lag.value <= 100, stretch: lag.value <= 20 },
    details: [
      `lag p99 ${shown(lag.value)} ms (${shown(lag.min)}–${shown(lag.max)}); target asks for ≤ 100 ms, stretch for ≤ 20 ms`,
      `${shown(median(spells.map(({ created }) => created / seconds)))} creates a second`,
    ],
    raw: spells,
  }
}

/**
 * Creates intents, each at its instant, without a wait for the answers of earlier ones.
 * @param {string} url
 * @param {number} seconds
 * @returns how many were created.
 */
async function createAtPace(url, seconds) {
  const started = performance.now()
  const count = seconds * pace
  const creates = []
  for (let at = 0; at < count; at++) {
    const wait = started + (at * 1000) / pace - performance.now()
    if (wait > 0) await sleep(wait)
    creates.push(create(url, at))
  }
  await Promise.all(creates)
  return count
}

/** @param {string} url @param {number} at */
async function create(url, at) {
  const answer = await fetch(`${url}/v2/transaction_intents`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(intentBody(at)),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`a create answered ${answer.status}: ${text}`)
}

/** @typedef {'none' | 'noEndpoint' | 'endpoint'} Setting */
/** @typedef {{ cpu: number, p99: number, requests: number, creates: number, deliveries: number, lag: number }} Spell */

/**
 * The cost of events: W3 without events, with events that no endpoint receives, and with one endpoint that answers
 * immediately, in turns.
 *
 * @param {import('../index.mjs').Context} context
 * @returns {Promise<Record<'noEndpoint' | 'deliveries' | 'cpu' | 'p99', import('../index.mjs').Measured>>}
 */
export function costOfEvents(context) {
  return context.once('events', () => measure(context))
}

/** @param {import('../index.mjs').Context} context */
async function measure({ folder, quick }) {
  const script = writeScript(folder, 'events', work.W3())
  const plain = await startSandbox(['--fixtures', servedFile(folder)])
  const withEvents = await startWithEvents(folder)
  const receiver = await startReceiver()

  /** @param {Setting} setting @returns {Promise<Spell>} */
  const spell = async (setting) => {
    const server = setting === 'none' ? plain : withEvents
    // Each spell begins with the same rows.
    await reset(server)
    const remove = setting === 'endpoint' ? await addEndpoint(server, `${receiver.url}/ok`) : undefined
    const before = await server.cpu()
    const { requests, seconds, p99 } = await load(server.url, script, 1)
    const cpu = ((await server.cpu()) - before) / requests
    const ages = await receiver.arrivals()
    await remove?.()
    if (remove) {
      // Attempts that were in flight belong to no spell.
      await sleep(100)
      await receiver.arrivals()
    }
    const lag = percentile(ages, 0.99)
    return { cpu, p99, requests, creates: requests / seconds, deliveries: ages.length / seconds, lag }
  }

  const settings = /** @type {const} */ (['none', 'noEndpoint', 'endpoint'])
  /** @type {Record<Setting, Spell[]>} */
  const results = { none: [], noEndpoint: [], endpoint: [] }
  for (const setting of settings) {
    // By requests, not by time: a slow server would be measured before its code is compiled.
    let created = 0
    for (let time = 0; time < 8 && created < (quick ? 10_000 : 30_000); time++)
      created += (await spell(setting)).requests
  }
  for (let round = 0; round < (quick ? 3 : 15); round++) {
    const order = round % 2 === 0 ? settings : settings.toReversed()
    for (const setting of order) results[setting].push(await spell(setting))
  }
  await Promise.all([plain.stop(), withEvents.stop()])
  receiver.stop()

  /** @param {Setting} setting @param {keyof Spell} what */
  const valuesOf = (setting, what) => results[setting].map((one) => one[what])
  /** @param {Setting} setting @param {'cpu' | 'p99'} what @returns {import('../index.mjs').Measured} */
  const compared = (setting, what) => {
    const [above, below] = [valuesOf(setting, what), valuesOf('none', what)]
    const unit = what === 'cpu' ? 'µs CPU' : 'ms'
    return {
      ...summary(ratios(above, below)),
      details: [`${shown(median(below))} → ${shown(median(above))} ${unit}`],
      raw: { above, below },
    }
  }
  const lag = summary(valuesOf('endpoint', 'lag'))
  const creates = median(valuesOf('endpoint', 'creates'))
  return {
    noEndpoint: compared('noEndpoint', 'cpu'),
    cpu: compared('endpoint', 'cpu'),
    p99: compared('endpoint', 'p99'),
    deliveries: {
      ...summary(valuesOf('endpoint', 'deliveries')),
      details: [
        `lag p99 of those that arrived ${shown(lag.value)} ms (${shown(lag.min)}–${shown(lag.max)}); ${shown(Math.round(creates))} creates a second`,
      ],
      raw: results.endpoint,
    },
  }
}
