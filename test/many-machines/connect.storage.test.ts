// Connecting to real engines: refused starts, and the messages while the engine is away.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, type ConnectOptions } from '../../src/storage/redis/connect.ts'
import { readStoreAddress } from '../../src/input/store-address.ts'
import type { Engine, EngineStatus, Script } from '../../src/storage/redis/store-engine.ts'
import { StoreError } from '../../src/workspaces/storage.ts'
import { EngineUnavailableError } from '../../src/storage/redis/store-error.ts'
import {
  describeWithEngine,
  startCluster,
  startEngine,
  type EngineSetup,
  type RunningCluster,
  type RunningEngine,
} from '../helpers/engine.ts'

const echo: Script = { name: 'echo', text: 'return {KEYS[1], ARGV[1], 5, false, {}}' }
const write: Script = { name: 'write', text: "return redis.call('SETRANGE', KEYS[1], 0, ARGV[1])" }
const raw: Script = { name: 'raw', text: 'return ARGV[1]' }

async function engineFor(setup: EngineSetup = {}): Promise<RunningEngine> {
  const engine = await startEngine(setup)
  onTestFinished(engine.stop)
  return engine
}

async function connected(url: string, options: ConnectOptions = {}): Promise<Engine> {
  const engine = await connect(readStoreAddress(url), options)
  onTestFinished(() => engine.close())
  return engine
}

/** The log of a connection, and its last error. */
async function refused(url: string, options: ConnectOptions = {}): Promise<[string, number]> {
  const error: unknown = await connected(url, options).catch((reason: unknown) => reason)
  if (!(error instanceof StoreError)) throw new Error('it was not refused', { cause: error })
  expect(error.message).not.toContain('s3cret')
  return [error.message.replaceAll(/\d{5}/g, 'PORT'), error.exit]
}

/** How long to wait for an engine that hangs: on a busy machine one that is well may take some 100 ms. */
const timeoutMs = 1_000

const away = (work: Promise<unknown>): Promise<[string, boolean]> =>
  work.then(
    () => {
      throw new Error('it was done')
    },
    (error: unknown) => {
      if (!(error instanceof EngineUnavailableError)) throw error
      return [error.message, error.mayHaveRun]
    },
  )

/** Polls until a status is there. */
async function until(engine: Engine, status: EngineStatus['status']): Promise<void> {
  while (engine.status.status !== status) await new Promise((wake) => setImmediate(wake))
}

/** The commands sent to all engines of this file, by the engine's own count; without those of redis-cli. */
const sent = new Set<string>()
async function noteSent(engine: RunningEngine): Promise<void> {
  const stats = await engine.cli('info', 'commandstats')
  for (const [, name = ''] of stats.matchAll(/^cmdstat_(\S+?):/gm)) sent.add(name.toUpperCase())
}

