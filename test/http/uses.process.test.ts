import fc from 'fast-check'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import type { Sandbox, SandboxServer } from '../../src/index.ts'
import { createSandbox } from '../../src/index.ts'
import { EventReader } from '../helpers/event-stream.ts'
import { patient } from '../helpers/patient.ts'
import { request } from '../helpers/raw.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { openUses } from '../helpers/uses.ts'
import { samples } from '../setup/samples.ts'

const effects: Record<string, { transport?: unknown; latency?: number; error?: string }> = {
  reset: { transport: 'reset' },
  hang: { transport: 'hang' },
  empty: { transport: 'empty' },
  truncate: { transport: 'truncate' },
  malformed: { transport: 'malformed_json' },
  drip: { transport: { drip: { bytes_per_second: 50_000 } } },
  'slow-drip': { transport: { drip: { bytes_per_second: 1 } } },
  late: { latency: 5 },
  'very-late': { latency: 600_000 },
  error: { error: 'RATE_LIMIT_ERROR' },
}
const moments = ['before', 'after']

/** The effects of a connection come at two moments. */
const effectNames = Object.keys(effects).flatMap((name) =>
  effects[name]?.transport === undefined ? [name] : moments.map((at) => `${name}-${at}`),
)

/** One rule for each effect, for calls that ask for it. */
const scenario = {
  name: 'asked',
  description: 'What the call asks for.',
  rules: effectNames.map((name) => {
    const at = moments.find((moment) => name.endsWith(`-${moment}`))
    const effect = effects[at === undefined ? name : name.slice(0, -at.length - 1)]
    return { on: '*', when: { headers: { 'x-effect': name } }, effect: { ...effect, ...(at && { at }) } }
  }),
}

const start = (): Promise<Sandbox> => startSandbox({ scenarios: [scenario] })

/** A call in one of three workspaces, or with an unknown key, or to none in another form. */
const calls = fc.record({
  key: fc.constantFrom('sk_sandbox_full', 'sk_sandbox_full.a', 'sk_sandbox_full.b', 'unknown', 'unknown.a'),
  effect: fc.constantFrom('none', ...effectNames),
  kind: fc.constantFrom('read', 'write', 'invalid', 'control', 'stream', 'unknown path', 'preflight'),
})
type Call = typeof calls extends fc.Arbitrary<infer T> ? T : never

interface Parts {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

function partsOf({ key, effect, kind }: Call): Parts {
  const headers = { authorization: `Bearer ${key}`, 'x-effect': effect }
  const workspace = key.split('.')[1] ?? 'default'
  const json = { ...headers, 'content-type': 'application/json' }
  switch (kind) {
    case 'write':
      return {
        method: 'POST',
        path: '/v2/transaction_intents',
        headers: json,
        body: JSON.stringify({ customer_id: 'cus_ada', amount: 1, currency: 'USD' }),
      }
    case 'invalid':
      return { method: 'POST', path: '/v2/transaction_intents', headers: json, body: '{' }
    case 'control':
      return { method: 'GET', path: `/_sandbox/state?workspace=${workspace}`, headers: {} }
    case 'stream':
      return { method: 'GET', path: `/_sandbox/stream?workspace=${workspace}`, headers: {} }
    case 'unknown path':
      return { method: 'GET', path: '/v2/nothing', headers }
    case 'preflight':
      return {
        method: 'OPTIONS',
        path: '/v2/customers',
        headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' },
      }
    default:
      return { method: 'GET', path: '/v2/customers', headers }
  }
}

/** A client, which is closed when this settles, or on request. */
type Client = (sandbox: Sandbox, server: SandboxServer, parts: Parts, gone: AbortSignal) => Promise<unknown>

const inProcess: Client = async (sandbox, _, { method, path, headers, body }, signal) => {
  const response = await sandbox.fetch(path, { method, headers, signal, ...(body ? { body } : {}) })
  await response.text()
}

const abandoning: Client = async (sandbox, _, { method, path, headers, body }, signal) => {
  const response = await sandbox.fetch(path, { method, headers, signal, ...(body ? { body } : {}) })
  await response.body?.cancel()
}

const overHttp: Client = async (_, { url }, { method, path, headers, body }, signal) => {
  const response = await fetch(url + path, { method, headers, signal, ...(body ? { body } : {}) })
  await response.text()
}

/** Sends bytes, and goes away after so many bytes of the answer. */
const raw =
  (bytes: (parts: Parts) => string, leaveAfter: number): Client =>
  async (_, { port }, parts, gone) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(bytes(parts))
    const leave = (): unknown => socket.destroy()
    let read = 0
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read >= leaveAfter) leave()
    })
    gone.addEventListener('abort', leave)
    await once(socket, 'close')
  }

