import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { authorization } from './fixtures.mjs'
import { shown } from './report.mjs'
import { bin } from './server.mjs'
import { median, ratios, summary } from './stats.mjs'

/** The least that a server can be. */
const oneLine = "require('node:http').createServer((q,s)=>s.end('ok')).listen(process.argv[1],'127.0.0.1')"

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * @typedef {object} Started
 * @property {string} name
 * @property {string} path What is asked for.
 * @property {(port: number) => string[]} command What node is to run.
 * @property {Record<string, string>} [env] What its environment has beside ours.
 */

/**
 * Starts a server and calls it until it answers 200.
 *
 * @param {Started} server
 * @param {NodeJS.Signals} [end] what ends it.
 * @returns {Promise<number>} milliseconds from spawn to the first 200.
 */
async function coldStart({ command, path, env }, end = 'SIGKILL') {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, command(port), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const ended = once(child, 'exit')
  try {
    while (!(await answers200(port, path))) {
      if (child.exitCode !== null) throw new Error(`a server did not start: ${stderr.slice(-500)}`)
      if (performance.now() - started > 30_000) throw new Error('a server did not answer 200 within 30 s')
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return performance.now() - started
  } finally {
    child.kill(end)
    await ended
  }
}

/**
 * One call on a connection of its own; false when nobody listens yet.
 * @param {number} port
 * @param {string} path
 * @returns {Promise<boolean>}
 */
function answers200(port, path) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.on('connect', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\n\r\n`)
    })
    socket.on('data', (bytes) => {
      resolve(bytes.toString('latin1', 0, 12) === 'HTTP/1.1 200')
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}

/**
 * A start that ends of its own accord, and so leaves what it keeps for later ones.
 * @param {Started} server
 */
export async function startAndEnd(server) {
  await coldStart(server, 'SIGTERM')
}

/** @type {Started} */
export const oneLineServer = {
  name: 'one-line node:http server',
  path: '/',
  command: (port) => ['-e', oneLine, String(port)],
}

/**
 * @param {string} name
 * @param {string} path
 * @param {string[]} [args]
 * @param {Record<string, string>} [env]
 * @param {string} [program] the command line of another build.
 * @returns {Started}
 */
export const sandboxStart = (name, path, args = [], env = {}, program = bin) => ({
  name,
  path,
  env,
  command: (port) => [program, 'start', '--port', String(port), ...args],
})

/**
 * The milliseconds of cold starts in turns, by server.
 *
 * @param {readonly Started[]} servers
 * @param {number} rounds
 * @returns {Promise<number[][]>}
 */
export async function coldStartsInTurns(servers, rounds) {
  /** @type {number[][]} */
  const times = servers.map(() => [])
  // The first start of each fills the file cache.
  for (let round = -1; round < rounds; round++) {
    for (const [at, server] of servers.entries()) {
      const milliseconds = await coldStart(server)
      if (round >= 0) times[at]?.push(milliseconds)
    }
  }
  return times
}

/** @param {Started} server @param {readonly number[]} times */
export function startLine({ name }, times) {
  const { value, min, max } = summary(times)
  return `${name}: ${shown(value)} ms (${shown(min)}–${shown(max)})`
}

/**
 * The cold start of one server as a ratio to that of another.
 *
 * @param {Started} ours
 * @param {Started} other
 * @param {number} pairs
 * @param {Started} [before] the same as ours, of the build of `--before`.
 * @returns {Promise<import('../index.mjs').Measured>}
 */
export async function compareColdStarts(ours, other, pairs, before) {
  const servers = [other, ours, ...(before ? [before] : [])]
  const [below = [], above = [], earlier = []] = await coldStartsInTurns(servers, pairs)
  const lowest = Math.min(...above) / Math.min(...below)
  return {
    ...summary(ratios(above, below)),
    value: median(above) / median(below),
    ...(before && { sinceBefore: ratios(above, earlier) }),
    details: [
      startLine(ours, above),
      startLine(other, below),
      ...(before ? [startLine(before, earlier)] : []),
      `fastest / fastest: ${shown(lowest)}, of ${pairs} pairs`,
    ],
    raw: { above, below, earlier },
  }
}