describeWithEngine('connecting', () => {
  it.each<[string, EngineSetup]>([
    ['plain', {}],
    ['with the password of the default user', { password: 's3cret/@' }],
    ['as a user of an access list', { user: 'app', password: 's3cret' }],
    ['with TLS', { tls: true, user: 'app', password: 's3cret' }],
  ])('%s -> scripts run, and replies come as they are', async (_, setup) => {
    const running = await engineFor(setup)
    // Processes name the authority in NODE_EXTRA_CA_CERTS; this one has begun already.
    const real = tls.connect.bind(tls)
    const trusting = (options: tls.ConnectionOptions): tls.TLSSocket =>
      real({ ...options, ca: readFileSync(running.ca) })
    if (setup.tls) vi.spyOn(tls, 'connect').mockImplementation(trusting as typeof tls.connect)
    onTestFinished(() => void vi.restoreAllMocks())
    const problems: string[] = []
    const engine = await connected(running.url, { onProblem: (line) => problems.push(line) })
    expect(engine.facts).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      // The engine of Debian, or another one that stands first in PATH.
      product: (await running.cli('info', 'server')).includes('server_name:valkey') ? 'valkey' : 'redis',
      policy: 'noeviction',
      isCluster: false,
    })
    expect(await engine.run(echo, ['k'], [7])).toEqual(['k', '7', 5, null, []])
    const bytes = Uint8Array.of(0, 255, 13, 10)
    expect(new Uint8Array((await engine.runForBytes(raw, ['k'], [bytes])) ?? [])).toEqual(bytes)
    const clock = await engine.time()
    expect(
      Math.abs(clock - Number(await running.cli('eval', "return redis.call('TIME')[1]", '0')) * 1000),
    ).toBeLessThan(60_000)
    expect([engine.status, problems]).toEqual([{ status: 'ok' }, []])
    await noteSent(running)
  })

  it.each<[string, EngineSetup, (url: string) => string, string, number]>([
    [
      'no answer',
      {},
      () => 'redis://127.0.0.1:1',
      'redis://127.0.0.1:1 does not answer (connection refused): check the address, and that it runs',
      4,
    ],
    [
      'an unknown host',
      {},
      () => 'redis://nowhere.invalid',
      'redis://nowhere.invalid:6379 has a host name that is not known: check the address',
      4,
    ],
    [
      'no password',
      { password: 's3cret' },
      (url) => url.replace(/:[^/]*@/, ''),
      'redis://127.0.0.1:PORT requires a password: put it into the address, or into SANDBOX_STORE_PASSWORD',
      4,
    ],
    [
      'a wrong password',
      { password: 'right' },
      (url) => url.replace('right', 's3cret'),
      'redis://:***@127.0.0.1:PORT refuses our user name or password: check those of the address, and SANDBOX_STORE_PASSWORD',
      4,
    ],
    [
      'a wrong user',
      { user: 'app', password: 's3cret' },
      (url) => url.replace('app', 'other'),
      'redis://other:***@127.0.0.1:PORT refuses our user name or password: check those of the address, and SANDBOX_STORE_PASSWORD',
      4,
    ],
    [
      'no TLS where it is',
      { tls: true },
      (url) => url.replace('rediss', 'redis'),
      'redis://127.0.0.1:PORT closed the connection: check that it runs, and whether it speaks TLS there (rediss:// is with it, redis:// without)',
      4,
    ],
    [
      'an unknown authority',
      { tls: true },
      (url) => url,
      'rediss://127.0.0.1:PORT has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): name the file of its authority in NODE_EXTRA_CA_CERTS',
      4,
    ],
    [
      'a DB that is not there',
      {},
      (url) => `${url}/99`,
      "redis://127.0.0.1:PORT/99 replies 'ERR DB index is out of range'",
      4,
    ],
    [
      'several hosts and no cluster',
      {},
      (url) => `${url},127.0.0.1:1`,
      'redis://127.0.0.1:PORT,127.0.0.1:1 is no cluster, which several hosts are: name one host',
      4,
    ],
    [
      'another policy',
      { args: ['--maxmemory-policy', 'allkeys-lru'] },
      (url) => url,
      'redis://127.0.0.1:PORT has maxmemory-policy allkeys-lru, so it may drop rows: set it with CONFIG SET maxmemory-policy noeviction, and in its configuration',
      3,
    ],
  ])('%s -> refused, with what to check', async (_, setup, urlOf, message, exit) => {
    const running = await engineFor(setup)
    expect(await refused(urlOf(running.url))).toEqual([`the store ${message}`, exit])
  })

  it('TLS where none is -> refused, whether it closes the connection or says nothing', async () => {
    const running = await engineFor()
    const [message, exit] = await refused(running.url.replace('redis', 'rediss'), { timeoutMs: 50 })
    expect(exit).toBe(4)
    expect(message).toMatch(
      /^the store rediss:\/\/127\.0\.0\.1:PORT (does not answer within 50 ms|closed the connection): check .* TLS there /,
    )
  })

  it('an engine that hangs -> refused after a while', async () => {
    const running = await engineFor()
    await running.kill('SIGSTOP')
    expect(await refused(running.url, { timeoutMs: 50 })).toEqual([
      'the store redis://127.0.0.1:PORT does not answer within 50 ms: check the address, and that it runs',
      4,
    ])
  })

  it('a signal ends it', async () => {
    const running = await engineFor()
    await running.kill('SIGSTOP')
    const reason = new Error('enough')
    const attempt = connected(running.url, { signal: AbortSignal.abort(reason) })
    await expect(attempt).rejects.toBe(reason)
  })

  it('a user who may not ask INFO -> a warning', async () => {
    const running = await engineFor({ user: 'app', password: 's3cret', rights: '~* +@all -info' })
    const problems: string[] = []
    const engine = await connected(running.url, { onProblem: (line) => problems.push(line) })
    expect(problems).toEqual([
      `the store redis://app:***@127.0.0.1:${running.port} does not report its maxmemory-policy: make sure that it is noeviction, as other policies drop rows when memory is full`,
    ])
    expect(engine.facts.policy).toBeUndefined()
  })
})

