import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { authorization, key, servedFile, work } from './fixtures.mjs'
import { hasWrk, onCore } from './machine.mjs'
import { shown } from './report.mjs'
import { median, ratios, summary } from './stats.mjs'
import { buildIn, startReference, startSandbox, startUsefulApp } from './server.mjs'

const client = fileURLToPath(new URL('../programs/client.mjs', import.meta.url))

/** Connections that are kept alive, each with one request in flight. */
const usualConnections = 32

/**
 * @typedef {object} Sent What one spell of load came to.
 * @property {number} requests
 * @property {number} seconds
 * @property {number} p50 Milliseconds.
 * @property {number} p99 Milliseconds.
 */

/**
 * Loads a server for some seconds from core 1.
 * @param {string} url
 * @param {string} script what to send, in the form that the load generator reads.
 * @param {number} seconds
 * @param {number} [connections]
 * @returns {Promise<Sent>}
 * @throws {Error} when some of them are not answered with a 2xx.
 */
export async function load(url, script, seconds, connections = usualConnections) {
  const { refused, ...sent } = await loadAnyhow(url, script, seconds, connections)
  if (refused > 0) throw new Error(`${refused} requests were not answered with a 2xx`)
  return sent
}

/**
 * The same, with how many were refused.
 * @param {string} url
 * @param {string} script
 * @param {number} seconds
 * @param {number} connections
 * @returns {Promise<Sent & { refused: number }>}
 */
export async function loadAnyhow(url, script, seconds, connections) {
  const command = hasWrk
    ? ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]
    : [process.execPath, client, url, script, String(seconds), String(connections)]
  const [program, ...args] = onCore(1, command)
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk
  const line = /^RESULT (.*)$/m.exec(text)?.[1]
  if (line === undefined) throw new Error(`the load generator failed: ${text.slice(-500)}`)
  return JSON.parse(line)
}

/**
 * The requests in the form that the load generator reads.
 * @param {string} folder
 * @param {string} name
 * @param {string[]} requests
 */
export function writeScript(folder, name, requests) {
  const path = join(folder, `${name}.${hasWrk ? 'lua' : 'json'}`)
  writeFileSync(path, hasWrk ? luaScript(requests) : JSON.stringify(requests))
  return path
}

/** @param {string[]} requests */
function luaScript(requests) {
  return `local requests = {
${requests.map((text) => JSON.stringify(text)).join(',\n')}
}
local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local errors = summary.errors
  local refused = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('RESULT {"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"refused":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, refused))
end
`
}

/**
 * The texts that the references answer: those that the sandbox answers.
 * @param {string} folder
 * @returns {Promise<string>}
 */
async function writeAnswers(folder) {
  const sandbox = await startSandbox(['--fixtures', servedFile(folder)])
  /** @param {string} text */
  const answerTo = async (text) => {
    const [head = '', body] = text.split('\r\n\r\n')
    const [method = '', path = ''] = head.split(' ')
    const answer = await fetch(sandbox.url + path, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.text()
  }
  const [reward = '', customers = '', intent = ''] = await Promise.all(
    [work.W1, work.W2, work.W3].map((requestsOf) => answerTo(requestsOf()[0] ?? '')),
  )
  await sandbox.stop()
  const path = join(folder, 'answers.json')
  writeFileSync(path, JSON.stringify({ reward, customers, intent }))
  return path
}

/** @typedef {(Sent & { cpu: number })[]} Spells A value for each round. */
/** @typedef {Record<'L0' | 'L1' | 'L2' | 'ours', Spells> & { before?: Spells }} LoadResults By server. */

/**
 * CPU per request, throughput and latency of one kind of work against L0, L1, L2, the sandbox and the build of --before, in turns.
 *
 * @param {import('../index.mjs').Context} context
 * @param {keyof typeof work} name
 * @returns {Promise<LoadResults>}
 */
export function measureLoad(context, name) {
  return context.once(name, () => loadInTurns(context, name))
}

/** @param {import('../index.mjs').Context} context @param {keyof typeof work} name */
async function loadInTurns(context, name) {
  const { folder, quick, before: otherBuild } = context
  const answers = await context.once('answers', () => writeAnswers(folder))
  const script = writeScript(folder, name, work[name]())
  // Created intents stay, so that their number is bounded by the rounds.
  const rounds = quick ? 2 : 15
  const warmUp = quick ? 10_000 : 30_000
  const contenders = {
    L0: () => startReference('L0', answers),
    L1: () => startReference('L1', answers),
    L2: () => startUsefulApp(servedFile(folder), key),
    ours: () => startSandbox(['--fixtures', servedFile(folder)]),
    ...(otherBuild !== undefined && {
      before: () => startSandbox(['--fixtures', servedFile(folder)], buildIn(otherBuild).bin),
    }),
  }
  /** @typedef {keyof LoadResults} Contender */
  const names = /** @type {Contender[]} */ (Object.keys(contenders))
  /** @type {LoadResults} */
  const results = { L0: [], L1: [], L2: [], ours: [], ...(otherBuild !== undefined && { before: [] }) }

  const servers = []
  for (const contender of names) {
    const server = await /** @type {NonNullable<(typeof contenders)[Contender]>} */ (contenders[contender])()
    // By requests, not by time: a slow server would be measured before its code is compiled.
    let sent = 0
    for (let spell = 0; spell < 8 && sent < warmUp; spell++)
      sent += (await load(server.url, script, 1)).requests
    servers.push({ contender, server })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { contender, server } of servers) {
      const cpuBefore = await server.cpu()
      const sent = await load(server.url, script, 1)
      results[contender]?.push({ ...sent, cpu: ((await server.cpu()) - cpuBefore) / sent.requests })
    }
  }
  await Promise.all(servers.map(({ server }) => server.stop()))
  return results
}

/**
 * The CPU per request of one kind of work: L2 / ours.
 *
 * @param {import('../index.mjs').Context} context
 * @param {keyof typeof work} name
 * @returns {Promise<import('../index.mjs').Measured>}
 */
export async function compareUnderLoad(context, name) {
  const results = await measureLoad(context, name)
  /** @param {readonly (Sent & { cpu: number })[]} spells */
  const cpuOf = (spells) => spells.map(({ cpu }) => cpu)
  return {
    ...summary(ratios(cpuOf(results.L2), cpuOf(results.ours))),
    ...(results.before && { sinceBefore: ratios(cpuOf(results.ours), cpuOf(results.before)) }),
    details: Object.entries(results).map(([contender, rows]) => {
      const cpu = summary(cpuOf(rows))
      const throughput = median(rows.map(({ requests, seconds: spent }) => requests / spent))
      const p50 = median(rows.map((sent) => sent.p50))
      const p99 = median(rows.map((sent) => sent.p99))
      return (
        `${contender.padEnd(6)}  ${shown(cpu.value)} µs CPU (${shown(cpu.min)}–${shown(cpu.max)}), ` +
        `${shown(Math.round(throughput))} requests/s, p50 ${shown(p50)} ms, p99 ${shown(p99)} ms`
      )
    }),
    raw: results,
  }
}
