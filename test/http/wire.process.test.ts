import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sandbox, SandboxOptions, SandboxServer } from '../../src/index.ts'
import { createSandbox } from '../../src/index.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { parseAnswers, raw, rawBytes, readToEnd, request, type RawAnswer } from '../helpers/raw.ts'

const key = { Authorization: `Bearer ${fullKey}` }
const json = { ...key, 'Content-Type': 'application/json' }
const reward = '/v2/rewards/rwd_ada_pending'
const intents = '/v2/transaction_intents'
const intent = JSON.stringify({ customer_id: 'cus_ada', amount: 100, currency: 'USD' })

const refused = (type: string, message: string): object => ({ error: { type, message } })
const garbage = refused('BAD_REQUEST_ERROR', 'This is not an HTTP request.')
const oneHost = refused('BAD_REQUEST_ERROR', 'Exactly one Host header is needed.')
const badTarget = refused('BAD_REQUEST_ERROR', 'The request target is not valid.')

async function serving(options?: SandboxOptions): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  const sandbox = await startSandbox(options)
  return { sandbox, server: await sandbox.listen() }
}

/** A refusal that no stage of the pipeline has seen: the right shape, an id, and the connection is closed. */
function expectRefusal(answer: RawAnswer, status: number, body: object): void {
  expect([answer.status, answer.json]).toEqual([status, body])
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(answer.body)),
    connection: 'close',
    'x-sandbox-request-id': 'req_default_1',
  })
  expect(answer.headers['x-service-version']).toBeUndefined()
}

/** The server behind a port, which Node gives away with each request. */
async function httpServerOf(server: SandboxServer): Promise<Server> {
  let found: Server | undefined
  const listener = (message: unknown): void => {
    const { server: candidate } = message as { server: Server }
    const address = candidate.address()
    if (typeof address === 'object' && address?.port === server.port) found = candidate
  }
  diagnostics.subscribe('http.server.request.start', listener)
  await rawBytes(server, request('GET', '/_sandbox/health'))
  diagnostics.unsubscribe('http.server.request.start', listener)
  if (!found) throw new Error('no request reached the server')
  return found
}

/** Reads one answer from a connection that stays open. */
async function nextAnswer(socket: Socket): Promise<RawAnswer> {
  let text = ''
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString('latin1')
    const head = text.indexOf('\r\n\r\n')
    const length = /content-length: (\d+)/i.exec(text)?.[1]
    if (head !== -1 && text.length >= head + 4 + Number(length ?? 0)) break
  }
  const [answer] = parseAnswers(text)
  if (!answer) throw new Error('no answer')
  return answer
}

/**
 * Whether a server serves nobody who connects now. That somebody can connect says little: while another thread of the
 * suite starts a process, that one holds a copy of each open socket for a moment, and a free port is anybody's.
 */
const closed = async (server: SandboxServer, http: Server): Promise<boolean> => {
  let served = false
  http.once('connection', () => (served = true))
  const socket = connect(server.port, '127.0.0.1')
  socket.write(request('GET', '/_sandbox/health'))
  await new Promise((resolve) => socket.on('error', resolve).on('data', resolve).on('close', resolve))
  socket.destroy()
  return !served
}

