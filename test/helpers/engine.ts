// Starts Debian's redis-server on a free port: plain, with TLS, with a user and password, or as a cluster.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeWith } from './describe-with.ts'
import { freePort } from './free-port.ts'
import { Printed } from './printed.ts'

const execute = promisify(execFile)

/** `describe` for what needs an engine. */
export const describeWithEngine = describeWith('redis-server')

export interface EngineSetup {
  tls?: boolean
  /** With a password alone that of the default user; a user has all rights unless `rights` says otherwise. */
  user?: string
  password?: string
  /** Of the user, such as `~* +@all -info`. */
  rights?: string
  /** Such as `20mb`; with `noeviction`, as we need it. */
  maxmemory?: string
  /** More words for the command line, such as `--maxmemory-policy`, `allkeys-lru`. */
  args?: readonly string[]
}

export interface RunningEngine {
  /** For `--store`, with user and password. */
  url: string
  host: string
  port: number
  /** The file of the authority that signed its certificate, for `NODE_EXTRA_CA_CERTS`. */
  ca: string
  pid: () => number
  /** Such as SIGSTOP, SIGCONT, SIGKILL; resolves for SIGKILL when it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** After a kill: a new process on the same port, without what was in memory. */
  restart(): Promise<void>
  /** Asks it by redis-cli, as the user it was started with. */
  cli(...words: string[]): Promise<string>
  /** Ends it, and removes its folder. */
  stop(): Promise<void>
}

/** Ended with the worker, should a test forget or crash. */
const alive = new Map<ChildProcess, string>()
process.once('exit', () => {
  for (const [child, folder] of alive) {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Starts an engine that keeps nothing on the disk; stop it at the end. */
export async function startEngine(setup: EngineSetup = {}): Promise<RunningEngine> {
  const { tls = false, user, password, rights = '~* &* +@all', maxmemory, args = [] } = setup
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-engine-'))
  const ca = join(folder, 'certificate.pem')
  const key = join(folder, 'key.pem')
  if (tls) await makeCertificate(ca, key)
  const lines = [
    'bind 127.0.0.1',
    ...(tls ? [`tls-cert-file ${ca}`, `tls-key-file ${key}`, 'tls-auth-clients no'] : []),
    `dir ${folder}`,
    'save ""',
    'appendonly no',
    'maxmemory-policy noeviction',
    ...(maxmemory === undefined ? [] : [`maxmemory ${maxmemory}`]),
    ...(user === undefined
      ? password === undefined
        ? []
        : [`requirepass ${password}`]
      : ['user default off', `user ${user} on >${password ?? ''} ${rights}`]),
  ]
  await writeFile(join(folder, 'redis.conf'), `${lines.join('\n')}\n`)

  const launch = async (): Promise<ChildProcess> => {
    const ports = tls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)]
    const child = spawn('redis-server', [join(folder, 'redis.conf'), ...ports, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    alive.set(child, folder)
    const printed = new Printed()
    child.stdout.setEncoding('utf8').on('data', (text: string) => printed.add(text))
    child.once('error', () => printed.end())
    child.stdout.once('close', () => printed.end())
    await printed.until(/Ready to accept connections/)
    return child
  }
  const end = async (child: ChildProcess): Promise<void> => {
    alive.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  /** On another port if another program was faster on this one. */
  const launchOnFreePort = async (): Promise<ChildProcess> => {
    for (;;) {
      port = await freePort()
      try {
        return await launch()
      } catch (error) {
        if (!String(error).includes('Address already in use')) throw error
      }
    }
  }
  let port = 0
  let server = await launchOnFreePort()
  const who = [
    ...(user === undefined ? [] : ['--user', user]),
    ...(password === undefined ? [] : ['-a', password, '--no-auth-warning']),
    ...(tls ? ['--tls', '--cacert', ca] : []),
  ]
  const named =
    password === undefined ? '' : `${encodeURIComponent(user ?? '')}:${encodeURIComponent(password)}@`
  return {
    url: `redis${tls ? 's' : ''}://${named}127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    ca,
    pid: () => server.pid ?? 0,
    kill: async (signal) => {
      if (signal === 'SIGKILL') await end(server)
      else server.kill(signal)
    },
    restart: async () => {
      await end(server)
      server = await launch()
    },
    cli: async (...words) => {
      const { stdout } = await execute('redis-cli', ['-p', String(port), ...who, ...words])
      return stdout.trimEnd()
    },
    stop: async () => {
      await end(server)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface RunningCluster {
  /** For `--store`: all of its nodes. */
  url: string
  nodes: readonly RunningEngine[]
  stop(): Promise<void>
}

/** A cluster of so many masters. @param withReplicas whether each has a replica; in `nodes` they follow the masters. */
export async function startCluster(
  size = 3,
  setup: EngineSetup = {},
  withReplicas = false,
): Promise<RunningCluster> {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', ...(setup.args ?? [])]
  const nodes: RunningEngine[] = []
  const replicas: RunningEngine[] = []
  for (let node = 0; node < size; node += 1) {
    nodes.push(await startEngine({ ...setup, args }))
    if (withReplicas) replicas.push(await startEngine({ ...setup, args }))
  }
  const places = nodes.map(({ host, port }) => `${host}:${port}`)
  // redis-cli --cluster create does the same, and sleeps for seconds in between.
  const slots = 16_384
  for (const [index, node] of nodes.entries()) {
    const [first, next] = [index, index + 1].map((share) => Math.floor((share * slots) / size))
    await node.cli('cluster', 'addslotsrange', String(first), String((next ?? slots) - 1))
    await node.cli('cluster', 'set-config-epoch', String(index + 1))
    if (index > 0) await node.cli('cluster', 'meet', '127.0.0.1', String(nodes[0]?.port))
  }
  for (const [index, replica] of replicas.entries()) {
    const master = nodes[index]
    const id = (await master?.cli('cluster', 'myid')) ?? ''
    await replica.cli('cluster', 'meet', '127.0.0.1', String(master?.port))
    while (!(await replica.cli('cluster', 'nodes')).includes(id));
    await replica.cli('cluster', 'replicate', id)
    while (!(await replica.cli('info', 'replication')).includes('master_link_status:up'));
  }
  nodes.push(...replicas)
  for (const node of nodes) {
    let info = ''
    const isWhole = (): boolean =>
      info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}`)
    while (!isWhole()) info = await node.cli('cluster', 'info')
  }
  const [first = ''] = nodes.map(({ url }) => url)
  return {
    url: first.replace(/[^@/]+$/, places.join(',')),
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

async function makeCertificate(certificate: string, key: string): Promise<void> {
  const kind = '-x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 -subj /CN=127.0.0.1'
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  await execute('openssl', ['req', ...kind.split(' '), ...names, '-keyout', key, '-out', certificate])
}