describe('what answers in the place of an engine', () => {
  const hello = (version: string): string =>
    `%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$${version.length}\r\n${version}\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:1\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n`

  it.each([
    [
      'Redis 5',
      () => '-ERR unknown command `HELLO`\r\n',
      'is too old: it needs Redis 6.2 or newer, or Valkey',
    ],
    [
      'Redis 6.0, whose HELLO needs a protocol version',
      (command: string) =>
        /\$5\r\nHELLO\r\n\$1\r\n3\r\n/.test(command)
          ? hello('6.0.16')
          : "-ERR wrong number of arguments for 'hello' command\r\n",
      ', redis 6.0.16, is too old: it needs Redis 6.2 or newer, or Valkey',
    ],
  ])('%s -> refused as too old', async (_, replyTo, message) => {
    const server = createServer((socket) =>
      socket.on('data', (command) => socket.write(replyTo(command.toString()))).on('error', () => undefined),
    )
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const [text, exit] = await refused(`redis://127.0.0.1:${port}`)
    expect([text.replace('the store redis://127.0.0.1:PORT', '').trim(), exit]).toEqual([message, 4])
  })
})

describeWithEngine('an engine that is away', () => {
  it('killed -> calls are refused at once, until it is back; scripts are sent anew', async () => {
    const running = await engineFor()
    const engine = await connected(running.url)
    const reported: string[] = []
    engine.onStatus = ({ status }) => reported.push(status)
    await engine.run(echo, ['k'], [])
    await running.kill('SIGKILL')
    await until(engine, 'away')
    const [reason, mayHaveRun] = await away(engine.run(echo, ['k'], []))
    expect([reason, mayHaveRun]).toEqual([expect.stringMatching(/^the store (closed|does not)/), false])
    expect(await engine.waitUntilAvailable(1)).toBe(false)
    await running.restart()
    expect(await engine.waitUntilAvailable(10_000)).toBe(true)
    expect(await engine.run(echo, ['k'], ['x'])).toEqual(['k', 'x', 5, null, []])
    expect([reported[0], reported.at(-1)]).toEqual(['away', 'ok'])
    await running.cli('script', 'flush')
    expect(await engine.run(echo, ['k'], ['y'])).toEqual(['k', 'y', 5, null, []])
  })

  it('hanging -> the first call may have run, the next are refused at once, until it goes on', async () => {
    const running = await engineFor()
    const engine = await connected(running.url, { timeoutMs })
    await running.kill('SIGSTOP')
    const reason = 'the store does not answer within 1000 ms: check the address, and that it runs'
    expect(await away(engine.run(write, ['k'], ['x']))).toEqual([reason, true])
    expect(await away(engine.run(write, ['k'], ['y']))).toEqual([reason, false])
    await running.kill('SIGCONT')
    expect(await engine.waitUntilAvailable(10_000)).toBe(true)
    expect(await engine.run(write, ['k'], ['z'])).toBe(1)
  })

  it('this process was held up itself -> an answer that is there counts', async () => {
    const running = await engineFor()
    const engine = await connected(running.url, { timeoutMs })
    await engine.run(echo, ['k'], ['x'])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const answer = engine.run(echo, ['k'], ['x'])
    await new Promise((wake) => setImmediate(wake))
    // Nothing else happens in this process until the engine has answered, and the time is up.
    const cli = ['-p', String(running.port), 'info', 'commandstats']
    while (!execFileSync('redis-cli', cli).includes('cmdstat_evalsha:calls=2'));
    vi.advanceTimersByTime(timeoutMs)
    expect(await answer).toEqual(['k', 'x', 5, null, []])
  })

  it.each<[string, EngineSetup, readonly string[], readonly string[], string]>([
    [
      'memory is full',
      {},
      ['config', 'set', 'maxmemory', '1'],
      ['config', 'set', 'maxmemory', '0'],
      'has no memory left: raise its maxmemory',
    ],
    [
      'it is a replica',
      {},
      ['replicaof', '127.0.0.1', '1'],
      ['replicaof', 'no', 'one'],
      'is a replica, which takes no writes: name the master, or wait until one is promoted',
    ],
    [
      'too few replicas follow',
      {},
      ['config', 'set', 'min-replicas-to-write', '1'],
      ['config', 'set', 'min-replicas-to-write', '0'],
      'takes no writes, as too few replicas follow it (min-replicas-to-write)',
    ],
  ])('%s -> away with the reason, and back by itself', async (_, setup, begin, end, reason) => {
    const running = await engineFor(setup)
    const engine = await connected(running.url)
    await running.cli(...begin)
    expect(await away(engine.run(write, ['k'], ['x']))).toEqual([`the store ${reason}`, false])
    expect(engine.status).toEqual({ status: 'away', reason: `the store ${reason}` })
    expect(await engine.waitUntilAvailable(150)).toBe(false)
    await running.cli(...end)
    expect(await engine.waitUntilAvailable(10_000)).toBe(true)
    expect(await running.cli('exists', 'k')).toBe('0')
    expect(await engine.run(write, ['k'], ['x'])).toBe(1)
    await noteSent(running)
  })

  it('a right is taken away -> away with the reason', async () => {
    const running = await engineFor({ user: 'app', password: 's3cret' })
    const engine = await connected(running.url)
    await running.cli('acl', 'setuser', 'app', '-setrange')
    expect(await away(engine.run(write, ['k'], ['x']))).toEqual([
      'the store does not allow our user a command or key: by ACL SETUSER give it ~{PREFIX}:* ~{PREFIX:* +@all, with the PREFIX of --store-prefix',
      false,
    ])
  })

  it('any other error is a mistake of ours, and thrown', async () => {
    const engine = await connected((await engineFor()).url)
    const wrong = { name: 'wrong', text: "return redis.call('LPOP')" }
    await expect(engine.run(wrong, ['k'], [])).rejects.toThrow(/Wrong number of args/)
    expect(engine.status).toEqual({ status: 'ok' })
  })

  it('closed -> what waits is refused, and nobody waits for it to be back', async () => {
    const running = await engineFor()
    const engine = await connected(running.url)
    await running.kill('SIGSTOP')
    const waiting = away(engine.run(write, ['k'], ['x']))
    await engine.close()
    expect((await waiting)[1]).toBe(true)
    expect((await away(engine.run(write, ['k'], ['x'])))[1]).toBe(false)
    expect(await engine.waitUntilAvailable(60_000)).toBe(false)
  })
})

