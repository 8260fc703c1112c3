import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Sandbox, SandboxOptions, SandboxServer } from '../../src/index.ts'
import { parseAnswers, rawBytes, readToEnd, request, type RawAnswer } from '../helpers/raw.ts'
import { fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'

const key = { Authorization: `Bearer ${fullKey}` }
const alive = { ...key, Connection: 'keep-alive' }
const reward = '/v2/rewards/rwd_ada_pending'
const intents = '/v2/transaction_intents'
const intent = JSON.stringify({ customer_id: 'cus_ada', amount: 100, currency: 'USD' })

async function serving(options?: SandboxOptions): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  const sandbox = await startSandbox(options)
  return { sandbox, server: await sandbox.listen() }
}

const get = (headers: object = alive, path = reward): string => request('GET', path, { ...headers })

function send(method: string, path: string, body: string, headers: object = alive): string {
  const length = String(Buffer.byteLength(body))
  return request(
    method,
    path,
    { 'Content-Type': 'application/json', 'Content-Length': length, ...headers },
    body,
  )
}

const patch = (amount: number, headers: object = alive): string =>
  send('PATCH', reward, JSON.stringify({ amount }), headers)

const last = (path = reward): string => get(key, path)

/** The answers of one connection: status, and the amount if there is one. */
async function answersTo(server: SandboxServer, ...requests: string[]): Promise<(string | number)[]> {
  return shown(parseAnswers(await rawBytes(server, requests.join(''))))
}

function shown(answers: readonly RawAnswer[]): (string | number)[] {
  return answers.map(({ status, json }) => (json?.amount === undefined ? status : `${status} ${json.amount}`))
}

async function dataFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'connection-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'data.json')
}

/** The other end of a client's connection, which Node gives away with each request. */
async function serverSide(client: Socket, bytes: string): Promise<Socket> {
  const found = new Promise<Socket>((resolve) => {
    const listener = (message: unknown): void => {
      const { socket } = message as { socket: Socket }
      if (socket.remotePort !== client.localPort) return
      diagnostics.unsubscribe('http.server.request.start', listener)
      resolve(socket)
    }
    diagnostics.subscribe('http.server.request.start', listener)
  })
  client.write(bytes)
  return found
}

/** A client that sends, and reads only on request. */
async function silent(server: SandboxServer): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.pause()
  await once(socket, 'connect')
  return socket
}

