import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { resources } from '../../src/control/index.ts'
import { askControl } from '../helpers/control.ts'
import { parseAnswers, raw, rawBytes, readToEnd, request } from '../helpers/raw.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { tooLarge, unchanged } from './bodies.ts'

const json = { 'content-type': 'application/json' }

describe('large bodies', () => {
  const mebibyte = 2 ** 20

  it('a document of 8 MiB is taken, in process and over a socket', async () => {
    const sandbox = await startSandbox()
    const customers = Array.from({ length: 20_000 }, (_, at) => ({
      id: `cus_${at}`,
      metadata: { note: 'x'.repeat(380) },
    }))
    const body = JSON.stringify({ customers })
    expect(body.length).toBeGreaterThan(8 * mebibyte)
    expect((await askControl(sandbox, 'PUT', '/state', body)).status).toBe(200)
    sandbox.reset()
    const { url } = await sandbox.listen()
    const init = { method: 'PUT', headers: json, body }
    expect((await fetch(`${url}/_sandbox/state`, init)).status).toBe(200)
    const back = (await (await fetch(`${url}/_sandbox/state`)).json()) as { customers: unknown[] }
    expect(back.customers).toHaveLength(20_000)
  })

  it('over a socket the client is told, whether it says how much it sends or not; the connection goes on', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const size = mebibyte + 1
    const body = ' '.repeat(size)
    for (const [headers, sent] of [
      [{ 'Content-Length': String(size) }, body],
      [{ 'Transfer-Encoding': 'chunked' }, `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    ] as const) {
      const first = request(
        'PUT',
        '/_sandbox/clock',
        { Connection: null, 'Content-Type': 'application/json', ...headers },
        sent,
      )
      const text = await rawBytes(server, first + request('GET', '/_sandbox/clock'))
      const [refused, next] = parseAnswers(text)
      expect([refused?.status, refused?.json]).toEqual([413, tooLarge(mebibyte)])
      expect(next?.status).toBe(200)
    }
  })

  it('a body that nobody reads is taken in before the answer: the client sees it, and can go on', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const size = 4 * mebibyte
    for (const [method, path, type, status] of [
      ['PUT', '/_sandbox/nothing', 'application/json', 404],
      ['PUT', '/_sandbox/reset', 'application/json', 405],
      ['PUT', '/_sandbox/state', 'text/plain', 415],
      ['PUT', '/_sandbox/state/reward/x', 'application/json', 404],
      ['DELETE', '/_sandbox/state/order_events/ord_ada_1', 'application/json', 204],
    ] as const) {
      const headers = { Connection: null, 'Content-Type': type, 'Content-Length': String(size) }
      const first = request(method, path, headers, ' '.repeat(size))
      const text = await rawBytes(server, first + request('GET', '/_sandbox/health'))
      const answers = parseAnswers(text).map((answer) => answer.status)
      expect([path, answers]).toEqual([path, [status, 200]])
    }
  })

  it('a body that nobody reads, sent slowly -> the answer comes once it is there', async () => {
    const sandbox = await startSandbox()
    const { port } = await sandbox.listen()
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '4' }
    const bytes = request('PUT', '/_sandbox/nothing', headers, '{}  ')
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    const text = readToEnd(socket)
    socket.write(bytes.slice(0, -2))
    // A later call on another connection is answered, so this one has been read.
    for (let at = 0; at < 5; at++) await fetch(`http://127.0.0.1:${port}/_sandbox/health`)
    expect(received).toBe('')
    socket.write(bytes.slice(-2))
    expect(parseAnswers(await text)[0]?.status).toBe(404)
  })

  it('a body that is cut off changes nothing', async () => {
    const sandbox = await startSandbox()
    const { port } = await sandbox.listen()
    await unchanged(sandbox, async () => {
      const socket = connect(port, '127.0.0.1')
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' }
      socket.end(request('PUT', '/_sandbox/state', headers, '{}'))
      await readToEnd(socket)
    })
  })
})

describe('every path', () => {
  // A stream has no end, and is tested by itself.
  const ending = resources.map(({ path: one }) => one).filter((path) => path !== '/_sandbox/stream')
  it.each(ending)('%s: HEAD is GET without a body, or 405', async (path) => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const called = path.replace(':name', 'slow').replace(':collection', 'rewards').replace(':id', 'x')
    const get = await raw(server, request('GET', called))
    const head = await raw(server, request('HEAD', called), { isHead: true })
    expect([head.status, head.body]).toEqual([get.status, ''])
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  })
})
