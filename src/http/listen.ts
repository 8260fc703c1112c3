// Serves the app on a port: limits and timeouts of connections, shutdown, the adapter from Node's server to the app.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { errorCatalogue } from '../contract/errors.ts'
import { isSystemError } from '../runtime/host.ts'
import type { App, Bindings } from './context.ts'
import {
  headerProblem,
  refuse,
  refuseBytes,
  refuseConnect,
  targetRefusal,
  type Outside,
} from './refuse-connection.ts'
import { noteRawSockets } from './raw-socket.ts'
import { handleInOrder, requestOrder } from './request-order.ts'
import { LostAnswerError } from './transport-faults.ts'

/** A sandbox that listens. */
export interface Listening {
  /** Its address, such as `http://127.0.0.1:4010`, or with `https` if it has a certificate. */
  url: string
  port: number
  host: string
  /** Accepts no more calls, finishes those in flight, and closes the remaining connections after 1.5 seconds. */
  close(): Promise<void>
}

/** Limits on a connection before its bytes become a request (security: Limits). */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // A shorter timeout would reset the pooled connections of Java and Python clients.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}
const maxConnections = 2_048

/** How long a connection may be idle: its client sends no request, or reads none of the waiting bytes (ms). */
const idleMs = 30_000

const graceMs = 1_500
const sweepMs = 20

/** A certificate and its private key, as PEM. */
export interface TlsFiles {
  readonly cert: string | Uint8Array
  readonly key: string | Uint8Array
}

/** How a sandbox listens. */
export interface ListenOptions {
  port: number
  host: string
  /**
   * The process serves only this sandbox. The adapter may then replace the global `Request` and `Response` by its own,
   * which saves 10 µs for each call.
   */
  ownsProcess: boolean
  /** Serves https; by default http. */
  tls?: TlsFiles | undefined
}

/** @throws the bind error of Node, such as EADDRINUSE, and that of a certificate and a key that do not fit. */
export async function listen(app: App, options: ListenOptions, outside: Outside): Promise<Listening> {
  const { port, host, tls } = options
  const handle = requestListener(app, options.ownsProcess, outside)
  const create = await serverFactory(tls)
  const first = createHttpServer(create, handle, outside)
  await bind(first, port, host)
  const address = first.address() as AddressInfo
  const servers = [first]
  if (host === '127.0.0.1') {
    const second = createHttpServer(create, handle, outside)
    try {
      if (await bindOtherFamily(second, address.port)) servers.push(second)
    } catch (error) {
      await closeGracefully(first)
      // The caller accepts any free port, and this one is taken on ::1: try another.
      if (port === 0) return listen(app, options, outside)
      throw error
    }
  }
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `${tls ? 'https' : 'http'}://${shown}:${address.port}`,
    port: address.port,
    host,
    close: async () => void (await Promise.all(servers.map(closeGracefully))),
  }
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/** Passes requests to the app. Loads the adapter and its web objects at the first request, for a faster start. */
function requestListener(app: App, ownsProcess: boolean, outside: Outside): Listener {
  let adapter: Listener | undefined
  /** The request of the last call of the adapter, which refuses an invalid target before it returns. */
  let entered: IncomingMessage | undefined
  const loading = async (): Promise<Listener> => {
    const { getRequestListener } = await import('@hono/node-server')
    adapter = getRequestListener((request, pair) => app.fetch(request, pair as Bindings), {
      overrideGlobalObjects: ownsProcess,
      // For requests that may omit Host; see `headerProblem`.
      hostname: 'localhost',
      // `drainBody` does the same, without a timeout.
      autoCleanupIncoming: false,
      // For a lost answer, the fault has already acted on the raw pair.
      errorHandler: (error) =>
        error instanceof LostAnswerError || !entered ? undefined : targetRefusal(entered, outside),
    })
    const listener = adapter
    return (adapter = (incoming, outgoing) => {
      entered = incoming
      return listener(incoming, outgoing)
    })
  }
  return (incoming, outgoing) => {
    if (adapter) adapter(incoming, outgoing)
    else void loading().then((listener) => listener(incoming, outgoing))
  }
}

type ServerFactory = (options: ServerOptions, listener: RequestListener) => Server

/** Node's server for https is loaded only for a certificate. */
async function serverFactory(tls: TlsFiles | undefined): Promise<ServerFactory> {
  if (!tls) return createServer
  const { createServer: createSecureServer } = await import('node:https')
  return (options, listener) => {
    const files = { cert: pemOf(tls.cert), key: pemOf(tls.key) }
    const server = createSecureServer({ ...options, ...files, ALPNProtocols: ['http/1.1'] }, listener)
    noteRawSockets(server)
    return server
  }
}

const pemOf = (pem: string | Uint8Array): string | Buffer =>
  typeof pem === 'string' ? pem : Buffer.from(pem)

function createHttpServer(create: ServerFactory, handle: Listener, outside: Outside): Server {
  // With `requireHostHeader`, Node itself would answer a missing Host, without a body.
  const server = create({ ...limits, requireHostHeader: false }, (incoming, outgoing) => {
    handleInOrder(outgoing, () => {
      const problem = headerProblem(incoming, outside)
      if (problem) refuse(incoming, outgoing, problem, outside)
      else handle(incoming, outgoing)
    })
  })
  // A call may take longer than this. A client that reads nothing, or sends no request, may not.
  server.setTimeout(idleMs, (socket) => {
    if (socket.writableLength > 0 || requestOrder(socket).waiting === 0) socket.destroy()
  })
  server.maxConnections = maxConnections
  // Node silently drops headers beyond its limit. Without a limit, `headerProblem` counts and refuses them.
  server.maxHeadersCount = 0
  server.on('clientError', (error, socket) => refuseBytes(error, socket as Socket, outside))
  // Without a listener, Node closes the connection of a CONNECT without an answer.
  server.on('connect', (incoming: IncomingMessage, socket: Socket) =>
    refuseConnect(incoming, socket, outside),
  )
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { message } = errorCatalogue.EXPECTATION_FAILED_ERROR
    handleInOrder(outgoing, () =>
      refuse(incoming, outgoing, { type: 'EXPECTATION_FAILED_ERROR', message }, outside),
    )
  })
  return server
}

/**
 * Binds the same port on ::1, which some clients try first for `localhost`: without it they would reach another program
 * that has the port there. False if the machine has no IPv6.
 */
async function bindOtherFamily(server: Server, port: number): Promise<boolean> {
  try {
    await bind(server, port, '::1')
    return true
  } catch (error) {
    if (isSystemError(error) && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)) return false
    throw error
  }
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closeGracefully(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs)
    // A busy connection becomes idle once its answer is sent, and its client may leave it open for a minute.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
    server.close(() => {
      clearTimeout(force)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
