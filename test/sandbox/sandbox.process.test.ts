import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { raw, request } from '../helpers/raw.ts'
import { fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'
import { bodyOf, newIntent, withKey } from './sandbox.ts'

describe('fetch', () => {
  it('needs no port, and works beside one and after it is closed', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    await sandbox.fetch('/v2/transaction_intents', newIntent)
    const overSocket = await raw(
      server,
      request('GET', '/v2/customers/cus_ada/rewards_balance', { Authorization: `Bearer ${fullKey}` }),
    )
    await server.close()
    const inProcess = await sandbox.fetch('/v2/customers/cus_ada/rewards_balance', withKey)
    expect(await inProcess.json()).toEqual(overSocket.json)
  })
})

describe('workspace', () => {
  it('is the workspace that the key suffix reaches, in process and over a port', async () => {
    const sandbox = await startSandbox()
    const { id } = await bodyOf(sandbox.workspace('w1').fetch('/v2/transaction_intents', newIntent))
    const path = `/v2/transaction_intents/${id}`
    expect((await sandbox.call('GET', path, { key: 'sk_sandbox_full.w1' })).status).toBe(200)
    expect((await sandbox.call('GET', path)).status).toBe(404)
    const answer = await raw(
      await sandbox.listen(),
      request('GET', path, { Authorization: 'Bearer sk_sandbox_full.w1' }),
    )
    expect(answer.status).toBe(200)
  })
})

