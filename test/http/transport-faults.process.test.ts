import { spawn } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { faultyResponse, LostAnswerError } from '../../src/http/transport-faults.ts'
import { createSandbox, type Sandbox, type SandboxServer } from '../../src/index.ts'

/**
 * Each fault as four clients see it: Node's fetch, curl, a bare socket, and a caller inside the process. Moments tell
 * whether the writes of the call stand: a fault before the commit leaves no trace, one after it leaves them.
 */

const moments = ['before', 'after'] as const
type Moment = (typeof moments)[number]

interface FaultCase {
  fault: string | object
  fetch: string
  /** The exit code of curl. */
  curl: number
  /** The bytes that arrive at a socket, and how the connection ends. */
  socket: string
}

/** A promise of curl's manual: 52 nothing came back, 56 receiving failed, 18 less came than was announced. */
const cases: FaultCase[] = [
  { fault: 'reset', fetch: 'rejects ECONNRESET', curl: 56, socket: 'nothing, reset' },
  { fault: 'empty', fetch: 'rejects UND_ERR_SOCKET', curl: 52, socket: 'nothing, closed' },
  { fault: 'truncate', fetch: '200 cut off UND_ERR_SOCKET', curl: 18, socket: '200 half, closed' },
  { fault: 'malformed_json', fetch: '200 not JSON', curl: 0, socket: '200 not JSON, closed' },
  {
    fault: { drip: { bytes_per_second: 1_000_000 } },
    fetch: '200 whole',
    curl: 0,
    socket: '200 whole, closed',
  },
]
const table = cases.flatMap((one) => moments.map((at) => ({ ...one, at, name: JSON.stringify(one.fault) })))

const intentBody = JSON.stringify({ customer_id: 'cus_ada', amount: 4200, currency: 'USD' })
const post: RequestInit = {
  method: 'POST',
  headers: { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' },
  body: intentBody,
}
const get: RequestInit = { headers: { authorization: 'Bearer sk_sandbox_full' } }
const intents = '/v2/transaction_intents'
const reward = '/v2/rewards/rwd_ada_pending'

const started: Sandbox[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()))
})

async function faulty(fault: unknown, at?: Moment, more: object = {}): Promise<Sandbox & Answering> {
  let answered = (): void => undefined
  const effect = { transport: fault, ...(at ? { at } : {}) }
  const rules = [{ on: '*', effect, ...more }]
  const scenario = { name: 'fault', description: 'One fault for every call.', rules }
  const sandbox = await createSandbox({ scenarios: [scenario] }, { onAnswer: () => answered() })
  started.push(sandbox)
  return Object.assign(sandbox, { answering: () => new Promise<void>((done) => (answered = done)) })
}

interface Answering {
  /** Settles when the next call has come as far as its fault. */
  answering(): Promise<void>
}

/** The outcome of a call, in a few words. */
async function outcomeOf(call: Promise<Response>): Promise<string> {
  let response: Response
  try {
    response = await call
  } catch (error) {
    return `rejects ${codeOf(error)}`
  }
  const { status } = response
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    return `${status} cut off ${codeOf(error)}`
  }
  return `${status} ${kindOf(text)}`
}

function kindOf(text: string): string {
  try {
    JSON.parse(text)
    return 'whole'
  } catch {
    return text === '' ? 'empty' : 'not JSON'
  }
}

function codeOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? name
}

/** Runs curl; its exit code tells how the transfer ended. */
async function curl(args: string[], input = ''): Promise<{ code: number; text: string }> {
  const child = spawn('curl', ['--silent', '--noproxy', '*', ...args])
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = (await once(child, 'close')) as [number]
  return { code, text: Buffer.concat(chunks).toString() }
}

const curlPost = (url: string): string[] => [
  '--data',
  intentBody,
  '--header',
  'content-type: application/json',
  '--header',
  'authorization: Bearer sk_sandbox_full',
  `${url}${intents}`,
]

function requestBytes(method: string, path: string, body = ''): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    'authorization: Bearer sk_sandbox_full',
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
    '',
    body,
  ].join('\r\n')
}

interface Connection {
  received: string
  ending: 'closed' | 'reset'
}

function onSocket({ port }: SandboxServer, bytes: string): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  let ending: Connection['ending'] = 'closed'
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => (ending = 'reset'))
  socket.write(bytes)
  return new Promise((done) => {
    socket.on('close', () => done({ received: Buffer.concat(chunks).toString(), ending }))
  })
}

