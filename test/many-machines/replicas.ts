/** Replicas of one sandbox on one engine, in this process or in their own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import type { Sandbox } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { connect } from '../../src/storage/redis/connect.ts'
import type { StoreTestHooks } from '../../src/storage/redis/open-store.ts'
import type { Engine } from '../../src/storage/redis/store-engine.ts'
import { StoreError } from '../../src/workspaces/storage.ts'
import { Printed } from '../helpers/printed.ts'
import { bin } from '../helpers/processes.ts'
import { testNow } from '../helpers/sandbox.ts'
import type { Cable } from './cable.ts'
import type { Fleet, Reply } from './fleet.ts'
import { comparable, headersOf, type SandboxRequest } from './requests.ts'
import { worldOptions } from './sandbox-model.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export interface Replica {
  start(): Promise<void>
  /** It stands still, with what it was about to do. */
  stop(): void
  resume(): void
  /** It is gone at once; what it was asked is never answered. */
  kill(): Promise<void>
  /** Undefined if no answer came; refused if no process accepted the call. */
  send(workspace: string, request: SandboxRequest): Promise<Answer | 'refused' | undefined>
  close(): Promise<void>
}

/** In this process: stopped and killed where it meets its cable. */
export class LocalReplica implements Replica {
  readonly #cable: Cable
  readonly #prefix: string
  readonly #testHooks: StoreTestHooks
  readonly #bugs: string[]
  #sandbox: Sandbox | undefined
  #engine: Engine | undefined
  #gone: Promise<undefined> = Promise.resolve(undefined)
  #leave: () => void = () => {}

  constructor(cable: Cable, prefix: string, bugs: string[], testHooks: StoreTestHooks) {
    this.#cable = cable
    this.#prefix = prefix
    this.#testHooks = {
      ...testHooks,
      connect: async (address, options) =>
        (this.#engine = await (testHooks.connect ?? connect)(address, options)),
    }
    this.#bugs = bugs
  }

  async start(): Promise<void> {
    this.#cable.mend()
    this.#gone = new Promise((resolve) => (this.#leave = () => resolve(undefined)))
    const store = { store: `redis://127.0.0.1:${this.#cable.port}`, storePrefix: this.#prefix }
    const onBug = (error: unknown): void =>
      void this.#bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    // Like an operator, restart it until it serves.
    while (!this.#sandbox) {
      this.#sandbox = await createSandbox(
        { ...worldOptions, ...store },
        { onBug, store: this.#testHooks },
      ).catch((error: unknown) => {
        if (error instanceof StoreError && error.exit === 4) return undefined
        throw error
      })
    }
  }

  stop(): void {
    this.#cable.hold()
  }

  resume(): void {
    this.#cable.mend()
  }

  async kill(): Promise<void> {
    this.#cable.cut()
    const sandbox = this.#sandbox
    this.#sandbox = undefined
    this.#leave()
    // Nothing that it was about to do is done any more.
    await this.#engine?.close()
    await sandbox?.close()
  }

  async send(workspace: string, request: SandboxRequest): Promise<Answer | 'refused' | undefined> {
    const { method, path, json } = request
    if (!this.#sandbox) return 'refused'
    const answered = this.#sandbox
      .fetch(path, {
        method,
        headers: headersOf(request, workspace),
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      .then(async (response) => {
        const { status, headers } = response
        return { status, headers, body: await response.text() }
      })
    return Promise.race([answered, this.#gone])
  }

  async close(): Promise<void> {
    await this.#sandbox?.close()
  }
}

/** The program that users start, in a process of its own. */
export class ProcessReplica implements Replica {
  readonly #cable: Cable
  readonly #prefix: string
  #child: ChildProcess | undefined
  #port = 0
  #agent = new Agent({ keepAlive: true })

  constructor(cable: Cable, prefix: string) {
    this.#cable = cable
    this.#prefix = prefix
  }

  async start(): Promise<void> {
    const args = ['start', '--port', '0', '--quiet', '--clock', testNow, '--frozen']
    args.push('--max-workspaces', String(worldOptions.maxWorkspaces))
    args.push('--store', `redis://127.0.0.1:${this.#cable.port}`, '--store-prefix', this.#prefix)
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child = child
    const printed = new Printed()
    child.stdout.setEncoding('utf8').on('data', (text: string) => printed.add(text))
    child.once('close', () => printed.end())
    const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(await printed.until(/127\.0\.0\.1:\d+/)) ?? []
    if (port === '') throw new Error('a replica did not start')
    this.#port = Number(port)
  }

  stop(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    this.#agent.destroy()
    this.#agent = new Agent({ keepAlive: true })
  }

  send(workspace: string, request: SandboxRequest): Promise<Answer | 'refused' | undefined> {
    const { method, path, json } = request
    const body = json === undefined ? undefined : JSON.stringify(json)
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    return new Promise((resolve) => {
      const sent = httpRequest({
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agent,
        method,
        path,
        headers: { ...headersOf(request, workspace), ...length },
      })
      sent.on('error', (error) =>
        resolve('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : undefined),
      )
      sent.on('response', (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', () => resolve(undefined))
        response.on('close', () => resolve(undefined))
        response.on('end', () => {
          const headers = new Headers()
          for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value))
          resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(pieces).toString() })
        })
      })
      sent.end(body)
    })
  }

  async close(): Promise<void> {
    await this.kill()
    this.#agent.destroy()
  }
}

/** Replicas as clients see them. */
export class ReplicaFleet implements Fleet {
  readonly #replicas: readonly Replica[]

  constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas
  }

  get replicas(): number {
    return this.#replicas.length
  }

  async ask(
    replica: number,
    workspace: string,
    request: SandboxRequest,
  ): Promise<Reply | 'refused' | undefined> {
    const answer = await this.#replicas[replica]?.send(workspace, request)
    if (!answer || answer === 'refused') return answer
    const { status, headers, body } = answer
    const commit = headers.get('x-sandbox-commit')
    const id = headers.get('x-sandbox-request-id')
    // The store was away, before the call or after it.
    if (status === 503 && commit === null) return body.includes('is not known') ? undefined : 'refused'
    return {
      status,
      answer: comparable(status, headers, body),
      body,
      version: commit === null ? undefined : Number(commit),
      ...(id === null ? {} : { id }),
    }
  }
}
