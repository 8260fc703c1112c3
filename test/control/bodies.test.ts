import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { nouns } from '../../src/control/index.ts'
import type { Sandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { parseAnswers, raw, rawBytes, readToEnd, request } from '../helpers/raw.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const json = { 'content-type': 'application/json' }

/** Every place that reads a body. */
const reading = [
  ['PUT', '/state'],
  ['PUT', '/state/account'],
  ['PATCH', '/state/account'],
  ['PUT', '/state/rewards/rwd_ada_pending'],
  ['PATCH', '/state/rewards/rwd_ada_pending'],
  ['POST', '/scenarios'],
  ['PUT', '/scenarios/active'],
  ['PUT', '/clock'],
  ['POST', '/clock/advance'],
] as const

const unchanged = async (sandbox: Sandbox, act: () => Promise<void>): Promise<void> => {
  const before = [sandbox.state.document(), sandbox.workspaces.list(), await sandbox.scenarios.active()]
  await act()
  expect([sandbox.state.document(), sandbox.workspaces.list(), await sandbox.scenarios.active()]).toEqual(
    before,
  )
}

describe.each([...reading, ['POST', '/workspaces'] as const])('%s %s', (method, path) => {
  it.each<[string, string, string, number, number]>([
    ['no JSON', '{"a": 1,}', 'expected a key in double quotes', 1, 9],
    ['a text that ends early', '{\n  "a": [1', 'expected a comma or ], but the file ends here', 2, 10],
    ['JSON with comments', '{} // x', 'expected the end of the file after the document', 1, 4],
    ['a key that stands twice', '{"a": 1, "a": 2}', 'this key stands twice in one object', 1, 10],
    ['YAML', 'name: w1', 'expected a value', 1, 1],
    ['nesting without end', '['.repeat(200_000), 'is nested deeper than 100 levels', 1, 101],
  ])('%s -> 400 with line and column, nothing changed', async (_what, body, message, line, column) => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      const answer = await askControl(sandbox, method, path, body)
      expect([answer.status, answer.json.error.type]).toEqual([400, 'INVALID'])
      expect(answer.json.error.details[0]).toMatchObject({ source: 'body', line, column, message })
    })
  })

  it('no UTF-8 -> 400', async () => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      const body = new Uint8Array([0x22, 0xff, 0x22])
      const answer = await sandbox.fetch(`/_sandbox${path}`, { method, headers: json, body })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        controlErrorBody('INVALID', 'The body must be text in UTF-8.'),
      ])
    })
  })

  it('a byte order mark is passed over', async () => {
    const sandbox = await startSandbox()
    const answer = await askControl(sandbox, method, path, '\ufeff{"\\u0000": 1}')
    expect(answer.status).toBe(400)
    // It is no character of the text, of which no other could be wrong.
    expect(JSON.stringify(answer.json)).not.toMatch(/\ufeff|not JSON|expected a value/)
  })

  it.each([
    [{ 'content-type': 'text/plain' }, 'A body must be sent as Content-Type: application/json.'],
    [
      { 'content-type': 'application/json; charset=latin1' },
      'A body must be sent as Content-Type: application/json.',
    ],
    [{ ...json, 'content-encoding': 'gzip' }, 'A body must not be compressed.'],
  ])('%j -> 415', async (headers, message) => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      expect(await askControl(sandbox, method, path, '{}', headers)).toMatchObject({
        status: 415,
        json: controlErrorBody('UNSUPPORTED_MEDIA_TYPE', message),
      })
    })
  })

  it('a query parameter that nothing reads -> 400; one that stands twice -> 400', async () => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      expect((await askControl(sandbox, method, `${path}?worksapce=w1`, {})).json).toEqual(
        controlErrorBody('INVALID', "unknown query parameter 'worksapce', did you mean 'workspace'?"),
      )
      expect((await askControl(sandbox, method, `${path}?__proto__=1`, {})).json).toEqual(
        controlErrorBody(
          'INVALID',
          expect.stringMatching(/^unknown query parameter '__proto__', expected one of: workspace/),
        ),
      )
      expect((await askControl(sandbox, method, `${path}?workspace=w1&workspace=w2`, {})).json).toEqual(
        controlErrorBody('INVALID', "query parameter 'workspace' must stand once"),
      )
    })
  })
})

describe('bodies where none is needed', () => {
  const bodiless = [
    ['POST', '/reset'],
    ['PUT', '/snapshots/t'],
    ['POST', '/snapshots/s/restore'],
  ] as const

  it.each(bodiless)('%s %s: none or {} is fine, anything in it -> 400', async (method, path) => {
    const sandbox = await startSandbox()
    sandbox.snapshot('s')
    for (const body of [undefined, {}, '']) {
      expect((await askControl(sandbox, method, path, body)).status).toBe(200)
    }
    sandbox.clock.advance({ days: 1 })
    const before = [sandbox.clock.now(), sandbox.snapshots.list()]
    for (const body of [{ workspace: 'w1' }, [], 'null', '"x"']) {
      expect(await askControl(sandbox, method, path, body)).toMatchObject({
        status: 400,
        json: controlErrorBody('INVALID', 'This takes no body.'),
      })
    }
    expect((await askControl(sandbox, method, path, '{')).status).toBe(400)
    expect([sandbox.clock.now(), sandbox.snapshots.list()]).toEqual(before)
  })

  it.each(reading)('%s %s without one -> 400', async (method, path) => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      for (const body of [undefined, '']) {
        expect(await askControl(sandbox, method, path, body)).toMatchObject({
          status: 400,
          json: controlErrorBody('INVALID', 'A body is needed: send JSON.'),
        })
      }
    })
  })

  it('DELETE ignores it, as the API does', async () => {
    const sandbox = await startSandbox()
    expect((await askControl(sandbox, 'DELETE', '/state/order_events/ord_ada_1', '{"x"')).status).toBe(204)
  })
})

describe('large bodies', () => {
  const tooLarge = (most: number): object =>
    controlErrorBody('PAYLOAD_TOO_LARGE', `The request body is larger than ${most} bytes.`)
  const mebibyte = 2 ** 20

  it('1 MiB for rows and settings, 64 MiB for state documents', async () => {
    const sandbox = await startSandbox()
    await unchanged(sandbox, async () => {
      const small = ' '.repeat(mebibyte)
      expect((await askControl(sandbox, 'PUT', '/clock', small)).status).toBe(400)
      expect(await askControl(sandbox, 'PUT', '/clock', `${small} `)).toMatchObject({
        status: 413,
        json: tooLarge(mebibyte),
      })
      const large = Buffer.alloc(64 * mebibyte + 1, ' ').toString()
      for (const [method, path] of [
        ['PUT', '/state'],
        ['POST', '/workspaces'],
      ] as const) {
        expect(await askControl(sandbox, method, path, large)).toMatchObject({
          status: 413,
          json: tooLarge(64 * mebibyte),
        })
      }
    })
  })

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
    // Whoever comes after it on another connection is answered, so this one has been looked at.
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

describe('every noun', () => {
  // A stream has no end, and is tested by itself.
  const ending = nouns.map((noun) => noun.path).filter((path) => path !== '/_sandbox/stream')
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