function describeConnection({ received, ending }: Connection): string {
  if (received === '') return `nothing, ${ending}`
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const status = head.split(' ')[1]
  const announced = Number(/content-length: (\d+)/.exec(head)?.[1] ?? Number.NaN)
  const half = Math.ceil(announced / 2) === body.length
  return `${status} ${half ? 'half' : kindOf(body)}, ${ending}`
}

function expectState(sandbox: Sandbox, before: number, at: Moment): void {
  expect(sandbox.state.size('transaction_intents')).toBe(at === 'before' ? before : before + 1)
}

describe('a fault of a POST, before and after its commit', () => {
  test.each(table)("Node's fetch: $name $at -> $fetch", async ({ fault, at, fetch: expected }) => {
    const sandbox = await faulty(fault, at)
    const before = sandbox.state.size('transaction_intents')
    const { url } = await sandbox.listen()
    expect(await outcomeOf(fetch(`${url}${intents}`, post))).toBe(expected)
    expectState(sandbox, before, at)
  })

  test.each(table)('in process: $name $at -> $fetch', async ({ fault, at, fetch: expected }) => {
    const sandbox = await faulty(fault, at)
    const before = sandbox.state.size('transaction_intents')
    expect(await outcomeOf(sandbox.fetch(intents, post))).toBe(expected)
    expectState(sandbox, before, at)
  })

  test.each(table)(
    'curl: $name $at -> exit code $curl',
    async ({ fault, at, curl: expected, fetch: seen }) => {
      const sandbox = await faulty(fault, at)
      const before = sandbox.state.size('transaction_intents')
      const { url } = await sandbox.listen()
      const { code, text } = await curl(curlPost(url))
      expect({ code, kind: code === 0 ? `200 ${kindOf(text)}` : seen }).toEqual({
        code: expected,
        kind: seen,
      })
      expectState(sandbox, before, at)
    },
  )

  test.each(table)('a bare socket: $name $at -> $socket', async ({ fault, at, socket }) => {
    const sandbox = await faulty(fault, at)
    const before = sandbox.state.size('transaction_intents')
    const server = await sandbox.listen()
    const seen = await onSocket(server, requestBytes('POST', intents, intentBody))
    expect(describeConnection(seen)).toBe(socket)
    expectState(sandbox, before, at)
  })

  test.each([
    ['reset', 'before'],
    ['hang', 'before'],
    ['empty', 'before'],
    ['truncate', 'after'],
    ['malformed_json', 'after'],
    [{ drip: { bytes_per_second: 1_000_000 } }, 'after'],
  ] as const)('%j without a moment -> %s', async (fault, at) => {
    const sandbox = await faulty(fault)
    const before = sandbox.state.size('transaction_intents')
    const client = new AbortController()
    const answering = sandbox.answering()
    const outcome = outcomeOf(sandbox.fetch(intents, { ...post, signal: client.signal }))
    await answering
    if (fault === 'hang') client.abort()
    await outcome
    expectState(sandbox, before, at)
  })
})

