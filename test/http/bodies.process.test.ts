import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { answered, checkerFor, type Answered } from '../helpers/sandbox.ts'
import {
  bodies,
  compressed,
  good,
  intents,
  json,
  malformed,
  MiB,
  ofSize,
  sequences,
  start,
  tooLarge,
  utf8,
  withBytes,
} from './bodies.ts'

interface Wired {
  path?: string
  method?: string
  headers?: Record<string, string>
  /** Sent one after the other; with a content-length only where `headers` has one. */
  chunks: Iterable<Uint8Array>
  agent?: Agent
}

/** A sandbox on a port, called with bodies of our own framing; answers are checked as in-process ones are. */
async function serve(assume: UnvalidatedSettings = {}) {
  const { sandbox, ...rest } = await start(assume)
  const { url, port } = await sandbox.listen()
  const checker = checkerFor({ assume })
  const wire = ({ path = intents, method = 'POST', headers = {}, chunks, agent }: Wired): Promise<Answered> =>
    new Promise<Answered>((resolve, reject) => {
      const outgoing = request(`${url}${path}`, {
        method,
        headers: { authorization: 'Bearer sk_sandbox_full', ...json, ...headers },
        ...(agent ? { agent } : { agent: false }),
      })
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => {
        const parts: Buffer[] = []
        incoming.on('data', (part: Buffer) => parts.push(part))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(parts).toString()
          const answerHeaders = new Headers(incoming.headers as Record<string, string>)
          const status = incoming.statusCode ?? 0
          try {
            checker.check({ method, path }, { status, headers: answerHeaders, body: text })
            resolve(answered(new Response(null, { status, headers: answerHeaders }), text))
          } catch (error) {
            reject(error as Error)
          }
        })
      })
      Readable.from(chunks).pipe(outgoing)
    })
  return { ...rest, sandbox, url, port, wire }
}

describe('case 46: malformed JSON, empty body', () => {
  test.each([
    ['half an object', '{"amount":', 'is not valid JSON'],
    ['nothing', '', 'is empty; expected a JSON object'],
    ['a stray byte', '"\xff"', 'is not valid UTF-8'],
  ])('case 46: %s over a socket, with a length and in chunks -> 400 B', async (_, body, what) => {
    const { wire } = await serve()
    const bytes = Buffer.from(body, 'latin1')
    for (const headers of [{ 'content-length': String(bytes.length) }, { 'transfer-encoding': 'chunked' }]) {
      const answer = await wire({ headers, chunks: bytes.length > 0 ? [bytes] : [] })
      expect([answer.status, answer.json]).toEqual([400, malformed(what)])
    }
  })

  test('case 46: a body cut into single bytes on the way -> read as one', async () => {
    const { wire } = await serve()
    const bytes = utf8(JSON.stringify({ ...good, metadata: { smile: '😀 é' } }))
    const answer = await wire({ chunks: [...bytes].map((byte) => Uint8Array.of(byte)) })
    expect([answer.status, answer.json.metadata]).toEqual([200, { smile: '😀 é' }])
  })

  test('case 46: a client that goes away in the middle of a body -> nothing changed, the next one is served', async () => {
    const { port, document, call } = await serve()
    const before = document()
    await new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        const head = `POST ${intents} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk_sandbox_full\r\n`
        const framing = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n'
        socket.write(`${head}${framing}{"amount":`, () => socket.destroy())
      })
      socket.on('close', () => resolve()).on('error', reject)
    })
    expect((await call('GET', '/v2/customers')).status).toBe(200)
    expect(document()).toBe(before)
  })
})

describe('case 48: a body that is not declared as JSON', () => {
  test('case 48: two Content-Type headers on a socket -> 415, neither is picked', async () => {
    const { port } = await serve()
    const body = JSON.stringify(good)
    const text = await exchange(port, [
      `POST ${intents} HTTP/1.1`,
      'Host: localhost',
      'Authorization: Bearer sk_sandbox_full',
      'Content-Type: application/json',
      'Content-Type: text/plain',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    ])
    expect(text).toMatch(/^HTTP\/1\.1 415 /)
  })
})

/** Writes lines and reads what comes back until the server closes. */
function exchange(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(lines.join('\r\n')))
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

describe('case 50: Content-Encoding', () => {
  test.each(bodies.slice(0, 3))(
    'case 50: %s over a socket -> 415 B, seen by the client',
    async (encoding, bytes) => {
      const { wire, document } = await serve()
      const before = document()
      const answer = await wire({ headers: { 'content-encoding': encoding }, chunks: [bytes] })
      expect([answer.status, answer.json]).toEqual([415, compressed])
      expect(answer.headers.get('accept-encoding')).toBe('identity')
      expect(document()).toBe(before)
    },
  )
})

