import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { withTest } from '../setup/with-test.ts'

/** A server that receives webhook events; gone when the test ends. */
export interface Receiver {
  port: number
  url: string
  /** How many connections it got. */
  connections: () => number
  /** Settles when the first request is there, or its first bytes. */
  reached: Promise<void>
  /** Settles when the first connection is closed. */
  closed: Promise<void>
}

/** A receiver that handles each connection like this. */
export async function tcpReceiver(onSocket: (socket: Socket) => void): Promise<Receiver> {
  let count = 0
  let onReached = (): void => undefined
  let onClosed = (): void => undefined
  const reached = new Promise<void>((resolve) => (onReached = resolve))
  const closed = new Promise<void>((resolve) => (onClosed = resolve))
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => onClosed())
    socket.once('data', () => onReached())
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  withTest(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it has no port')
  const { port } = address
  return { port, url: `http://127.0.0.1:${port}/hook`, connections: () => count, reached, closed }
}

/** A receiver of HTTP. */
export async function httpReceiver(onRequest: RequestListener): Promise<Receiver> {
  let onReached = (): void => undefined
  const reached = new Promise<void>((resolve) => (onReached = resolve))
  const server = createServer((request, answer) => {
    onReached()
    onRequest(request, answer)
  })
  const receiver = await tcpReceiver((socket) => server.emit('connection', socket))
  return { ...receiver, reached }
}

/** A receiver that sends these bytes after the first ones of a request, and then acts on its socket. */
export const rawReceiver = (
  answer: string,
  then: (socket: Socket) => unknown = () => undefined,
): Promise<Receiver> =>
  tcpReceiver((socket) => {
    socket.once('data', () => socket.write(answer, () => then(socket)))
  })

/** The address of a port at which no server listens. */
export async function refusedUrl(): Promise<string> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('it has no port')
  return `http://127.0.0.1:${address.port}/hook`
}