describe('what arrives of the answer', () => {
  test('truncate: the head is the whole answer’s, and half of its body follows', async () => {
    const sandbox = await faulty('truncate', 'after', { calls: '2' })
    const server = await sandbox.listen()
    const whole = (await onSocket(server, requestBytes('GET', reward))).received
    const cut = (await onSocket(server, requestBytes('GET', reward))).received
    const parts = (answer: string): { lines: string[]; body: string } => {
      // A second may begin between the two.
      const [head = '', body = ''] = answer.replace(/^date: .*$/m, 'date: then').split('\r\n\r\n')
      return { lines: head.split('\r\n').toSorted(), body }
    }
    const { lines, body } = parts(whole.replace('req_default_1', 'req_default_2'))
    expect(parts(cut)).toEqual({ lines, body: body.slice(0, Math.ceil(body.length / 2)) })
  })

  test('malformed_json: half of the body, whose length is announced as if it were all', async () => {
    const sandbox = await faulty('malformed_json', 'after', { calls: '2' })
    const server = await sandbox.listen()
    const whole = (await onSocket(server, requestBytes('GET', reward))).received
    const cut = (await onSocket(server, requestBytes('GET', reward))).received
    const [head = '', body = ''] = whole.split('\r\n\r\n')
    const half = Math.ceil(body.length / 2)
    const announced = head.replace(`content-length: ${body.length}`, `content-length: ${half}`)
    expect(cut).toBe(`${announced.replace('req_default_1', 'req_default_2')}\r\n\r\n${body.slice(0, half)}`)
  })

  test('drip: in pieces of a tenth of the bytes per second', async () => {
    const sandbox = await faulty({ drip: { bytes_per_second: 1000 } })
    const pieces: number[] = []
    const response = await sandbox.fetch(reward, get)
    for await (const piece of response.body ?? []) pieces.push(piece.length)
    const length = Number(response.headers.get('content-length'))
    expect(pieces).toEqual([100, 100, length - 200])
  })

  test('drip: of less than ten bytes per second one byte at a time, so many in a second', async () => {
    const sandbox = await faulty({ drip: { bytes_per_second: 4 } })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const response = await sandbox.fetch(reward, get)
    const reader = response.body?.getReader()
    vi.advanceTimersByTime(2_000)
    const pieces: (number | undefined)[] = []
    while (pieces.length < 8) pieces.push((await reader?.read())?.value?.length)
    expect(pieces).toEqual(Array(8).fill(1))
    const pending = new Promise((resolve) => void setImmediate(resolve, 'pending'))
    expect(await Promise.race([reader?.read(), pending])).toBe('pending')
  })

  test.each([
    ['reset', 'rejects ECONNRESET', 56],
    ['empty', 'rejects UND_ERR_SOCKET', 52],
    ['truncate', 'rejects UND_ERR_SOCKET', 52],
    ['malformed_json', '200 empty', 0],
    [{ drip: { bytes_per_second: 100 } }, '200 empty', 0],
  ] as const)('HEAD: %j -> %s, curl %i', async (fault, expected, code) => {
    const sandbox = await faulty(fault)
    const { url } = await sandbox.listen()
    const head = { ...get, method: 'HEAD' }
    expect(await outcomeOf(fetch(`${url}${reward}`, head))).toBe(expected)
    expect(await outcomeOf(sandbox.fetch(reward, head))).toBe(expected)
    const run = await curl(['--head', '-H', 'authorization: Bearer sk_sandbox_full', `${url}${reward}`])
    expect(run.code).toBe(code)
  })

  test('truncate of an answer without a body (204): its head is cut in the status line, and the call takes effect', async () => {
    const sandbox = await faulty('truncate', 'after', { calls: '2..3' })
    const server = await sandbox.listen()
    const removal = (id: string): string => requestBytes('DELETE', `/v2/order_events/${id}`)
    const whole = await onSocket(server, removal('ord_ada_1'))
    expect(whole.received).toMatch(/^HTTP\/1\.1 204 No Content\r\n(?:.+\r\n)+\r\n$/)
    const cut = await onSocket(server, removal('ord_ada_2'))
    expect(cut).toEqual({ received: 'HTTP/1.1 ', ending: 'closed' })
    const remove = { ...get, method: 'DELETE' }
    expect(await outcomeOf(sandbox.fetch('/v2/order_events/ord_ada_3', remove))).toBe(
      'rejects UND_ERR_SOCKET',
    )
    for (const id of ['ord_ada_1', 'ord_ada_2', 'ord_ada_3']) {
      expect(sandbox.state.get('order_events', id)).toBeUndefined()
    }
  })

  test('truncate of an answer without a body, behind another answer: the earlier answer is whole', async () => {
    const sandbox = await faulty('truncate', 'after', { calls: '2' })
    const server = await sandbox.listen()
    const first = requestBytes('GET', reward).replace('connection: close', 'connection: keep-alive')
    const { received, ending } = await onSocket(server, first + requestBytes('HEAD', reward))
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\{.*\}HTTP\/1\.1 $/)
    expect(ending).toBe('closed')
  })

  test.each(['malformed_json', { drip: { bytes_per_second: 100 } }])(
    'an answer without a body (204): %j -> its head is whole',
    async (fault) => {
      const sandbox = await faulty(fault)
      const { url } = await sandbox.listen()
      const remove = { ...get, method: 'DELETE' }
      expect(await outcomeOf(sandbox.fetch('/v2/order_events/ord_ada_1', remove))).toBe('204 empty')
      expect(await outcomeOf(fetch(`${url}/v2/order_events/ord_ada_2`, remove))).toBe('204 empty')
      expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
      expect(sandbox.state.get('order_events', 'ord_ada_2')).toBeUndefined()
    },
  )

  test('a body that is still being sent -> the connection closes without a byte, and without a reset', async () => {
    const sandbox = await faulty('empty', 'before')
    const { url } = await sandbox.listen()
    const large = JSON.stringify({ customer_id: 'cus_ada', filler: 'x'.repeat(300_000) })
    const { code } = await curl([...curlPost(url).with(1, '@-'), '-H', 'expect:'], large)
    expect(code).toBe(52)
  })

  test('a call that waits its turn on a connection -> the answer before it is whole, and then the connection ends', async () => {
    const sandbox = await faulty('reset', 'before', { calls: '2' })
    const server = await sandbox.listen()
    const both = requestBytes('GET', reward).replace('connection: close', 'connection: keep-alive')
    const { received } = await onSocket(server, both + both)
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })
})