const slowWrites = {
  name: 'slow-writes',
  description: 'Of a test.',
  rules: [{ on: 'updateReward', effect: { latency: 20 } }],
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

describe('case 142: requests of one segment are handled one after the other', () => {
  test('case 142: PATCH, then GET of the same row -> the GET sees it', async () => {
    const { server } = await serving()
    expect(await answersTo(server, patch(501), last())).toEqual(['200 501', '200 501'])
  })

  test('case 142: many of both', async () => {
    const { server } = await serving()
    const pairs = Array.from({ length: 50 }, (_, at) => [patch(at + 1), get()]).flat()
    const seen = Array.from({ length: 50 }, (_, at) => [`200 ${at + 1}`, `200 ${at + 1}`]).flat()
    expect(await answersTo(server, ...pairs, last())).toEqual([...seen, '200 50'])
  })

  test.each([2, 3, 5])(
    'case 142: %i creations of a client that ends its side -> all are answered',
    async (count) => {
      const { server } = await serving()
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
      const all = readToEnd(socket)
      socket.end(send('POST', intents, intent).repeat(count))
      expect(parseAnswers(await all).map(({ status }) => status)).toEqual(Array(count).fill(200))
    },
  )

  test('case 142: the first waits for a scenario', async () => {
    const { server } = await serving({ scenarios: [slowWrites] })
    expect(await answersTo(server, patch(502), get(), patch(503), last())).toEqual([
      '200 502',
      '200 502',
      '200 503',
      '200 503',
    ])
  })

  test('case 142: the first waits for the data file', async () => {
    const { server } = await serving({ data: await dataFile() })
    expect(await answersTo(server, patch(504), last())).toEqual(['200 504', '200 504'])
  })

  test('case 142: the first waits for its body', async () => {
    const { server } = await serving()
    const bytes = patch(505) + last()
    const socket = connect(server.port, '127.0.0.1')
    const all = readToEnd(socket)
    const cut = bytes.indexOf('505')
    await new Promise((resolve) => socket.write(bytes.slice(0, cut), resolve))
    socket.write(bytes.slice(cut))
    expect(shown(parseAnswers(await all))).toEqual(['200 505', '200 505'])
  })

  test('case 142: chunked bodies, 100-continue, methods of every kind, in pieces of any size', async () => {
    const chunked = request(
      'POST',
      intents,
      { ...alive, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      `${intent.length.toString(16)};x=1\r\n${intent}\r\n0\r\nx-trailer: 1\r\n\r\n`,
    )
    const bytes = [
      chunked,
      patch(506),
      get(),
      send('POST', intents, intent, { ...alive, Expect: '100-continue' }),
      request('DELETE', '/v2/order_events/ord_ada_1', { ...alive }),
      request('OPTIONS', reward, { ...alive }),
      get(alive, '/_sandbox/health'),
      get(alive, '/_sandbox/state'),
      patch(507),
      last(),
    ].join('')
    const expected = [200, 200, 200, 200, 204, 204, 200, 200, 200, 200]
    for (const size of [bytes.length, 1_000, 97]) {
      const { server } = await serving()
      const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true })
      const all = readToEnd(socket)
      for (let at = 0; at < bytes.length; at += size) {
        await new Promise((resolve) => socket.write(bytes.slice(at, at + size), resolve))
      }
      const text = await all
      expect(text.split('HTTP/1.1 100 Continue\r\n\r\n')).toHaveLength(2)
      const statuses = [...text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map(([, status]) => Number(status))
      expect([size, statuses]).toEqual([size, expected])
    }
  })

  test('case 142: nothing is begun after a request that asks to close', async () => {
    const { sandbox, server } = await serving()
    expect(await answersTo(server, patch(508, key), patch(509))).toEqual(['200 508'])
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ amount: 508 })
  })

  test.each([
    ['reset', 2],
    ['truncated', 3],
  ])('case 142: a connection that a scenario ends (%s) has sent the answers before', async (name, count) => {
    const { sandbox, server } = await serving()
    const socket = connect(server.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.write([patch(510), get(), get({ ...alive, 'x-sandbox-scenario': name }), patch(511)].join(''))
    await new Promise((resolve) => socket.once('close', resolve))
    const text = Buffer.concat(chunks).toString()
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(count)
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ amount: 510 })
  })
})

describe('answers that are due come before a refusal', () => {
  test.each([
    ['garbage', 'HELLO\r\n\r\n'],
    ['CONNECT', request('CONNECT', 'evil.example:443')],
  ])('a call that waits for the data file, then %s -> 200, then 400', async (_what, bytes) => {
    const { server } = await serving({ data: await dataFile() })
    expect(await answersTo(server, patch(601), bytes)).toEqual(['200 601', 400])
    expect(await answersTo(server, patch(602), get(), patch(603), bytes)).toEqual([
      '200 602',
      '200 602',
      '200 603',
      400,
    ])
  })

  test('a body that is broken -> the answers before it, then one 400', async () => {
    const { server } = await serving()
    const broken = request(
      'POST',
      intents,
      { ...alive, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      'zz\r\n',
    )
    expect(await answersTo(server, patch(604), broken)).toEqual(['200 604', 400])
  })
})

describe('requests that wait for their turn', () => {
  const requests = (count: number): string => get().repeat(count - 1) + last()

  test('100 of one segment -> all answered', async () => {
    const { server } = await serving()
    expect(await answersTo(server, requests(100))).toEqual(Array<string>(100).fill('200 252'))
  })

  test('101 of one segment -> closed, none handled', async () => {
    const { sandbox, server } = await serving()
    const client = await silent(server)
    const connection = await serverSide(client, requests(101))
    if (!connection.closed) await once(connection, 'close')
    expect(sandbox.requests.list()).toEqual([])
    expect((await answersTo(server, last())).length).toBe(1)
  })

  test('a client that is gone before their turn -> not handled', async () => {
    const { sandbox, server } = await serving({ scenarios: [slowWrites] })
    const client = await silent(server)
    const connection = await serverSide(client, patch(605) + patch(606))
    connection.destroy()
    await once(connection, 'close')
    await turns(10)
    expect(sandbox.requests.list().length).toBeLessThan(2)
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).not.toMatchObject({ amount: 606 })
  })
})

