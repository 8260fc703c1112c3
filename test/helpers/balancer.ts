// Starts replicas of the sandbox as processes of their own, and haproxy with a configuration of the docs before them.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { folderWith } from './fake-io.ts'
import { Printed } from './printed.ts'
import { bin } from './processes.ts'
import { freePort } from './free-port.ts'

const names = ['one', 'two', 'three'] as const
/** The servers of the configurations, by name. */
export type ReplicaName = (typeof names)[number]

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  body?: object
  /** Gives the answer up once its head has come: for what never ends. */
  headOnly?: boolean
  /** On a connection of its own. */
  alone?: boolean
}

export interface Answered {
  status: number
  /** The replica that answered; undefined if haproxy did itself. */
  replica: ReplicaName | undefined
  body: string
}

/** Replicas with different clocks, by which each answer names its replica. */
export class Replicas {
  readonly ports = new Map<ReplicaName, number>()
  readonly #running = new Map<ReplicaName, ChildProcess>()
  readonly #balancers: ChildProcess[] = []
  readonly #agents: Agent[] = []
  readonly #args: readonly string[]

  /** @param args what all of them are started with. */
  constructor(args: readonly string[] = []) {
    this.#args = args
  }

  async start(): Promise<void> {
    await Promise.all(names.map((name) => this.startOne(name)))
  }

  async startOne(name: ReplicaName): Promise<void> {
    const clock = `2026-0${names.indexOf(name) + 1}-15T00:00:00Z`
    const own = [
      'start',
      '--port',
      String(this.ports.get(name) ?? 0),
      '--clock',
      clock,
      '--frozen',
      '--stop-with-parent',
    ]
    const child = spawn(process.execPath, [bin, ...own, ...this.#args], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#running.set(name, child)
    const [, port] = /:(\d+)\n/.exec(await printedUntil(child.stdout, /:\d+\n/)) ?? []
    this.ports.set(name, Number(port))
  }

  async kill(name: ReplicaName): Promise<void> {
    const child = this.#running.get(name)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Puts haproxy before them. @param config as the docs have it: ports and addresses are filled in. */
  async balance(config: string): Promise<Balanced> {
    const ports = names.map((name) => this.ports.get(name) ?? 0)
    const { port, child, printed } = await startBalancer(config.replace('inter 1s', 'inter 50ms'), ports)
    this.#balancers.push(child)
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    this.#agents.push(agent)
    const balanced = (path: string, options: RequestOptions = {}): Promise<Answered> =>
      ask(port, agent, path, options)
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await balanced('/_sandbox/health').catch(() => undefined)
      if (answer?.status === 200) return balanced
    }
    throw new Error(`haproxy did not start: ${printed.text}`)
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) agent.destroy()
    for (const child of this.#balancers) child.kill('SIGKILL')
    await Promise.all(names.map((name) => this.kill(name)))
  }
}

/** Starts haproxy on a free port. @param ports of the servers, in the order of the configuration. */
export async function startBalancer(
  config: string,
  ports: readonly number[],
): Promise<{ port: number; child: ChildProcess; printed: Printed }> {
  const port = await freePort()
  const filled = ports.reduce(
    (text, server, at) => text.replace(`sandbox-${at + 1}:4010`, `127.0.0.1:${server}`),
    config.replace('bind :4010', `bind 127.0.0.1:${port}`),
  )
  // A port that the system gave may begin with these digits.
  if (/:4010\b/.test(filled)) throw new Error(`this could not be filled in:\n${filled}`)
  const file = join(await folderWith(), 'haproxy.cfg')
  writeFileSync(file, filled)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const printed = new Printed()
  child.stderr.setEncoding('utf8').on('data', (text: string) => printed.add(text))
  return { port, child, printed }
}

/** Asks through the balancer. It rejects where the connection ends without an answer. */
export type Balanced = (path: string, options?: RequestOptions) => Promise<Answered>

function ask(port: number, agent: Agent, path: string, options: RequestOptions): Promise<Answered> {
  const { method = 'GET', headers = {}, body, headOnly, alone } = options
  const text = body && JSON.stringify(body)
  const sent = text === undefined ? headers : { 'content-type': 'application/json', ...headers }
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port, agent: alone ? false : agent }
    const call = request({ ...to, path, method, headers: sent }, (answer) => {
      const status = answer.statusCode ?? 0
      const month = new Date(answer.headers.date ?? NaN).getUTCMonth()
      const reported = { status, replica: names[month], body: '' }
      if (headOnly) {
        resolve(reported)
        return void call.destroy()
      }
      answer.setEncoding('utf8').on('data', (chunk: string) => (reported.body += chunk))
      answer.once('end', () => resolve(reported)).once('error', reject)
    })
    call.once('error', reject)
    if (text === undefined) return void call.end()
    // A body comes after its head, as over a network.
    call.setHeader('content-length', Buffer.byteLength(text))
    call.flushHeaders()
    setImmediate(() => call.end(text))
  })
}

async function printedUntil(stream: ChildProcess['stdout'], end: RegExp): Promise<string> {
  const printed = new Printed()
  stream?.setEncoding('utf8').on('data', (text: string) => printed.add(text))
  stream?.once('close', () => printed.end())
  return printed.until(end)
}