describe('listen', () => {
  it('port 0, the default -> any free port, on loopback', async () => {
    const sandbox = await startSandbox()
    const [first, second] = [await sandbox.listen(), await sandbox.listen({ port: 0 })]
    for (const { url, port } of [first, second]) {
      expect(port).toBeGreaterThan(0)
      expect(url).toBe(`http://127.0.0.1:${port}`)
      expect((await fetch(`${url}/v2/customers`, withKey)).status).toBe(200)
    }
    expect(first.port).not.toBe(second.port)
  })

  it('a port that is taken -> rejects with the error of Node, and nothing listens', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const sandbox = await startSandbox()
    await expect(sandbox.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
    taken.close()
    await once(taken, 'close')
    const server = await sandbox.listen({ port })
    expect(server.port).toBe(port)
  })

  it.each([
    [{ port: 65_536 }, { code: 'ERR_SOCKET_BAD_PORT' }],
    [{ port: -1 }, { code: 'ERR_SOCKET_BAD_PORT' }],
    [{ host: '203.0.113.1' }, { code: 'EADDRNOTAVAIL' }],
  ])('%j -> rejects', async (options, error) => {
    await expect((await startSandbox()).listen(options)).rejects.toMatchObject(error)
  })

  it('close of the sandbox closes every port; the sandbox is usable on', async () => {
    const sandbox = await startSandbox()
    const servers = [await sandbox.listen(), await sandbox.listen()]
    await sandbox.close()
    for (const { url } of servers) await expect(fetch(url)).rejects.toThrow('fetch failed')
    await sandbox.close()
    const again = await sandbox.listen()
    expect((await fetch(`${again.url}/_sandbox/health`)).status).toBe(200)
  })

  it('close of one port leaves the others', async () => {
    const sandbox = await startSandbox()
    const [first, second] = [await sandbox.listen(), await sandbox.listen()]
    await first.close()
    await expect(fetch(first.url)).rejects.toThrow('fetch failed')
    expect((await fetch(`${second.url}/_sandbox/health`)).status).toBe(200)
  })

  it('off loopback, the control plane stays shut while its port is being closed', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen({ host: '0.0.0.0' })
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET /_sandbox/state HTTP/1.1\r\nHost: 127.0.0.1\r\n')
    // The connection is known, and what it asks for is not.
    await fetch(`http://127.0.0.1:${server.port}/_sandbox/health`)
    const closing = server.close()
    socket.write('\r\n')
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 403 /)
    socket.destroy()
    await closing
  })

  it('await using closes', async () => {
    let url: string
    {
      await using sandbox = await createSandbox()
      url = (await sandbox.listen()).url
      expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it('the port is gone once close is done: the same one can be taken at once', async () => {
    const sandbox = await startSandbox()
    let { port } = await sandbox.listen()
    for (let round = 0; round < 5; round++) {
      await sandbox.close()
      port = (await sandbox.listen({ port })).port
    }
    expect(port).toBeGreaterThan(0)
  })
})

describe('a guest in its process', () => {
  it('two sandboxes do not touch each other', async () => {
    const [one, two] = [await startSandbox(), await startSandbox()]
    const before = two.state.document()
    const [first, second] = [await one.listen(), await two.listen()]
    const created = await fetch(`${first.url}/v2/transaction_intents`, newIntent)
    const { id } = await bodyOf(created)
    one.clock.advance({ days: 400 })
    one.workspace('w1').state.delete('order_events', 'ord_ada_1')
    const { key } = await bodyOf(one.fetch('/v2/keys', { ...withKey, method: 'POST' }))
    expect(two.state.document()).toEqual(before)
    expect(two.clock.now()).toBe(testNow)
    expect((await fetch(`${second.url}/v2/transaction_intents/${id}`, withKey)).status).toBe(404)
    expect((await two.call('GET', '/v2/customers', { key })).status).toBe(401)
    expect(two.workspace('w1').state.get('order_events', 'ord_ada_1')).toBeDefined()
    await one.close()
    expect((await fetch(`${second.url}/_sandbox/health`)).status).toBe(200)
  })

  /** All that a library could leave behind in the process of others. */
  const traces = (): object => ({
    globals: Object.getOwnPropertyNames(globalThis).toSorted(),
    symbols: Object.getOwnPropertySymbols(globalThis).map(String).toSorted(),
    web: [globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.fetch, globalThis.crypto],
    prototypes: [Object, Array, String, Number, Map, Promise, Date, Request, Response].map(({ prototype }) =>
      Object.getOwnPropertyNames(prototype).toSorted(),
    ),
    statics: [Date.now, Math.random, JSON.parse, console.log, setTimeout],
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    env: { ...process.env },
    cwd: process.cwd(),
  })

  it('touches no global, no prototype, no listener and no variable of its process', async () => {
    const before = traces()
    const sandbox = await createSandbox({
      fixtures: { customers: [{ id: 'cus_1' }] },
      assume: { create_status: 200 },
    })
    const server = await sandbox.listen()
    await fetch(`${server.url}/v2/customers`, withKey)
    await sandbox.workspace('w1').fetch('/v2/transaction_intents', newIntent)
    await sandbox.openapi()
    await sandbox.schema('fixtures')
    expect(traces()).toEqual(before)
    await sandbox.close()
    expect(traces()).toEqual(before)
    // An earlier test may have replaced globals already; Node's own extend nothing.
    expect([Request, Response].map((own) => Object.getPrototypeOf(own) === Function.prototype)).toEqual([
      true,
      true,
    ])
  })

  it('starting and stopping 200 of them leaks no handle', async () => {
    const handles = (): Record<string, number> => {
      const counts: Record<string, number> = {}
      for (const name of process.getActiveResourcesInfo()) {
        if (/TCP|Pipe|FSReq|Timeout|Immediate/.test(name)) counts[name] = (counts[name] ?? 0) + 1
      }
      return counts
    }
    const fixtures = { customers: [{ id: 'cus_1' }] }
    const before = handles()
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const sandbox = await createSandbox({ fixtures })
          const answer = await raw(await sandbox.listen(), request('GET', '/_sandbox/health'))
          expect(answer.status).toBe(200)
          await sandbox.close()
        }),
      )
    }
    const left = (): [string, number][] =>
      Object.entries(handles()).filter(([name, count]) => count > (before[name] ?? 0))
    // A handle is let go of a few turns after its close.
    const last = performance.now() + 10_000
    while (left().length > 0 && performance.now() < last)
      await new Promise((resolve) => setImmediate(resolve))
    expect(left()).toEqual([])
  })
})
