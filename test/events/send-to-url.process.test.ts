import { describe, expect, it } from 'vitest'
import { AllowedAddresses } from '../../src/events/allowed-addresses.ts'
import { AddressRefusedError, sendToUrl, systemResolve, type Resolve } from '../../src/events/send-to-url.ts'
import { packageVersion } from '../../src/runtime/host.ts'
import { httpReceiver, rawReceiver, refusedUrl, tcpReceiver, type Receiver } from '../helpers/receiver.ts'

const delivery = { headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, body: '{"a":"é"}' }

interface Sending {
  body?: string
  resolve?: Resolve
  signal?: AbortSignal
  allow?: readonly string[]
  allowsLoopback?: boolean
}

const answerOf = (
  url: string,
  { body = delivery.body, resolve, signal, allow = [], allowsLoopback = true }: Sending = {},
) =>
  sendToUrl(
    url,
    { ...delivery, body },
    {
      allowed: new AllowedAddresses(allow, allowsLoopback),
      resolve: resolve ?? systemResolve,
      signal: signal ?? new AbortController().signal,
    },
  )

/** The status of the answer. */
const send = async (url: string, sending?: Sending): Promise<number> => (await answerOf(url, sending)).status

/** A resolver that gives these addresses, one list for each call, and counts its calls. */
function resolver(...answers: string[][]): { resolve: Resolve; hosts: string[] } {
  const hosts: string[] = []
  return {
    hosts,
    resolve(host, done) {
      const addresses = answers[Math.min(hosts.length, answers.length - 1)] ?? []
      hosts.push(host)
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
  }
}

describe('an answer', () => {
  it('the request is a POST with the headers and the bytes of the delivery', async () => {
    const seen: unknown[] = []
    const { url, port } = await httpReceiver(async (request, answer) => {
      const body = Buffer.concat(await request.toArray()).toString()
      seen.push([request.method, request.url, request.headers, body])
      answer.writeHead(204).end()
    })
    expect(await send(`${url}?x=1`)).toBe(204)
    expect(seen).toEqual([
      [
        'POST',
        '/hook?x=1',
        {
          'user-agent': `partner-rewards-sandbox/${packageVersion()}`,
          'content-type': 'application/json',
          'webhook-id': 'evt_1',
          'content-length': '10',
          host: `127.0.0.1:${port}`,
          connection: 'close',
        },
        '{"a":"é"}',
      ],
    ])
  })

  it('its beginning and its header retry-after are read', async () => {
    const text = `no such event: ${'é'.repeat(20_000)}`
    const { url } = await httpReceiver((_, answer) =>
      answer.writeHead(503, { 'retry-after': '120' }).end(text),
    )
    const { body, ...answer } = await answerOf(url)
    expect(answer).toEqual({ status: 503, retryAfter: '120' })
    expect([text.startsWith(body ?? '-'), Buffer.byteLength(body ?? '')]).toEqual([true, 16 * 1024 - 1])
  })

  it.each([200, 201, 204, 400, 410, 500, 503])('%i -> that status', async (status) => {
    const { url } = await httpReceiver((_, answer) => answer.writeHead(status).end())
    expect(await send(url)).toBe(status)
  })

  it.each([301, 302, 303, 307, 308])(
    '%i -> that status and its target, which gets nothing',
    async (status) => {
      const target = await httpReceiver((_, answer) => answer.writeHead(204).end())
      const { url } = await httpReceiver((_, answer) =>
        answer.writeHead(status, { location: target.url }).end(),
      )
      expect([await answerOf(url), target.connections()]).toEqual([
        { status, location: target.url, body: '' },
        0,
      ])
    },
  )

  it('of 10 MB -> its status, and most of it is never read', async () => {
    let written = 0
    const { url } = await httpReceiver((request, answer) => {
      request.resume()
      answer.writeHead(200)
      const piece = Buffer.alloc(16 * 1024)
      const more = (): void => {
        while (written < 10_000_000 && !answer.destroyed) {
          written += piece.length
          if (!answer.write(piece)) return void answer.once('drain', more)
        }
        answer.end()
      }
      more()
    })
    expect(await send(url)).toBe(200)
    // The buffers of the two sockets take a few megabytes at most.
    expect(written).toBeLessThan(8_000_000)
  })

  it('without an end, beyond 64 kB -> its status', async () => {
    const { url } = await rawReceiver(
      `HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n${'x'.repeat(70_000)}`,
    )
    expect(await send(url)).toBe(200)
  })

  it('until the connection ends -> its status', async () => {
    const { url } = await rawReceiver('HTTP/1.1 202 Accepted\r\n\r\nfine', (socket) => socket.end())
    expect(await send(url)).toBe(202)
  })

  it('101, of a protocol that was not asked for -> its status, and the connection ends', async () => {
    const { url, closed } = await rawReceiver(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    )
    expect(await send(url)).toBe(101)
    await closed
  })

  it('that precedes the end of a big body -> its status', async () => {
    const { url } = await rawReceiver('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n')
    expect(await send(url, { body: 'x'.repeat(5_000_000) })).toBe(413)
  })
})

describe('no complete answer', () => {
  it.each<[string, () => Promise<Receiver>, string]>([
    [
      'a reset without an answer',
      () => tcpReceiver((socket) => socket.once('data', () => socket.resetAndDestroy())),
      'closed the connection without an answer',
    ],
    [
      'an end without an answer',
      () => tcpReceiver((socket) => socket.once('data', () => socket.end())),
      'closed the connection without an answer',
    ],
    [
      'an end in the middle of the body',
      () => rawReceiver('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', (socket) => socket.end()),
      'closed the connection in its answer 200',
    ],
    [
      'a reset in the middle of the body',
      () =>
        rawReceiver('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', (socket) =>
          socket.resetAndDestroy(),
        ),
      'closed the connection in its answer 200',
    ],
    [
      'an end in the middle of chunks',
      () =>
        rawReceiver('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab', (socket) => socket.end()),
      'closed the connection in its answer 200',
    ],
    ['bytes that are no HTTP', () => rawReceiver('SSH-2.0-x\r\n\r\n'), 'Parse Error: Expected HTTP/'],
  ])('%s -> an error in words', async (_, receive, message) => {
    const { url } = await receive()
    await expect(send(url)).rejects.toThrow(message)
  })

  it('an end while a big body is sent -> an error in words', async () => {
    const { url } = await tcpReceiver((socket) => socket.once('data', () => socket.destroy()))
    await expect(send(url, { body: 'x'.repeat(20_000_000) })).rejects.toThrow(
      'closed the connection without an answer',
    )
  })

  it('a refused port -> the address and the port', async () => {
    const url = await refusedUrl()
    await expect(send(url)).rejects.toThrow(`connect ECONNREFUSED ${new URL(url).host}`)
  })

  it('https to a receiver of plain HTTP -> an error in words', async () => {
    const { port } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    await expect(send(`https://127.0.0.1:${port}/`)).rejects.toThrow(
      `127.0.0.1:${port} does not speak https: if the receiver has no TLS, use http://127.0.0.1:${port}/`,
    )
  })

  it('https to a receiver that closes the connection -> an error in words', async () => {
    const { port } = await tcpReceiver((socket) => socket.once('data', () => socket.end()))
    await expect(send(`https://127.0.0.1:${port}/`)).rejects.toThrow(
      `127.0.0.1:${port} does not speak https: if the receiver has no TLS, use http://127.0.0.1:${port}/`,
    )
  })

  it.each<[string, () => Promise<Receiver>]>([
    ['that never answers', () => tcpReceiver(() => undefined)],
    ['whose answer has no end', () => rawReceiver('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')],
    ['that only announces', () => rawReceiver('HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('a receiver %s -> the reason of the signal, and the connection ends', async (_, receive) => {
    const { url, reached, closed } = await receive()
    const stop = new AbortController()
    const sent = send(url, { signal: stop.signal })
    await reached
    stop.abort(new Error('did not answer within 1s'))
    await expect(sent).rejects.toThrow('did not answer within 1s')
    await closed
  })

  it('a signal that is aborted already -> its reason, and no connection', async () => {
    const { url, connections } = await tcpReceiver(() => undefined)
    await expect(send(url, { signal: AbortSignal.abort(new Error('closed')) })).rejects.toThrow('closed')
    expect(connections()).toBe(0)
  })
})

describe('addresses', () => {
  const noResolve: Resolve = () => {
    throw new Error('it was resolved')
  }

  it('a host that is an address -> never resolved; one that is not allowed is refused', async () => {
    const { url } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    expect(await send(url, { resolve: noResolve })).toBe(204)
    for (const host of ['10.0.0.1', '0.0.0.0', '169.254.169.254', '[::]', '[::ffff:10.0.0.1]', '0xa000001']) {
      const refused = send(`http://${host}/`, { resolve: noResolve })
      await expect(refused).rejects.toThrow(AddressRefusedError)
    }
  })

  it('0.0.0.0, which reaches the own machine -> refused, and nothing connects', async () => {
    const { port, connections } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    await expect(send(`http://0.0.0.0:${port}/`)).rejects.toThrow(
      new AddressRefusedError(
        '0.0.0.0 is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow 0.0.0.0',
      ),
    )
    expect(connections()).toBe(0)
  })

  it('a name that changes its address between two attempts -> the second is refused', async () => {
    const { port, connections } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    const { resolve, hosts } = resolver(['127.0.0.1'], ['10.0.0.1'])
    const url = `http://partner.test:${port}/`
    expect(await send(url, { resolve })).toBe(204)
    await expect(send(url, { resolve })).rejects.toThrow(
      new AddressRefusedError(
        'partner.test (10.0.0.1) is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow partner.test',
      ),
    )
    expect([hosts, connections()]).toEqual([['partner.test', 'partner.test'], 1])
  })

  it('a name with several addresses -> only to those that are allowed', async () => {
    const { port, connections } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    const url = `http://partner.test:${port}/`
    const { resolve } = resolver(['10.0.0.1', '127.0.0.1', 'fe80::1'])
    expect([await send(url, { resolve }), connections()]).toEqual([204, 1])
  })

  it.each(['partner.test', 'localhost', 'partner.test.example'])(
    'with --isolation partner, the name %s that no --webhook-allow names -> refused without a look-up',
    async (name) => {
      const url = `http://${name}:3001/`
      const allow = ['test', 'partner.test:3000', 'localhost:3000', '127.0.0.1', '[::1]']
      await expect(send(url, { resolve: noResolve, allow, allowsLoopback: false })).rejects.toThrow(
        new AddressRefusedError(
          `${name} is not allowed: with --isolation partner no address is allowed by itself. Start the sandbox with --webhook-allow ${name}`,
        ),
      )
    },
  )

  it('a name of --webhook-allow -> to any of its addresses; another port is refused', async () => {
    const { port } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    const { resolve } = resolver(['0.0.0.0'])
    const allow = [`partner.test:${port}`]
    expect(await send(`http://partner.test:${port}/`, { resolve, allow })).toBe(204)
    await expect(send(`http://partner.test:${port + 1}/`, { resolve, allow })).rejects.toThrow(
      AddressRefusedError,
    )
  })

  it('a name without an address -> the error of the resolver, which is not a refusal', async () => {
    const resolve: Resolve = (host, done) =>
      done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND', syscall: 'x' }), [])
    const error = await send('http://partner.test/', { resolve }).catch((thrown: unknown) => thrown)
    expect(error).toEqual(new Error('getaddrinfo ENOTFOUND partner.test'))
    await expect(send('http://partner.test/', { resolve: resolver([]).resolve })).rejects.toThrow(
      'partner.test is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow partner.test',
    )
  })
})