describe('a connection that stands still for 30 seconds', () => {
  /** Node emits it when no byte came or went for the time of `timeout`. */
  const standStill = (connection: Socket): boolean => connection.emit('timeout')

  test('is closed if its client reads none of the bytes that wait', async () => {
    const { sandbox, server } = await serving()
    sandbox.state.patch('rewards', 'rwd_ada_pending', { metadata: { note: 'x'.repeat(15_000) } })
    const client = await silent(server)
    const connection = await serverSide(client, get())
    expect(connection.timeout).toBe(30_000)
    // More than the buffers of the system hold.
    for (let before = 0; connection.writableLength === 0; before = connection.bytesWritten) {
      client.write(get())
      while (connection.bytesWritten === before) await turns(1)
      await turns(1)
    }
    standStill(connection)
    expect(connection.destroyed).toBe(true)
  })

  test('is kept while a call of it waits', async () => {
    const { server } = await serving({
      scenarios: [
        {
          name: 'mute',
          description: 'Of a test.',
          rules: [{ on: 'retrieveReward', effect: { transport: 'hang' } }],
        },
      ],
    })
    const client = await silent(server)
    const connection = await serverSide(client, get())
    await turns(10)
    standStill(connection)
    expect(connection.destroyed).toBe(false)
  })

  test('is closed if no call of it waits', async () => {
    const { server } = await serving()
    const client = await silent(server)
    const connection = await serverSide(client, get())
    client.resume()
    await once(client, 'data')
    await turns(10)
    // As long as clients may keep it for the next call.
    expect(connection.timeout).toBeGreaterThanOrEqual(65_000)
    standStill(connection)
    expect(connection.destroyed).toBe(true)
  })
})

test('a body that comes slowly without a usable key -> 401 before it is there, and one answer only', async () => {
  const { server } = await serving()
  const socket = connect(server.port, '127.0.0.1')
  const all = readToEnd(socket)
  socket.write(
    send('POST', intents, intent, { Authorization: 'Bearer nobody', Connection: 'keep-alive' }).slice(0, -10),
  )
  const [first] = parseAnswers(String((await once(socket, 'data'))[0]))
  expect([first?.status, first?.headers['content-length']]).toEqual([401, String(first?.body.length)])
  socket.write(intent.slice(-10))
  socket.write(last())
  expect(shown(parseAnswers(await all))).toEqual([401, '200 252'])
})

