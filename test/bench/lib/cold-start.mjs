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
 * @returns {Started}
 */
export const sandboxStart = (name, path, args = [], env = {}) => ({
  name,
  path,
  env,
  command: (port) => [bin, 'start', '--port', String(port), ...args],
})

/**
 * The cold start of one server as a ratio to that of another, in turns.
 *
 * @param {Started} ours
 * @param {Started} other
 * @param {number} pairs
 * @returns {Promise<import('../index.mjs').Measured & { raw: { above: number[], below: number[] } }>}
 */
export async function compareColdStarts(ours, other, pairs) {
  /** @type {number[]} */
  const above = []
  /** @type {number[]} */
  const below = []
  // The first start of each fills the file cache.
  for (let pair = -1; pair < pairs; pair++) {
    const lower = await coldStart(other)
    const upper = await coldStart(ours)
    if (pair === -1) continue
    above.push(upper)
    below.push(lower)
  }
  const lowest = Math.min(...above) / Math.min(...below)
  return {
    ...summary(ratios(above, below)),
    value: median(above) / median(below),
    details: [
      ...[
        { name: ours.name, times: above },
        { name: other.name, times: below },
      ].map(({ name, times }) => {
        const { value, min, max } = summary(times)
        return `${name}: ${shown(value)} ms (${shown(min)}–${shown(max)})`
      }),
      `fastest / fastest: ${shown(lowest)}, of ${pairs} pairs`,
    ],
    raw: { above, below },
  }
}