describe('case 116: exactly one Host', () => {
  const bytes = (path: string, ...hosts: string[]): string =>
    [`GET ${path} HTTP/1.1`, ...hosts, `Authorization: Bearer ${fullKey}`, '', ''].join('\r\n')

  it.each([
    ['two that differ', ['Host: 127.0.0.1', 'Host: evil.example']],
    ['two that are the same', ['Host: 127.0.0.1', 'Host: 127.0.0.1']],
    ['two in other letters', ['Host: 127.0.0.1', 'hOST: evil.example']],
    ['three', ['Host: a', 'Host: b', 'Host: c']],
    ['none', []],
  ])('case 116: %s -> 400 B, closed', async (_what, hosts) => {
    for (const path of [reward, '/_sandbox/assumptions', '/_sandbox/health', '/']) {
      const { server } = await serving()
      expectRefusal(await raw(server, bytes(path, ...hosts)), 400, oneHost)
    }
  })

  it('case 116: none, with HTTP/1.0 -> 400 B as well', async () => {
    for (const path of [reward, '/_sandbox/assumptions', '/_sandbox/healthy', '/']) {
      const { server } = await serving()
      expectRefusal(await raw(server, `GET ${path} HTTP/1.0\r\n\r\n`), 400, oneHost)
    }
  })

  it.each([
    ['', '/_sandbox/health'],
    ['', '/_sandbox/health?probe=1'],
    ['', '/_sandbox/ready'],
    ['https://sandbox.example/rewards', '/rewards/_sandbox/ready'],
  ])('none, with HTTP/1.0, base URL "%s" -> %s answers the probe', async (baseUrl, path) => {
    const { server } = await serving(baseUrl === '' ? {} : { baseUrl })
    for (const method of ['GET', 'HEAD'])
      expect((await raw(server, `${method} ${path} HTTP/1.0\r\n\r\n`)).status).toBe(200)
  })

  it('case 116: none, as HTTP/0.9 has none -> 400 B as well', async () => {
    const { server } = await serving()
    expectRefusal(await raw(server, `GET ${reward}\r\n\r\n`), 400, oneHost)
  })

  it('case 116: none, but an absolute target -> 400 B as well', async () => {
    const { server } = await serving()
    expectRefusal(
      await raw(server, request('GET', `http://127.0.0.1${reward}`, { Host: null })),
      400,
      oneHost,
    )
  })

  it.each(['', 'a b', 'a/b', 'user@127.0.0.1', '127.0.0.1:99999', '[::1', 'a\\b', '127.0.0.1?x'])(
    "case 116: one that is no host name, '%s' -> 400 B",
    async (host) => {
      const { server } = await serving()
      expectRefusal(await raw(server, request('GET', reward, { Host: host, ...key })), 400, badTarget)
    },
  )

  it('case 116: one of any name -> the API answers; only the control plane asks whose it is', async () => {
    const { server } = await serving()
    for (const host of ['127.0.0.1', 'LOCALHOST:4010', '[::1]:4010', 'sandbox.example', 'evil.example:80']) {
      const answer = await raw(server, request('GET', reward, { Host: host, ...key }))
      expect([host, answer.status]).toEqual([host, 200])
    }
  })
})

