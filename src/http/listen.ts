// Serves the app on a port: limits and timeouts of connections, the Host header, refusals of what is no request.
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { isSystemError } from '../runtime/host.ts'
import { errorCatalogue, type ErrorType } from '../contract/errors.ts'
import { connectionOf, OrderedServer } from './connection.ts'
import type { App, Bindings } from './context.ts'
import { httpDate } from './http-date.ts'
import { LostAnswerError } from './transport-faults.ts'

/** A sandbox that listens. */
export interface Listening {
  /** Where it is reached, such as `http://127.0.0.1:4010`. */
  url: string
  port: number
  host: string
  /** Takes no more calls, finishes those in flight, and closes what is left after 1.5 seconds. */
  close(): Promise<void>
}

/** Limits on what a connection may do before it is a request (security: Limits). */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Shorter ones reset the pooled connections of Java and Python clients.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}
const maxConnections = 2_048
const maxHeaders = 100

const invalidTarget = 'The request target is not valid.'

const graceMs = 1_500
const sweepMs = 20

/** How long a connection whose bytes made no sense may stay half open after it was answered. */
const lingerMs = 1_000

/** What an answer needs that no stage of the pipeline has seen. */
export interface Outside {
  nextRequestId(): string
  /** The time of the workspace `default`. */
  now(): number
}

/** How a sandbox listens. */
export interface ListenOptions {
  port: number
  host: string
  /**
   * The process serves this sandbox and nothing else: the adapter may replace the global `Request` and `Response` by its
   * own, which cost a call 10 µs less.
   */
  ownsProcess: boolean
}

/** @throws the bind error of Node, such as EADDRINUSE. */
export async function listen(app: App, options: ListenOptions, outside: Outside): Promise<Listening> {
  const { port, host } = options
  const handle = requestListener(app, options.ownsProcess, () => {
    const { body, ...head } = refusal('BAD_REQUEST_ERROR', invalidTarget, outside)
    return new Response(body, head)
  })
  const first = createHttpServer(handle, outside)
  await bind(first, port, host)
  const address = first.address() as AddressInfo
  const servers = [first]
  if (host === '127.0.0.1') {
    const second = createHttpServer(handle, outside)
    try {
      if (await bindBeside(second, address.port)) servers.push(second)
    } catch (error) {
      await closeGracefully(first)
      // Any free port was requested, and this one is free for half of the clients only.
      if (port === 0) return listen(app, options, outside)
      throw error
    }
  }
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${shown}:${address.port}`,
    port: address.port,
    host,
    close: async () => void (await Promise.all(servers.map(closeGracefully))),
  }
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/** Hands requests to the app. The adapter, and the web objects with it, load with the first request: a start is faster. */
function requestListener(app: App, ownsProcess: boolean, badTarget: () => Response): Listener {
  let adapter: Listener | undefined
  const loading = async (): Promise<Listener> => {
    const { getRequestListener } = await import('@hono/node-server')
    adapter = getRequestListener((request, pair) => app.fetch(request, pair as Bindings), {
      overrideGlobalObjects: ownsProcess,
      // `drainBody` does that, without its timeout.
      autoCleanupIncoming: false,
      // A fault that lost an answer has happened on the raw pair by now.
      errorHandler: (error) => (error instanceof LostAnswerError ? undefined : badTarget()),
    })
    return adapter
  }
  return (incoming, outgoing) => {
    if (adapter) adapter(incoming, outgoing)
    else void loading().then((listener) => listener(incoming, outgoing))
  }
}

function createHttpServer(handle: Listener, outside: Outside): Server {
  const refuse = (outgoing: ServerResponse, type: ErrorType, message: string): void =>
    writeRefusal(outgoing, refusal(type, message, outside))
  // Unless told not to, Node answers a missing Host itself, with no body.
  const server = new OrderedServer({ ...limits, requireHostHeader: false }, (incoming, outgoing) => {
    const read = hostProblem(incoming.rawHeaders)
    if (read) refuse(outgoing, read.type, read.message)
    else handle(incoming, outgoing)
  })
  server.maxConnections = maxConnections
  // Node drops headers beyond its limit without a word; counting them ourselves refuses them instead.
  server.maxHeadersCount = 0
  server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket, outside))
  // Without it Node hangs up on CONNECT without a word.
  server.on('connect', (_incoming: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    connectionOf(socket).refuse(() =>
      writeByHand(socket, 'BAD_REQUEST_ERROR', 'This is no proxy: CONNECT is not served.', outside),
    )
  })
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connectionOf(incoming.socket).begin(outgoing)
    refuse(outgoing, 'EXPECTATION_FAILED_ERROR', errorCatalogue.EXPECTATION_FAILED_ERROR.message)
  })
  return server
}

/** Why the headers of a request make it unusable, whatever it asks for. */
function hostProblem(raw: readonly string[]): { type: ErrorType; message: string } | undefined {
  if (raw.length / 2 > maxHeaders) {
    return { type: 'HEADERS_TOO_LARGE_ERROR', message: `More than ${maxHeaders} headers were sent.` }
  }
  let hosts = 0
  let host = ''
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    hosts += 1
    host = raw[at + 1] ?? ''
  }
  if (hosts !== 1) return { type: 'BAD_REQUEST_ERROR', message: 'Exactly one Host header is needed.' }
  return host === usualHost || isUrlHost(host)
    ? undefined
    : { type: 'BAD_REQUEST_ERROR', message: invalidTarget }
}

/** The last host that was found good: most calls name the same. */
let usualHost = ''

/** Whether a URL can have this host: `1.2.3.4.5` looks like a name, and is an address that cannot be. */
function isUrlHost(host: string): boolean {
  if (!URL.canParse(`http://${host}/`)) return false
  usualHost = host
  return true
}