describe('a hang ends when somebody closes', () => {
  test.each(moments)('the client gives up (%s) -> its call rejects with its own reason', async (at) => {
    const sandbox = await faulty('hang', at)
    const before = sandbox.state.size('transaction_intents')
    const { url } = await sandbox.listen()
    for (const call of [
      (init: RequestInit) => sandbox.fetch(intents, init),
      (init: RequestInit) => fetch(`${url}${intents}`, init),
    ]) {
      const client = new AbortController()
      const answering = sandbox.answering()
      const outcome = call({ ...post, signal: client.signal })
      await answering
      client.abort(new Error('enough'))
      await expect(outcome).rejects.toThrow('enough')
    }
    expect(sandbox.state.size('transaction_intents')).toBe(at === 'before' ? before : before + 2)
  })

  test.each(moments)('the sandbox closes (%s) -> the calls end as lost connections', async (at) => {
    const sandbox = await faulty('hang', at)
    const server = await sandbox.listen()
    const calls: Promise<string>[] = []
    for (const call of [
      () => outcomeOf(sandbox.fetch(intents, post)),
      () => outcomeOf(fetch(`${server.url}${intents}`, post)),
      async () => describeConnection(await onSocket(server, requestBytes('POST', intents, intentBody))),
      async () => `curl ${(await curl(curlPost(server.url))).code}`,
    ]) {
      const answering = sandbox.answering()
      calls.push(call())
      await answering
    }
    await sandbox.close()
    expect(await Promise.all(calls)).toEqual([
      'rejects UND_ERR_SOCKET',
      'rejects UND_ERR_SOCKET',
      'nothing, closed',
      'curl 52',
    ])
  })

  test.each(['hang', { drip: { bytes_per_second: 1 } }])(
    '%j: more calls than ten end with the sandbox, and Node warns of no leak',
    async (fault) => {
      const warnings: Error[] = []
      const warned = (warning: Error): void => void warnings.push(warning)
      process.on('warning', warned)
      try {
        const sandbox = await faulty(fault)
        const { url } = await sandbox.listen()
        const calls: Promise<string>[] = []
        for (const call of [() => fetch(`${url}${reward}`, get), () => sandbox.fetch(reward, get)]) {
          for (let count = 0; count < 12; count++) {
            const answering = sandbox.answering()
            calls.push(outcomeOf(call()))
            await answering
          }
        }
        await sandbox.close()
        const lost = fault === 'hang' ? 'rejects UND_ERR_SOCKET' : '200 cut off UND_ERR_SOCKET'
        expect(new Set(await Promise.all(calls))).toEqual(new Set([lost]))
        expect(warnings).toEqual([])
      } finally {
        process.off('warning', warned)
      }
    },
  )

  test('curl gives up -> exit code 28, and the sandbox serves on', async () => {
    // Not the first call: a curl that gave up before it had called would leave the hanging to the next one.
    const sandbox = await faulty('hang', 'before', { when: { headers: { 'x-hang': 'yes' } } })
    const { url } = await sandbox.listen()
    expect((await curl(['--max-time', '0.3', '--header', 'x-hang: yes', ...curlPost(url)])).code).toBe(28)
    expect((await curl(curlPost(url))).code).toBe(0)
  })

  test('a call after the sandbox was closed -> does not wait', async () => {
    const sandbox = await faulty('hang')
    await sandbox.close()
    expect(await outcomeOf(sandbox.fetch(reward, get))).toBe('rejects UND_ERR_SOCKET')
  })

  test('a caller that had given up before -> rejects at once', async () => {
    const sandbox = await faulty('hang')
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(sandbox.fetch(reward, { ...get, signal })).rejects.toThrow('too late')
  })

  test('a dripping answer ends with its client and with the sandbox', async () => {
    const sandbox = await faulty({ drip: { bytes_per_second: 10 } })
    const client = new AbortController()
    const first = await sandbox.fetch(reward, { ...get, signal: client.signal })
    client.abort(new Error('enough'))
    await expect(first.text()).rejects.toThrow('enough')
    const second = await sandbox.fetch(reward, get)
    await second.body?.cancel()
    const third = await sandbox.fetch(reward, get)
    await sandbox.close()
    expect(await outcomeOf(Promise.resolve(third))).toBe('200 cut off UND_ERR_SOCKET')
  })
})