describe('case 117: what is no request', () => {
  const got = { method: 'GET', path: reward }
  const sent = { method: 'POST', path: intents }
  const http2 = { method: 'PRI', path: '*' }
  const protocol = 'The request line must be METHOD TARGET HTTP/1.1.'
  const version = 'The version of HTTP must be 1.0 or 1.1.'
  const header = 'A header line is not "name: value", or has a character that headers must not have.'
  const target = 'The request target must begin with a slash and be percent-encoded.'
  const plain = 'This is not an HTTP request.'
  const coding = 'Transfer-Encoding must end in chunked, and must not be sent with Content-Length.'
  const length = 'Content-Length must be one number.'

  it.each<[string, string | Buffer, string, { method?: string; path?: string; outcome?: string }?]>([
    ['words', 'HELLO\r\n\r\n', plain],
    ['nothing but line ends and a word', '\r\n\r\nx\r\n\r\n', plain],
    ['bytes of no text', Buffer.from([0, 255, 254, 1, 2, 3, 13, 10, 13, 10]), plain],
    [
      'a TLS hello',
      Buffer.from('16030100a5010000a10303', 'hex'),
      'This port speaks http, not https: use http:// in the URL.',
    ],
    [
      'the start of HTTP/2',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'This port speaks HTTP/1.1, not HTTP/2.',
      http2,
    ],
    ['an unknown protocol', `GET ${reward} FTP/1.1\r\nHost: x\r\n\r\n`, protocol, got],
    ['no target', 'GET  HTTP/1.1\r\nHost: x\r\n\r\n', target],
    ['a space in the target', request('GET', '/v2/rewards/a b'), protocol, { ...got, path: '/v2/rewards/a' }],
    ['raw UTF-8 in the target', request('GET', '/v2/rewards/é'), target, { ...got, path: '/v2/rewards/é' }],
    [
      'a control character in the target',
      request('GET', '/v2/rewards/a\u0001'),
      target,
      { ...got, path: '/v2/rewards/a\u0001' },
    ],
    [
      'an unknown method',
      request('FOO', reward),
      'Unknown method: the API has GET, HEAD, POST, PATCH, DELETE, OPTIONS.',
      { method: 'FOO', path: reward, outcome: 'unmatched' },
    ],
    ...['get', 'patch', 'Post'].map((method): [string, string, string, object] => [
      `the method ${method}`,
      request(method, `${reward}?a=1`, json),
      `Methods are case-sensitive: ${method.toUpperCase()}, not ${method}.`,
      { method, path: reward, outcome: 'unmatched' },
    ]),
    ['a version that does not exist', `GET ${reward} HTTP/3.7\r\nHost: x\r\n\r\n`, version, got],
    ['a header without a colon', `GET ${reward} HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n`, header, got],
    ['a header name with a space', `GET ${reward} HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n`, header, got],
    ['a space before the colon', `GET ${reward} HTTP/1.1\r\nHost : x\r\n\r\n`, header, got],
    ['NUL in a header', request('GET', reward, { 'x-a': 'b\u0000c' }), header, got],
    [
      'Content-Length and Transfer-Encoding',
      request(
        'POST',
        intents,
        { ...json, 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
        '0\r\n\r\n',
      ),
      coding,
      sent,
    ],
    [
      'two lengths',
      `POST ${intents} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      'Content-Length must be sent only once, and not with Transfer-Encoding.',
      sent,
    ],
    ['a negative length', request('POST', intents, { ...json, 'Content-Length': '-1' }), length, sent],
    ['a length in words', request('POST', intents, { ...json, 'Content-Length': 'two' }), length, sent],
    [
      'an unknown transfer coding',
      request('POST', intents, { ...json, 'Transfer-Encoding': 'chunked, gzip' }),
      coding,
      sent,
    ],
  ])('case 117: %s -> 400 B, closed, recorded and explained', async (_what, bytes, message, shown = {}) => {
    const { sandbox, server } = await serving()
    const before = sandbox.state.document()
    expectRefusal(await raw(server, bytes), 400, refused('BAD_REQUEST_ERROR', message))
    expect(sandbox.state.document()).toEqual(before)
    const { method = '-', path = '', outcome = 'invalid' } = shown
    expect(sandbox.requests.list()).toMatchObject([
      { id: 'req_default_1', workspace: 'default', method, path, operation: null, status: 400, outcome },
    ])
    expect(sandbox.requests.explain('req_default_1')?.summary).toBe(message)
    expect(sandbox.findings.unmatchedCalls().total).toBe(outcome === 'unmatched' ? 1 : 0)
  })

  it('garbage that follows a call shows nothing of that call', async () => {
    const { sandbox, server } = await serving()
    await rawBytes(
      server,
      request('GET', reward, { ...key, Connection: 'keep-alive' }) + request('patch', '/v2/x'),
    )
    expect(sandbox.requests.list().map(({ method, path, status }) => [method, path, status])).toEqual([
      ['patch', '/v2/x', 400],
      ['GET', reward, 200],
    ])
  })

  it.each([
    ['no Host', `GET ${reward} HTTP/1.1\r\n\r\n`, 400, 'Exactly one Host header is needed.'],
    ['a target that is no path', request('OPTIONS', '*', key), 400, 'The request target is not valid.'],
    [
      'an Expect',
      request('GET', reward, { ...key, Expect: 'x' }),
      417,
      'Only Expect: 100-continue is supported.',
    ],
    ['CONNECT', request('CONNECT', 'a:1', key), 400, 'CONNECT is not supported: the sandbox is not a proxy.'],
  ])('%s is recorded and explained, and cannot be replayed', async (_what, bytes, status, message) => {
    const { sandbox, server } = await serving()
    expect((await raw(server, bytes)).status).toBe(status)
    const [entry] = sandbox.requests.list()
    expect([entry?.status, entry?.workspace, entry?.key_id]).toEqual([status, 'default', null])
    expect(sandbox.requests.explain(entry?.id ?? '')?.summary).toBe(message)
    await expect(sandbox.requests.replay(entry?.id ?? '')).rejects.toThrow(
      'refused before it reached the API',
    )
  })

  it('a connection that sends nothing is no request', async () => {
    const { sandbox, server } = await serving()
    const http = await httpServerOf(server)
    http.headersTimeout = 1
    expect(await rawBytes(server, '')).toBe('')
    expect(sandbox.requests.list()).toEqual([])
  })

  it.each([
    ['a header of 17 KB', request('GET', reward, { ...key, 'x-big': 'a'.repeat(17 * 1024) })],
    ['a header of 2 MB', request('GET', reward, { ...key, 'x-big': 'a'.repeat(2 * 1024 * 1024) })],
    ['a header name of 17 KB', request('GET', reward, { ...key, ['x'.repeat(17 * 1024)]: 'a' })],
    ['a target of 17 KB', request('GET', `/v2/rewards/${'a'.repeat(17 * 1024)}`, key)],
  ])('case 117: %s -> 431 B, closed', async (_what, bytes) => {
    const { server } = await serving()
    expectRefusal(
      await raw(server, bytes),
      431,
      refused('HEADERS_TOO_LARGE_ERROR', 'The request headers are too large.'),
    )
  })

  const many = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'a']))

  it.each([101, 150, 1_000])(
    'case 117: %i headers -> 431 B, closed, none dropped silently',
    async (count) => {
      const { server } = await serving()
      // Host, Connection and Authorization are three of them.
      expectRefusal(
        await raw(server, request('GET', reward, { ...many(count - 3), ...key })),
        431,
        refused('HEADERS_TOO_LARGE_ERROR', 'More than 100 headers were sent.'),
      )
    },
  )

  it('case 117: 100 headers -> served, and the last one is read', async () => {
    const { server } = await serving()
    const answer = await raw(server, request('GET', reward, { ...many(97), ...key }))
    expect([answer.status, answer.json.id]).toEqual([200, 'rwd_ada_pending'])
  })

  it('case 117: 15 KB of headers -> served', async () => {
    const { server } = await serving()
    const answer = await raw(server, request('GET', reward, { 'x-big': 'a'.repeat(15 * 1024), ...key }))
    expect(answer.status).toBe(200)
  })

  it('case 117: the connection is let go of even if the peer keeps its side open', async () => {
    const { server } = await serving()
    const http = await httpServerOf(server)
    const gone = new Promise<void>((resolve) => {
      http.once('connection', (socket: Socket) => socket.once('close', () => resolve()))
    })
    const peer = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    peer.on('error', () => undefined)
    peer.write('HELLO\r\n\r\n')
    const [answer] = parseAnswers(String((await once(peer, 'data'))[0]))
    expect([answer?.status, answer?.json]).toEqual([400, garbage])
    await gone
    peer.destroy()
  })

  it('case 117: garbage after a good request -> the request is answered, then 400 B, closed', async () => {
    const { server } = await serving()
    const good = request('GET', reward, { ...key, Connection: 'keep-alive' })
    const answers = parseAnswers(await rawBytes(server, `${good}HELLO\r\n\r\n`))
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    expect(answers[1]?.json).toEqual(garbage)
  })

  it('case 117: a hundred of them at once, and the sandbox serves on', async () => {
    const { server } = await serving()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => raw(server, at % 2 ? 'HELLO\r\n\r\n' : request('FOO', '/'))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    expect((await raw(server, request('GET', reward, key))).status).toBe(200)
  })
})

describe('methods that HTTP knows and the API does not', () => {
  it.each(['TRACE', 'PROPFIND', 'PURGE', 'SEARCH', 'LINK', 'QUERY'])(
    '%s of a path -> 405 B',
    async (method) => {
      const { server } = await serving()
      const answer = await raw(server, request(method, '/v2/customers', key))
      // Node 20 does not know QUERY, and what it does not know is no request.
      if (method === 'QUERY' && answer.status === 400) return
      expect(answer.status).toBe(405)
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
      expect(answer.headers['x-service-version']).toBe('2026-10-13')
      expect(answer.json).toEqual(
        refused('METHOD_NOT_ALLOWED_ERROR', 'This path has the methods GET, HEAD, OPTIONS.'),
      )
    },
  )

  it('TRACE echoes nothing', async () => {
    const { server } = await serving()
    const answer = await raw(server, request('TRACE', '/v2/customers', { ...key, 'x-secret': 'echo-me' }))
    expect(JSON.stringify(answer)).not.toContain('echo-me')
    expect(JSON.stringify(answer)).not.toContain(fullKey)
  })

  it('TRACE of the control plane -> 405 in its own shape', async () => {
    const { server } = await serving()
    const answer = await raw(server, request('TRACE', '/_sandbox'))
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe('GET, HEAD')
    expect(answer.json).toEqual(refused('METHOD_NOT_ALLOWED', 'This path has the methods GET, HEAD.'))
  })

  it.each(['evil.example:443', reward])('CONNECT %s -> 400 B, closed: this is no proxy', async (target) => {
    const { server } = await serving()
    expectRefusal(
      await raw(server, request('CONNECT', target, key)),
      400,
      refused('BAD_REQUEST_ERROR', 'CONNECT is not supported: the sandbox is not a proxy.'),
    )
  })

  it('a client that resets its CONNECT does no harm', async () => {
    const { server } = await serving()
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(request('CONNECT', 'evil.example:443'))
    await once(socket, 'connect')
    socket.resetAndDestroy()
    expect((await raw(server, request('GET', reward, key))).status).toBe(200)
  })
})

describe('request targets', () => {
  it.each(['OPTIONS', 'GET'])('%s * -> 400 B: no endpoint is meant by it', async (method) => {
    const { server } = await serving()
    expectRefusal(await raw(server, request(method, '*', key)), 400, badTarget)
  })

  it.each(['v2/customers', 'ftp://127.0.0.1/v2/customers', '/v2\\customers', 'http://', 'http://a b/'])(
    'a target that is no path, %s -> 400 B',
    async (target) => {
      const { server } = await serving()
      const answer = await raw(server, request('GET', target, key))
      expect(answer.status).toBe(400)
      expect(answer.json.error.type).toBe('BAD_REQUEST_ERROR')
    },
  )

  it('an absolute target -> served by its path', async () => {
    const { server } = await serving()
    const answer = await raw(server, request('GET', `http://127.0.0.1${reward}?x=1`, key))
    expect([answer.status, answer.json.id]).toEqual([200, 'rwd_ada_pending'])
  })

  it('an absolute target without a path -> /', async () => {
    const { server } = await serving()
    const answer = await raw(server, request('GET', 'http://127.0.0.1', key))
    expect([answer.status, answer.body]).toEqual([
      200,
      'This is partner-rewards-sandbox. See /_sandbox for its control plane.\n',
    ])
  })

  it('an absolute target names the host that links are made for (RFC 9112)', async () => {
    const { server } = await serving()
    const path = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'
    const answer = await raw(server, request('GET', `http://named.example${path}`, key))
    expect(answer.json.data[0].pdf_url).toMatch(/^http:\/\/named\.example\/_sandbox\/files\/statements\//)
  })

  it('a fragment, which no client sends -> left out', async () => {
    const { server } = await serving()
    expect((await raw(server, request('GET', `${reward}#x`, key))).status).toBe(200)
  })
})

describe('Expect', () => {
  it('100-continue -> 100 Continue, then the answer', async () => {
    const { server } = await serving()
    const socket = connect(server.port, '127.0.0.1')
    const all = readToEnd(socket)
    const length = String(intent.length)
    socket.write(request('POST', intents, { ...json, 'Content-Length': length, Expect: '100-continue' }))
    await once(socket, 'data')
    socket.write(intent)
    const text = await all
    const informational = 'HTTP/1.1 100 Continue\r\n\r\n'
    expect(text.startsWith(informational)).toBe(true)
    const [answer] = parseAnswers(text.slice(informational.length))
    expect([answer?.status, answer?.json.amount]).toEqual([200, 100])
  })

  it('anything else -> 417 B, closed', async () => {
    const { server } = await serving()
    expectRefusal(
      await raw(server, request('GET', reward, { ...key, Expect: 'magic' })),
      417,
      refused('EXPECTATION_FAILED_ERROR', 'Only Expect: 100-continue is supported.'),
    )
  })
})

describe('one connection', () => {
  const alive = { ...key, Connection: 'keep-alive' }

  it('is kept alive, and says for how long', async () => {
    const { server } = await serving()
    const socket = connect(server.port, '127.0.0.1')
    socket.write(request('GET', reward, alive))
    const first = await nextAnswer(socket)
    expect(first.status).toBe(200)
    expect(first.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=65' })
    socket.write(request('GET', '/v2/rewards/unknown', alive))
    expect((await nextAnswer(socket)).status).toBe(404)
    socket.destroy()
  })

  it('takes pipelined requests, and answers them in their order', async () => {
    const { server } = await serving()
    const length = String(intent.length)
    const answers = parseAnswers(
      await rawBytes(
        server,
        [
          request('GET', '/v2/rewards/a', alive),
          request('POST', intents, { ...json, Connection: 'keep-alive', 'Content-Length': length }, intent),
          request('GET', reward, alive),
          request('DELETE', '/v2/order_events/ord_ada_1', alive),
          request('GET', '/v2/customers?limit=1', key),
        ].join(''),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 200, 204, 200])
    expect(answers[1]?.json.amount).toBe(100)
    expect(answers[2]?.json.id).toBe('rwd_ada_pending')
  })

  it('is usable after a refusal that left the body unread', async () => {
    const { server } = await serving()
    const body = 'x'.repeat(100_000)
    const unread = { Authorization: 'Bearer sk_unknown', 'Content-Length': String(body.length) }
    const answers = parseAnswers(
      await rawBytes(
        server,
        request('POST', intents, { ...unread, Connection: 'keep-alive' }, body) + request('GET', reward, key),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([401, 200])
  })

  it('takes a chunked body with extensions and trailers', async () => {
    const { server } = await serving()
    const [head, tail] = [intent.slice(0, 10), intent.slice(10)]
    const chunked = `a;ext=1\r\n${head}\r\n${tail.length.toString(16)}\r\n${tail}\r\n0\r\nx-trailer: 1\r\n\r\n`
    const answer = await raw(
      server,
      request('POST', intents, { ...json, 'Transfer-Encoding': 'chunked' }, chunked),
    )
    expect([answer.status, answer.json.amount]).toEqual([200, 100])
  })

  it('takes a request byte by byte', async () => {
    const { server } = await serving()
    const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true })
    const all = readToEnd(socket)
    const bytes = request('POST', intents, { ...json, 'Content-Length': String(intent.length) }, intent)
    for (const byte of bytes) await new Promise((resolve) => socket.write(byte, resolve))
    expect(parseAnswers(await all).map(({ status }) => status)).toEqual([200])
  })

  it('with an Upgrade that is not spoken here -> answered as HTTP', async () => {
    const { server } = await serving()
    const socket = connect(server.port, '127.0.0.1')
    socket.write(request('GET', reward, { ...key, Connection: 'Upgrade', Upgrade: 'websocket' }))
    expect((await nextAnswer(socket)).status).toBe(200)
    socket.destroy()
  })
})

describe('HTTP/1.0', () => {
  it('with Host -> answered and closed', async () => {
    const { server } = await serving()
    const answer = await raw(
      server,
      `GET ${reward} HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${fullKey}\r\n\r\n`,
    )
    expect([answer.status, answer.json.id]).toEqual([200, 'rwd_ada_pending'])
    expect(answer.headers['connection']).toBe('close')
  })
})

describe('senders that are too slow', () => {
  it('are given 10 s for headers, 30 s for the whole, 65 s between two requests', async () => {
    const { server } = await serving()
    const http = await httpServerOf(server)
    expect({
      headersTimeout: http.headersTimeout,
      requestTimeout: http.requestTimeout,
      keepAliveTimeout: http.keepAliveTimeout,
      maxHeadersCount: http.maxHeadersCount,
      maxConnections: http.maxConnections,
    }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      maxHeadersCount: 0,
      maxConnections: 2_048,
    })
  })

  const late = refused('REQUEST_TIMEOUT_ERROR', 'The request was not sent in time.')

  it.each([
    ['the headers', 'headersTimeout', `GET ${reward} HTTP/1.1\r\nHost: x\r\n`],
    ['the body', 'requestTimeout', request('POST', intents, { ...json, 'Content-Length': '200' }, '{')],
    [
      'a chunk',
      'requestTimeout',
      request('POST', intents, { ...json, 'Transfer-Encoding': 'chunked' }, '5\r\n{'),
    ],
  ] as const)('%s do not come -> one 408 B, closed', async (_what, limit, bytes) => {
    const { sandbox, server } = await serving()
    const before = sandbox.state.document()
    // Node looks once a second; without the shorter limit this test would take as long as the limit.
    const http = await httpServerOf(server)
    http.requestTimeout = limit === 'requestTimeout' ? 1 : 30_000
    http.headersTimeout = 1
    const answers = parseAnswers(await rawBytes(server, bytes))
    expect(answers).toHaveLength(1)
    expect([answers[0]?.status, answers[0]?.json]).toEqual([408, late])
    expect(answers[0]?.headers).toMatchObject({ connection: 'close', 'content-type': 'application/json' })
    expect(sandbox.state.document()).toEqual(before)
  })
})

describe('a client that goes away', () => {
  it.each([
    ['in the middle of its headers', `GET ${reward} HTTP/1.1\r\nHost: x\r\n`],
    ['in the middle of its body', request('POST', intents, { ...json, 'Content-Length': '200' }, '{"a":')],
    [
      'in the middle of a chunk',
      request('POST', intents, { ...json, 'Transfer-Encoding': 'chunked' }, 'a\r\n{'),
    ],
  ])('%s -> nothing changes, nothing is a bug, the sandbox serves on', async (_what, bytes) => {
    const bugs: unknown[] = []
    await using sandbox = await createSandbox({}, { onBug: (error) => bugs.push(error) })
    const server = await sandbox.listen()
    const http = await httpServerOf(server)
    const before = sandbox.state.document()
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      const gone = new Promise<void>((resolve) => {
        http.once('connection', (socket: Socket) => socket.once('close', () => resolve()))
      })
      const client = connect(server.port, '127.0.0.1')
      client.on('error', () => undefined)
      await new Promise((resolve) => client.write(bytes, resolve))
      client[leave]()
      await gone
    }
    expect(sandbox.state.document()).toEqual(before)
    expect(bugs).toEqual([])
    expect((await raw(server, request('GET', reward, key))).status).toBe(200)
  })

  it('before the body is whole, but still listens -> 400 B', async () => {
    const { sandbox, server } = await serving()
    const before = sandbox.state.document()
    const bytes = request('POST', intents, { ...json, 'Content-Length': '200' }, '{"a":')
    const answer = await raw(server, bytes, { end: true })
    expect([answer.status, answer.json.error.type]).toEqual([400, 'BAD_REQUEST_ERROR'])
    expect(sandbox.state.document()).toEqual(before)
  })

  it('before it reads its answers -> the sandbox serves on', async () => {
    const { server } = await serving()
    const client = connect(server.port, '127.0.0.1')
    client.on('error', () => undefined)
    const one = request('GET', '/v2/customers?limit=100', { ...key, Connection: 'keep-alive' })
    await new Promise((resolve) => client.write(one.repeat(50), resolve))
    client.resetAndDestroy()
    expect((await raw(server, request('GET', reward, key))).status).toBe(200)
  })
})

describe('close', () => {
  /** From here on a timer fires when the test says so. */
  const withoutTimers = (): void => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
  }

  it('finishes the call in flight, takes no new one, and closes what is idle', async () => {
    const { sandbox, server } = await serving()
    const http = await httpServerOf(server)
    const idle = connect(server.port, '127.0.0.1')
    idle.write(request('GET', reward, { ...key, Connection: 'keep-alive' }))
    await nextAnswer(idle)
    const idleGone = once(idle, 'close')

    const busy = connect(server.port, '127.0.0.1')
    const headers = { ...json, Connection: 'keep-alive', 'Content-Length': String(intent.length) }
    // Its headers are known to have arrived when 100 Continue comes back.
    busy.write(request('POST', intents, { ...headers, Expect: '100-continue' }))
    await once(busy, 'data')
    const answer = nextAnswer(busy)
    const before = sandbox.state.size('transaction_intents')

    // The client would keep its connection, and a caller that waits for it would wait for this timer, which never fires.
    withoutTimers()
    const closing = server.close()
    await idleGone
    expect(await closed(server, http)).toBe(true)
    busy.write(intent)
    expect((await answer).status).toBe(200)
    await closing
    expect(sandbox.state.size('transaction_intents')).toBe(before + 1)
  })

  it('cuts off a call that does not end within 1.5 s', async () => {
    const { sandbox, server } = await serving()
    const before = sandbox.state.document()
    const hanging = connect(server.port, '127.0.0.1')
    const gone = once(hanging, 'close')
    hanging.on('error', () => undefined)
    hanging.write(request('POST', intents, { ...json, 'Content-Length': '200', Expect: '100-continue' }))
    await once(hanging, 'data')
    withoutTimers()
    const closing = server.close()
    vi.advanceTimersByTime(1_499)
    await new Promise(setImmediate)
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    expect(hanging.closed).toBe(false)
    vi.advanceTimersByTime(1)
    await closing
    await gone
    expect(sandbox.state.document()).toEqual(before)
  })

  it('twice, and of a port without calls -> done at once', async () => {
    const { server } = await serving()
    const http = await httpServerOf(server)
    await server.close()
    await server.close()
    expect(await closed(server, http)).toBe(true)
  })
})

describe('addresses', () => {
  it('127.0.0.1 is served as ::1, too, where there is IPv6', async () => {
    const { server } = await serving()
    const socket = connect(server.port, '::1')
    const reached = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ])
    if (!reached) return
    socket.write(request('GET', reward, { Host: '[::1]', ...key }))
    expect(parseAnswers(await readToEnd(socket)).map(({ status }) => status)).toEqual([200])
  })

  it('an IPv6 host is written in brackets', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen({ host: '::1' }).catch(() => undefined)
    if (!server) return
    expect(server.url).toBe(`http://[::1]:${server.port}`)
    expect((await fetch(`${server.url}/_sandbox/health`)).status).toBe(200)
  })
})