describe('case 51: a body of more than 1 MiB', () => {
  const framings = (size: number): [string, Record<string, string>][] => [
    ['a content-length', { 'content-length': String(size) }],
    ['chunks', { 'transfer-encoding': 'chunked' }],
  ]

  test.each(framings(MiB))('case 51: exactly 1 MiB over a socket in %s -> read', async (_, headers) => {
    const { wire } = await serve()
    const answer = await wire({ headers, chunks: ofSize(MiB) })
    expect([answer.status, answer.json.details[0]]).toEqual([400, 'customer_id: is required'])
  })

  test.each(framings(MiB + 1))(
    'case 51: 1 MiB + 1 over a socket in %s -> 413 B each of 40 times',
    async (_, headers) => {
      const { wire, document } = await serve()
      const before = document()
      for (let round = 0; round < 40; round++) {
        const answer = await wire({ headers, chunks: ofSize(MiB + 1) })
        expect([answer.status, answer.json]).toEqual([413, tooLarge(MiB)])
        expect([answer.version, answer.assumptions]).toEqual(['2026-10-13', []])
      }
      expect(document()).toBe(before)
    },
  )

  test.each(framings(30 * MiB))(
    'case 51: 30 MiB over a socket in %s -> 413 B, and the connection goes on',
    async (_, headers) => {
      const { wire } = await serve()
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => agent.destroy())
      for (let round = 0; round < 3; round++) {
        const answer = await wire({ headers, chunks: ofSize(30 * MiB), agent })
        expect([answer.status, answer.json]).toEqual([413, tooLarge(MiB)])
        expect(answer.headers.get('connection')).toBe('keep-alive')
        const next = await wire({ chunks: [utf8(JSON.stringify(good))], agent })
        expect(next.status).toBe(200)
      }
    },
  )

  test('case 51: twenty clients at once with 3 MiB each -> each sees its 413', async () => {
    const { wire } = await serve()
    const chunks = (): Iterable<Uint8Array> => ofSize(3 * MiB)
    const answers = await Promise.all(Array.from({ length: 20 }, () => wire({ chunks: chunks() })))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 413))
  })

  test('case 51: more than 32 MiB -> answered or cut off, never a hang, and the next call is served', async () => {
    const { wire } = await serve()
    const outcome = await wire({ chunks: ofSize(80 * MiB) }).then(
      ({ status, headers }) => [status, headers.get('connection')],
      (error: NodeJS.ErrnoException) => error.code,
    )
    expect([[413, 'close'], 'ECONNRESET', 'EPIPE']).toContainEqual(outcome)
    expect((await wire({ chunks: [utf8(JSON.stringify(good))] })).status).toBe(200)
  })

  test.each<[string, number, Wired['headers'], string]>([
    ['no usable key', 401, { authorization: 'Bearer nobody' }, intents],
    ['an unsupported version', 400, { 'x-service-version': '2020-01-01' }, intents],
    ['an unknown path', 404, {}, '/v2/nothing'],
    ['a wrong method', 405, {}, '/v2/customers'],
    ['no scope', 403, { authorization: 'Bearer sk_sandbox_none' }, intents],
    ['another media type', 415, { 'content-type': 'text/plain' }, intents],
  ])(
    'case 51: 3 MiB with %s -> %i, seen by the client each of 10 times',
    async (_, status, headers, path) => {
      const { wire } = await serve()
      for (let round = 0; round < 10; round++) {
        const answer = await wire({ path, ...(headers ? { headers } : {}), chunks: ofSize(3 * MiB) })
        expect(answer.status).toBe(status)
      }
    },
  )

  test('case 51: Expect: 100-continue -> the body is asked for and answered', async () => {
    const { wire } = await serve()
    const answer = await wire({ headers: { expect: '100-continue' }, chunks: [utf8(JSON.stringify(good))] })
    expect(answer.status).toBe(200)
  })
})

describe('case 52: invalid UTF-8', () => {
  test.each(sequences)(
    'case 52: %s over a socket, in one piece and torn apart -> 400 B',
    async (_, bytes) => {
      const { wire, document } = await serve()
      const before = document()
      const whole = withBytes(bytes)
      for (const chunks of [[whole], [...whole].map((byte) => Uint8Array.of(byte))]) {
        const answer = await wire({ chunks })
        expect([answer.status, answer.json]).toEqual([400, malformed('is not valid UTF-8')])
      }
      expect(document()).toBe(before)
    },
  )
})