/** What is answered before there is a request to speak of. */
function refusal(type: ErrorType, message: string, { nextRequestId, now }: Outside) {
  const body = JSON.stringify({ error: { type, message } })
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-sandbox-request-id': nextRequestId(),
    date: httpDate(now()),
    connection: 'close',
  }
  return { status: errorCatalogue[type].status, headers, body }
}

function writeRefusal(outgoing: ServerResponse, { status, headers, body }: ReturnType<typeof refusal>): void {
  outgoing.sendDate = false
  outgoing.writeHead(status, headers)
  outgoing.end(body)
}

const clientErrors: Readonly<Record<string, ErrorType>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE_ERROR',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT_ERROR',
}

/** Answers bytes that never became a request; there is no response object, so the answer is written by hand. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, outside: Outside): void {
  // Whoever is still sending after the answer would lose it to a reset; the linger timer ends that.
  if (socket.writableEnded && error.code !== 'ECONNRESET') return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // What follows a request that asked to close: its answer is the last one.
  if (error.code === 'HPE_CLOSED_CONNECTION') return
  const connection = connectionOf(socket)
  const type = clientErrors[error.code ?? ''] ?? 'BAD_REQUEST_ERROR'
  const message = type === 'BAD_REQUEST_ERROR' ? 'This is not an HTTP request.' : errorCatalogue[type].message
  connection.refuse(() => {
    if (connection.isAnswered) endByHand(socket)
    else writeByHand(socket, type, message, outside)
  })
}

function writeByHand(socket: Socket, type: ErrorType, message: string, outside: Outside): void {
  if (!socket.writable) return
  const { status, headers, body } = refusal(type, message, outside)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  endByHand(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}

function endByHand(socket: Socket, lastWords = ''): void {
  socket.end(lastWords)
  // A peer that never closes its side would hold the connection; closing at once could lose it the answer.
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  linger.unref()
  socket.once('close', () => clearTimeout(linger))
}

/**
 * Binds the same port on ::1, which is what `localhost` means first to some clients: they would reach whoever else
 * has the port there. False where there is no IPv6.
 */
async function bindBeside(server: Server, port: number): Promise<boolean> {
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
    // A connection that was busy is idle once its answer is sent, and its client may keep it open for a minute.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
    server.close(() => {
      clearTimeout(force)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
