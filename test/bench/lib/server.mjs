import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onCore } from './machine.mjs'

const probe = new URL('../programs/probe.mjs', import.meta.url).href
const references = fileURLToPath(new URL('../programs/references.mjs', import.meta.url))
/** L2. */
export const usefulApp = fileURLToPath(new URL('../programs/l2.mjs', import.meta.url))

/** The built command line. */
export const bin = fileURLToPath(new URL('../../../dist/bin.cjs', import.meta.url))
/** The built library. */
export const library = new URL('../../../dist/index.mjs', import.meta.url).href
/** The command line and the library of another build. @param {string} folder of its package. */
export function buildIn(folder) {
  const base = pathToFileURL(`${folder}/`)
  return {
    bin: fileURLToPath(new URL('dist/bin.cjs', base)),
    library: new URL('dist/index.mjs', base).href,
  }
}
/** The package itself. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** @param {import('node:child_process').ChildProcess} child */
export function endWithBench(child) {
  running.add(child)
  child.on('exit', () => running.delete(child))
}

/** Ends whatever is still running. */
export function stopAll() {
  for (const child of running) child.kill('SIGKILL')
}

/**
 * A process that answers questions over IPC, one at a time.
 */
export class Program {
  /** @param {string[]} command @param {{ core?: number, heapMb?: number }} [options] */
  constructor(command, { core, heapMb } = {}) {
    const node = [
      process.execPath,
      '--expose-gc',
      ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]),
      ...command,
    ]
    const [program, ...args] = core === undefined ? node : onCore(core, node)
    this.child = spawn(program ?? '', args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: environment() })
    this.stderr = ''
    this.child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.stderr = (this.stderr + text).slice(-2000)
    })
    endWithBench(this.child)
  }

  /**
   * @param {object} question
   * @returns {Promise<any>}
   */
  ask(question) {
    return new Promise((resolve, reject) => {
      const { child } = this
      const onExit = () => {
        reject(new Error(`a process of the bench ended: ${this.stderr.trim() || 'it said nothing'}`))
      }
      if (child.exitCode !== null || child.signalCode !== null) return onExit()
      child.once('exit', onExit)
      child.once('message', (answer) => {
        child.off('exit', onExit)
        resolve(answer)
      })
      child.send(question)
    })
  }

  async stop() {
    const { child } = this
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

/** A server on core 0 that says how much CPU and memory it took. */
export class Server extends Program {
  url = ''

  /**
   * @param {string[]} command
   * @returns {Promise<Server>} once it listens.
   */
  static async start(command) {
    const server = new Server(['--import', probe, ...command], { core: 0 })
    server.url = await server.#listening()
    return server
  }

  /** @returns {Promise<number>} CPU time so far in microseconds, all threads, user and system. */
  async cpu() {
    return (await this.ask({ ask: 'cpu' })).cpu
  }

  /** @returns {Promise<{ rss: number, heapUsed: number }>} after a garbage collection. */
  memory() {
    return this.ask({ ask: 'memory' })
  }

  /** @returns {Promise<string>} */
  #listening() {
    return new Promise((resolve, reject) => {
      let text = ''
      const { child } = this
      child.stdout?.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
        const url = /listening on (http:\S+)/.exec(text)?.[1]
        if (url !== undefined) resolve(url)
      })
      child.on('exit', () => reject(new Error(`a server did not start: ${this.stderr.trim()}`)))
    })
  }
}

/** @param {readonly string[]} [args] @param {string} [program] the command line of another build. */
export function startSandbox(args = [], program = bin) {
  return Server.start([program, 'start', '--port', '0', '--quiet', ...args])
}

/** L2: the calls of the load, written plainly with Hono and zod. @param {string} rows a file of rows. @param {string} key */
export function startUsefulApp(rows, key) {
  return Server.start([usefulApp, rows, key])
}

/**
 * L0 is raw `node:http`, L1 is Hono on @hono/node-server; both answer the texts of a file and do nothing else.
 * @param {'L0' | 'L1'} name
 * @param {string} answers
 */
export function startReference(name, answers) {
  return Server.start([references, name, answers])
}

/** The environment without what would change how a sandbox starts. */
function environment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SANDBOX_|NODE_OPTIONS$)/.test(name)),
  )
}
