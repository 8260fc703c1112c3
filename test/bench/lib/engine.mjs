import { execFile, spawn, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from './cold-start.mjs'
import { onCore } from './machine.mjs'
import { endWithBench } from './server.mjs'

const execute = promisify(execFile)

/** Whether there is an engine for a shared store. */
const hasEngine = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0

/**
 * What a figure needs that is measured with an engine; without one, why it is not measured.
 * @param {NonNullable<import('../index.mjs').Figure['run']>} run
 * @returns {Pick<import('../index.mjs').Figure, 'run' | 'skipped'>}
 */
export function withEngine(run) {
  return hasEngine ? { run } : { skipped: 'redis-server is not installed' }
}

/**
 * @typedef {object} EngineFigures
 * @property {string} version
 * @property {number} cpu Microseconds so far.
 * @property {number} memory Bytes in use.
 *
 * @typedef {object} Engine
 * @property {string} url For `--store`.
 * @property {() => Promise<EngineFigures>} figures
 * @property {() => void} stop
 */

/**
 * An engine on core 1, beside the load, that keeps nothing on the disk.
 * @returns {Promise<Engine>}
 */
export async function startEngine() {
  const port = String(await freePort())
  const options = [
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--maxmemory-policy',
    'noeviction',
  ]
  const [program, ...args] = onCore(1, ['redis-server', '--port', port, ...options])
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  endWithBench(child)
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.includes('Ready to accept connections')) break
  }
  child.stdout.resume()
  return {
    url: `redis://127.0.0.1:${port}`,
    async figures() {
      const { stdout } = await execute('redis-cli', ['-p', port, 'info'])
      /** @param {string} name */
      const field = (name) => new RegExp(`^${name}:(\\S+)`, 'm').exec(stdout)?.[1] ?? ''
      return {
        version: field('redis_version'),
        cpu: (Number(field('used_cpu_user')) + Number(field('used_cpu_sys'))) * 1e6,
        memory: Number(field('used_memory')),
      }
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
