import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { eventsIn, openStream } from '../helpers/event-stream.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** Some time passes; what waits for it happens, and what waits for that. */
const pass = (milliseconds = 100): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A call that is recognized by its entry. */
const call = (sandbox: Pick<Sandbox, 'fetch'>, name: string | number): Promise<Response> =>
  sandbox.fetch(`/v2/customers?n=${name}`)

describe('on a socket', () => {
  /** Lets what is on its way arrive. */
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

  /** A connection that asks for a stream, and takes nothing of the answer until it is resumed. */
  async function slowReader(sandbox: Sandbox): Promise<{ socket: Socket; text: () => string }> {
    const { port } = await sandbox.listen()
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.write('GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
    while (!text.includes(': the stream')) {
      await pass(1)
      await turn()
    }
    socket.pause()
    return { socket, text: () => text }
  }

  /** Calls until the connection takes no more, and long after. @returns how many. */
  async function overflow(sandbox: Sandbox): Promise<number> {
    const long = 'x'.repeat(12_000)
    let calls = 0
    for (let round = 0; round < 100; round++) {
      for (let count = 0; count < 15; count++) await call(sandbox, `${calls++}.${long}`)
      await pass()
      await turn()
    }
    return calls
  }

  it('a slow reader: what it is told and what was dropped is all, in order, and then it goes on', async () => {
    const sandbox = await startSandbox()
    const { socket, text } = await slowReader(sandbox)
    const calls = await overflow(sandbox)
    const arrives = async (what: string): Promise<void> => {
      while (!text().includes(what)) {
        await pass()
        await turn()
      }
    }
    socket.resume()
    await arrives('event: dropped')
    await call(sandbox, 'last')
    await arrives('n=last')
    const body = text().slice(text().indexOf('\r\n\r\n') + 4)
    // Chunks of the transfer coding stand around each of our events.
    const events = body
      .split(/\r\n[0-9a-f]+\r\n|^[0-9a-f]+\r\n|\r\n$/)
      .flatMap((chunk) => eventsIn(chunk))
      .filter(({ event }) => event !== 'comment')
    let at = 0
    let dropped = 0
    for (const { data } of events) {
      for (const { query } of data.requests ?? []) {
        expect(query.split('.')[0]).toBe(at === calls ? 'n=last' : `n=${at}`)
        at += 1
      }
      at += data.count ?? 0
      dropped += data.count ?? 0
    }
    expect(at).toBe(calls + 1)
    expect(dropped).toBeGreaterThan(0)
    socket.destroy()
  })

  it('a connection that is gone frees its place', async () => {
    const sandbox = await startSandbox()
    const { socket } = await slowReader(sandbox)
    for (let count = 0; count < 99; count++) await openStream(sandbox)
    expect((await sandbox.fetch('/_sandbox/stream')).status).toBe(429)
    socket.destroy()
    let status = 429
    while (status === 429) {
      await turn()
      status = (await sandbox.fetch('/_sandbox/stream')).status
    }
    expect(status).toBe(200)
  })

  // The time after which connections are closed by force never comes here.
  it('neither a stream that is read nor one that is stuck keeps close() waiting', async () => {
    const sandbox = await startSandbox()
    const { socket } = await slowReader(sandbox)
    const reading = await slowReader(sandbox)
    reading.socket.resume()
    await overflow(sandbox)
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const ended = once(reading.socket, 'end')
    await Promise.all([sandbox.close(), ended])
    expect(reading.text().endsWith('0\r\n\r\n')).toBe(true)
    socket.destroy()
  })
})
