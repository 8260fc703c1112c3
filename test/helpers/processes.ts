import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { processIdentity } from '../../src/runtime/host.ts'
import { Printed } from './printed.ts'

/** Real processes of what users install; `npm test` builds it first. */
export const bin = resolve('dist/bin.cjs')

/** One cache of compiled code for all processes of tests, as the second start of a user has one. Node 20 has none. */
export const codeCache = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') }

export interface Running {
  process: ChildProcess
  out: () => string
  err: () => string
  /** Its output on stderr so far; see `Printed`. */
  errUntil: (end: RegExp) => Promise<string>
  /** The exit code, or the signal it died of. */
  ended: Promise<number | string | null>
}

/** A process that is gone, at the latest, when the test ends. */
export function launch(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Running {
  const { cwd = '/', env = {} } = options
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...codeCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [out, err] = [new Printed(), new Printed()]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.add(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.add(text))
  const ended = once(child, 'close').then(([code, signal]) => {
    err.end()
    return (code ?? signal) as number | string | null
  })
  return {
    process: child,
    out: () => out.text,
    err: () => err.text,
    errUntil: (end) => err.until(end),
    ended,
  }
}

/** A sandbox that serves in a process of its own. */
export async function started(
  args: readonly string[] = [],
  {
    nodeArgs = [],
    bin: program = bin,
    ...options
  }: { cwd?: string; env?: Record<string, string>; nodeArgs?: readonly string[]; bin?: string } = {},
): Promise<Running & { url: string; port: number }> {
  const child = launch([...nodeArgs, program, '--port', '0', ...args], options)
  await Promise.race([once(child.process.stdout as NodeJS.ReadableStream, 'data'), child.ended])
  const [, url = '', port = ''] = /(https?:\/\/127\.0\.0\.1:(\d+))/.exec(child.out()) ?? []
  if (url === '') throw new Error(`it did not start: ${child.out()}${child.err()}`)
  return { ...child, url, port: Number(port) }
}

/** Whether a process is gone; one that was killed is so as soon as the system has seen to it. */
export async function isGone(pid: number): Promise<boolean> {
  while (processIdentity(pid) !== undefined) await new Promise((wake) => setImmediate(wake))
  return true
}