const whole = ({ method, path, headers, body = '' }: Parts): string =>
  request(method, path, { ...headers, 'Content-Length': String(body.length), Connection: null }, body)
const untilAnswered = (parts: Parts): Parts =>
  parts.path.startsWith('/_sandbox/stream') || /hang|very-late/.test(parts.headers['x-effect'] ?? '')
    ? partsOf({ key: 'sk_sandbox_full', effect: 'none', kind: 'read' })
    : parts
const half = (parts: Parts): string => whole({ ...parts, body: `${parts.body ?? ''} ` }).slice(0, -1)

const clients: Record<string, Client> = {
  'in process': inProcess,
  'in process, and does not read': abandoning,
  'over HTTP': overHttp,
  'a socket that is closed at the first byte': raw(whole, 1),
  'a socket that never sends the rest of its body': raw(half, Infinity),
  // A client that ends a connection may still wait for the calls behind one that hangs: the sandbox cannot know.
  'a socket with many calls at once': raw((parts) => whole(untilAnswered(parts)).repeat(12), Infinity),
}

describe('uses of workspaces', () => {
  it('calls with every fault, and clients that are gone at any time -> none is left open', async () => {
    const sandbox = await start()
    const server = await sandbox.listen()
    const clientsOf = fc.tuple(calls, fc.constantFrom(...Object.keys(clients)), fc.nat(8))
    await fc.assert(
      fc.asyncProperty(fc.array(clientsOf, { minLength: 20, maxLength: 60 }), async (all) => {
        await Promise.all(
          all.map(async ([call, client, turns]) => {
            const gone = new AbortController()
            const done = clients[client]?.(sandbox, server, partsOf(call), gone.signal).catch(() => undefined)
            for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
            gone.abort()
            await done
          }),
        )
        await vi.waitFor(() => expect(openUses(sandbox)).toEqual({}), patient)
      }),
      { numRuns: samples(20), endOnFailure: true },
    )
  }, 240_000)

  it.each<[string, Parts]>([
    ['a call that hangs', partsOf({ key: 'sk_sandbox_full.a', effect: 'hang-before', kind: 'read' })],
    [
      'a call that hangs after its commit',
      partsOf({ key: 'sk_sandbox_full.a', effect: 'hang-after', kind: 'write' }),
    ],
    ['a call that waits', partsOf({ key: 'sk_sandbox_full.a', effect: 'very-late', kind: 'read' })],
    ['an answer that drips', partsOf({ key: 'sk_sandbox_full.a', effect: 'slow-drip-after', kind: 'read' })],
    ['a stream', partsOf({ key: 'sk_sandbox_full.a', effect: 'none', kind: 'stream' })],
  ])('%s is a use until its client is gone', async (_, parts) => {
    const sandbox = await start()
    const server = await sandbox.listen()
    const { method, path, headers, body } = parts
    for (const door of [sandbox.fetch, (at: string, init: RequestInit) => fetch(server.url + at, init)]) {
      const client = new AbortController()
      const done = door(path, { method, headers, signal: client.signal, ...(body ? { body } : {}) })
        .then((response) => response.text())
        .catch(() => 'gone')
      await vi.waitFor(() => expect(openUses(sandbox)).toEqual({ a: expect.any(Number) }), patient)
      client.abort()
      await done
      await vi.waitFor(() => expect(openUses(sandbox)).toEqual({}), patient)
    }
  })

  it('a stream in this process -> one use, until it is cancelled', async () => {
    const sandbox = await start()
    const reader = new EventReader(await sandbox.fetch('/_sandbox/stream?workspace=a'))
    expect(openUses(sandbox)).toEqual({ a: 1 })
    await reader.cancel()
    expect(openUses(sandbox)).toEqual({})
  })

  it('a bug of ours while a call is told of -> it is answered, and open no longer', async () => {
    const sandbox = await createSandbox(
      {},
      {
        onAnswer: () => {
          throw new Error('ours')
        },
      },
    )
    const { status } = await sandbox.workspace('a').fetch('/v2/customers')
    expect([status, openUses(sandbox)]).toEqual([500, {}])
    await sandbox.close()
  })
})