describe('a Host that no URL can have', () => {
  const targets = ['/', reward, '/v2/nothing', '/_sandbox', '/_sandbox/health', '/_sandbox/state', '/a%2Fb']
  // Node 24 takes `xn--a` for a host, everywhere alike.
  const bad = [
    '1.2.3.4.5',
    '127.0.0847',
    'xn--a',
    '256.1.1.1',
    '0x.0x.0xfffff',
    'a b',
    '127.0.0.1:99999',
    '',
  ].filter((host) => host === '' || !URL.canParse(`http://${host}/`))

  test.each(bad)("'%s' -> 400 everywhere", async (host) => {
    const { server } = await serving()
    for (const target of [...targets, `http://127.0.0.1${reward}`]) {
      const [answer] = parseAnswers(await rawBytes(server, request('GET', target, { ...key, Host: host })))
      const error = { type: 'BAD_REQUEST_ERROR', message: 'The request target is not valid.' }
      expect([target, answer?.status, answer?.json]).toEqual([target, 400, { error }])
    }
  })

  test.each(bad.filter((host) => host !== ''))(
    "'%s' in an absolute target -> 400 everywhere",
    async (host) => {
      const { server } = await serving()
      for (const path of ['/', reward, '/_sandbox']) {
        const [answer] = parseAnswers(await rawBytes(server, request('GET', `http://${host}${path}`, key)))
        expect([path, answer?.status, answer?.json.error.type]).toEqual([path, 400, 'BAD_REQUEST_ERROR'])
      }
    },
  )
})

describe('the Date of an answer is the time of its workspace', () => {
  const ours = new Date(testNow).toUTCString()
  const theirs = new Date(Date.parse(testNow) + 86_400_000 * 400).toUTCString()
  test.each<[string, string, string]>([
    ['a call', last(), ours],
    ['a call of another workspace', get({ Authorization: `Bearer ${fullKey}.other` }), theirs],
    ['no usable key', get({ Authorization: 'Bearer nobody' }), ours],
    ['no such path', get(key, '/v2/nothing'), ours],
    ['the root', get(key, '/'), ours],
    ['no such path, without a key', get({}, '/nothing'), ours],
    ['OPTIONS', request('OPTIONS', reward, key), ours],
    [
      'a preflight',
      request('OPTIONS', reward, { Origin: 'http://localhost', 'Access-Control-Request-Method': 'GET' }),
      ours,
    ],
    ['no Host', get({ ...key, Host: null }), ours],
    ['a Host that no URL can have', get({ ...key, Host: '1.2.3.4.5' }), ours],
    ['a bad target', request('GET', '*', key), ours],
    ['no HTTP', 'HELLO\r\n\r\n', ours],
    ['large headers', get({ ...key, 'x-big': 'a'.repeat(17 * 1024) }), ours],
    [
      'many headers',
      get({ ...key, ...Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, 'a'])) }),
      ours,
    ],
    ['an expectation', get({ ...key, Expect: 'magic' }), ours],
    ['CONNECT', request('CONNECT', 'a:1'), ours],
    ['the control plane', get({}, '/_sandbox'), ours],
    ['the control plane of a workspace', get({}, '/_sandbox/clock?workspace=other'), theirs],
    ['the control plane of no workspace', get({}, '/_sandbox/clock?workspace=%20'), ours],
    ['what the control plane has not', get({}, '/_sandbox/nothing?workspace=other'), theirs],
    ['a refusal of the guard', get({ Origin: 'http://a' }, '/_sandbox/clock?workspace=other'), theirs],
    ['a file of a workspace', get({}, '/_sandbox/files/statements/other/x.pdf'), theirs],
    ['a file of no workspace', get({}, '/_sandbox/files/statements/nobody/x.pdf'), ours],
  ])('%s', async (_what, bytes, date) => {
    const { sandbox, server } = await serving()
    sandbox.workspace('other').clock.advance({ days: 400 })
    const [answer] = parseAnswers(await rawBytes(server, bytes))
    expect(answer?.headers['date']).toBe(date)
  })

  test('a request that does not come in time', async () => {
    const { server } = await serving()
    const client = await silent(server)
    const connection = (await serverSide(client, get())) as Socket & { server: Server }
    expect(connection.server.headersTimeout).toBe(10_000)
    connection.server.headersTimeout = 1
    client.write(`GET ${reward} HTTP/1.1\r\nHost: x\r\n`)
    client.resume()
    const answers = parseAnswers(await readToEnd(client))
    expect(answers.map(({ status, headers }) => [status, headers['date']])).toEqual([
      [200, ours],
      [408, ours],
    ])
  })
})
