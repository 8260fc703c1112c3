/** A process of the sandbox that faults happen to, and calls over HTTP with a timeout. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type Agent } from 'node:http'
import { Printed } from '../helpers/printed.ts'
import { bin, codeCache } from '../helpers/processes.ts'
import { testNow } from '../helpers/sandbox.ts'

export class SandboxProcess {
  /** The same after a restart, so that a balancer finds it. */
  port = 0
  readonly log = new Printed()
  readonly #store: string
  #child: ChildProcess | undefined

  constructor(store: string) {
    this.#store = store
  }

  async start(): Promise<void> {
    const args = [
      'start',
      '--quiet',
      '--stop-with-parent',
      '--port',
      String(this.port),
      '--store',
      this.#store,
    ]
    const child = spawn(process.execPath, [bin, ...args, '--clock', testNow, '--frozen'], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', ...codeCache },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    const printed = new Printed()
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.log.add(text))
    child.stdout.setEncoding('utf8').on('data', (text: string) => printed.add(text))
    child.once('close', () => printed.end())
    const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(await printed.until(/127\.0\.0\.1:\d+/)) ?? []
    this.port = Number(port)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal)
  }

  /** Resolves with the exit code, or with undefined after SIGKILL. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | undefined> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return undefined
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = await ended
    return typeof code === 'number' ? code : undefined
  }
}

export interface Reply {
  readonly status: number
  readonly id: string | undefined
  /** In ms. */
  readonly retryAfter: number
  readonly body: string
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly json?: unknown
}

/** Resolves to undefined if no answer came in time. */
export function send(
  port: number,
  agent: Agent,
  { method, path, key, json }: Sent,
  timeoutMs: number,
): Promise<Reply | undefined> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  return new Promise((resolve) => {
    const call = httpRequest({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
    })
    const timer = setTimeout(() => call.destroy(), timeoutMs)
    const done = (reply: Reply | undefined): void => {
      clearTimeout(timer)
      resolve(reply)
    }
    call.on('error', () => done(undefined))
    call.on('close', () => done(undefined))
    call.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('error', () => done(undefined))
      response.on('end', () => {
        const { 'x-sandbox-request-id': id, 'retry-after': seconds } = response.headers
        const retryAfter = 1000 * Number(seconds ?? 0)
        done({
          status: response.statusCode ?? 0,
          id: id === undefined ? undefined : String(id),
          retryAfter,
          body: text,
        })
      })
    })
    call.end(body)
  })
}