describeWithEngine('a cluster', () => {
  let cluster: RunningCluster | undefined
  afterAll(() => cluster?.stop())

  it('each key is found; one node that hangs is all of it away', { timeout: 60_000 }, async () => {
    cluster = await startCluster(3)
    const [, , last] = cluster.nodes
    for (const url of [cluster.url, last?.url ?? '']) {
      const engine = await connected(url)
      expect(engine.facts).toMatchObject({ isCluster: true, policy: 'noeviction' })
      for (const key of ['{a}:k', '{b}:k', '{c}:k'])
        expect(await engine.run(echo, [key], ['x'])).toEqual([key, 'x', 5, null, []])
      expect(new Uint8Array((await engine.runForBytes(raw, ['{a}'], [Uint8Array.of(255)])) ?? [])).toEqual(
        Uint8Array.of(255),
      )
      expect(await engine.time()).toBeGreaterThan(0)
    }
    const engine = await connected(cluster.url, { timeoutMs })
    await last?.kill('SIGSTOP')
    const results = await Promise.allSettled(['{a}', '{b}', '{c}'].map((key) => engine.run(echo, [key], [])))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(engine.status.status).toBe('away')
    await last?.kill('SIGCONT')
    expect(await engine.waitUntilAvailable(30_000)).toBe(true)
    for (const node of cluster.nodes) await noteSent(node)
  })
})

/** The commands that the user of docs/many-machines.md may send; categories as their name. */
const allowed = [
  ...(/^ACL SETUSER .*$/m.exec(readFileSync('docs/many-machines.md', 'utf8'))?.[0] ?? '').matchAll(
    / \+(\S+)/g,
  ),
].map(([, name = '']) => name.toUpperCase())

describeWithEngine('the commands that are used', () => {
  it('are allowed by the page, and all of them are in Redis 6.2', async () => {
    const running = await engineFor()
    const connection = (await running.cli('acl', 'cat', 'connection')).toUpperCase().split('\n')
    // Commands that the tests send by redis-cli to their own engines.
    const byTests = /^(CONFIG|CLUSTER\|(?!SLOTS)|ACL|SCRIPT|REPLICAOF|AUTH|COMMAND|REPLCONF|PSYNC|LPOP)/
    const all = [...allowed, ...connection]
    expect([...sent].filter((name) => !all.includes(name) && !byTests.test(name))).toEqual([])
    expect(sent.size).toBeGreaterThan(5)
    for (const name of allowed.filter((each) => !each.startsWith('@'))) {
      const docs = await running.cli('command', 'docs', name.toLowerCase())
      const [, since = ''] = /^since\n(\S+)/m.exec(docs) ?? []
      const [major = 0, minor = 0] = since.split('.').map(Number)
      expect([name, since !== '' && major * 100 + minor <= 602]).toEqual([name, true])
    }
  })
})

it('the page allows the commands that scripts call', () => {
  const folder = 'src/storage/redis'
  const texts = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  const called = texts.flatMap((text) => [...text.matchAll(/redis\.p?call\(\s*(['"]?)(\w+)/g)])
  expect(called.filter(([, quote]) => quote === '')).toEqual([])
  const names = [...new Set(called.map(([, , name = '']) => name))]
  expect(names.filter((name) => !allowed.includes(name))).toEqual([])
  const unused = allowed.filter((name) => !names.includes(name))
  expect(unused).toEqual(['@CONNECTION', 'ASKING', 'CLUSTER|SLOTS', 'EVAL', 'EVALSHA', 'INFO', 'TIME'])
})
