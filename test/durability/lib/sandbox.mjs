import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The built command line. */
export const bin = fileURLToPath(new URL('../../../dist/bin.cjs', import.meta.url))

/**
 * @typedef {object} Running A sandbox in a process of its own.
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<string | undefined>} url undefined when it ended before it served.
 * @property {Promise<{ code: number | null, signal: string | null }>} ended
 * @property {() => string} err what it said on stderr.
 */

/**
 * @param {readonly string[]} args
 * @param {{ before?: readonly string[], env?: Record<string, string> }} [options] what the command is run by.
 * @returns {Running}
 */
export function launch(args, { before = [], env = {} } = {}) {
  const [program = '', ...rest] = [...before, process.execPath, bin, 'start', '--port', '0', ...args]
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  const text = { out: '', err: '' }
  child.stderr.setEncoding('utf8').on('data', (chunk) => (text.err = (text.err + chunk).slice(-20_000)))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  /** @type {Promise<string | undefined>} */
  const url = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text.out += chunk
      const found = /listening on (http:\S+)\n/.exec(text.out)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => resolve(undefined))
  })
  return { child, url, ended, err: () => text.err }
}

/**
 * Launches one and kills it at a moment that may come while it starts.
 * @param {readonly string[]} args
 * @param {Promise<unknown> | undefined} killAt never, where there is none.
 * @returns {Promise<{ running: Running, url: string } | undefined>} undefined when it did not live to serve.
 */
export async function launchUntil(args, killAt) {
  const running = launch(args)
  void killAt?.then(() => running.child.kill('SIGKILL'))
  const url = await running.url
  if (url !== undefined) return { running, url }
  const { signal } = await running.ended
  if (signal !== 'SIGKILL') throw new Error(`it did not start: ${running.err()}`)
  return undefined
}