describe('nothing is left behind', () => {
  /** The sockets, servers and timers that keep a process alive, without those of the test runner. */
  function resources(): string[] {
    return process
      .getActiveResourcesInfo()
      .filter((kind) => /TCP|Timeout|Immediate/.test(kind))
      .toSorted()
  }

  /** Pooled connections of earlier tests may go at any time, so only what came counts. */
  function added(before: readonly string[]): string[] {
    const left = [...before]
    return resources().filter((kind) => {
      const place = left.indexOf(kind)
      if (place !== -1) left.splice(place, 1)
      return place === -1
    })
  }

  test.each(['reset', 'hang', 'empty', 'truncate', 'malformed_json', { drip: { bytes_per_second: 10 } }])(
    '%j on a socket: handles and timers are those of before',
    async (fault) => {
      const before = resources()
      const sandbox = await faulty(fault)
      const server = await sandbox.listen()
      const answering = sandbox.answering()
      const connection = onSocket(server, requestBytes('GET', reward))
      await answering
      await sandbox.close()
      await connection
      // Closing handles takes turns of the event loop, and on a busy machine the system needs its time for sockets.
      const last = performance.now() + 10_000
      while (added(before).length > 0 && performance.now() < last) await new Promise(setImmediate)
      expect(added(before)).toEqual([])
    },
  )

  const answer = { status: 200, headers: {}, body: '{"a":1}' }
  const faults = ['reset', 'hang', 'empty', 'truncate', 'malformed_json', { bytes_per_second: 1 }] as const

  test.each(faults)('%j on a socket: no listener outlives its client', async (fault) => {
    const [closing, gone] = [new AbortController(), new AbortController()]
    const signals = { closing: closing.signal, gone: gone.signal }
    const server = createServer((_incoming, outgoing) => {
      outgoing.on('close', () => gone.abort())
      const response = faultyResponse(answer, fault, { method: 'GET', outgoing, ...signals, onEnd: () => {} })
      // An answer that is no whole response is sent here, as the adapter would send it.
      response.then(
        async (whole) => outgoing.end(await whole.text().catch(() => '')),
        (error: unknown) => expect(error).toBeInstanceOf(LostAnswerError),
      )
      server.emit('spoilt', outgoing)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => undefined)
    const spoilt = once(server, 'spoilt')
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    const [outgoing] = await spoilt
    const closed = outgoing.closed ? undefined : once(outgoing, 'close')
    client.destroy()
    await closed
    server.close()
    await once(server, 'close')
    expect(getEventListeners(closing.signal, 'abort')).toEqual([])
  })

  test('an answer that drips on a socket when the sandbox closes or its client is gone: nothing is printed', async () => {
    const printed = vi.spyOn(console, 'error')
    onTestFinished(() => printed.mockRestore())
    const sandbox = await faulty({ drip: { bytes_per_second: 1 } })
    const server = await sandbox.listen()
    const [gone, closed] = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')]
    const ends = [gone, closed].map((socket) => once(socket, 'close'))
    for (const socket of [gone, closed]) socket.write(requestBytes('GET', reward))
    await Promise.all([gone, closed].map((socket) => once(socket, 'data')))
    gone.destroy()
    await sandbox.close()
    closed.destroy()
    await Promise.all(ends)
    expect(printed.mock.calls).toEqual([])
  })

  test('an answer that drips in process ends when its caller gives up, also after its request was collected', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const sandbox = await faulty({ drip: { bytes_per_second: 1 } })
    const client = new AbortController()
    const doors = [sandbox.fetch, sandbox.workspace('w1').fetch]
    const ended = doors.map((door) => {
      const headers = door === sandbox.fetch ? get.headers : undefined
      const text = door(reward, { ...(headers && { headers }), signal: client.signal }).then((response) =>
        response.text(),
      )
      return expect(text).rejects.toThrow('aborted')
    })
    for (let turn = 0; turn < 3; turn++) {
      await new Promise(setImmediate)
      collect()
    }
    client.abort()
    await Promise.all(ended)
  })

  test.each([
    ['is read to its end', async (response: Response) => void (await response.text())],
    ['is not wanted any more', async (response: Response) => void (await response.body?.cancel())],
  ])('a dripping answer in process that %s leaves no listener', async (_, finish) => {
    const closing = new AbortController()
    const client = new AbortController()
    const fault = { bytes_per_second: 1_000_000 }
    const signals = { closing: closing.signal, gone: client.signal }
    const rest = { method: 'GET', outgoing: undefined, onEnd: () => {} }
    await finish(await faultyResponse(answer, fault, { ...signals, ...rest }))
    expect([closing, client].flatMap(({ signal }) => getEventListeners(signal, 'abort'))).toEqual([])
  })
})
