// Refuses connections and requests before they reach the app: broken bytes, too many headers, an invalid Host, CONNECT.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer } from '../call/outcome.ts'
import { requestOrder } from './request-order.ts'
import { readRefused, type HeaderProblem, type ParseError, type RefusedRequest } from './refused-request.ts'

const maxHeaders = 100

const invalidTarget = 'The request target is not valid.'

/** How long a refused connection may stay half open after its answer (ms). */
const lingerMs = 1_000

/** Refuses requests for the sandbox behind the ports. */
export interface Outside {
  /** Whether a request of HTTP/1.0 may omit Host: no guard needs it for this target. */
  needsNoHost(target: string): boolean
  /** Records a refused request, and returns its answer. */
  refuse(request: RefusedRequest, problem: HeaderProblem): Answer
}

/** The problem with the headers of a request, if any: too many, not exactly one Host, or a Host invalid in URLs. */
export function headerProblem(
  { rawHeaders: raw, httpVersion, url = '' }: IncomingMessage,
  { needsNoHost }: Pick<Outside, 'needsNoHost'>,
): HeaderProblem | undefined {
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
  // Load balancers probe by HTTP/1.0, which has no Host.
  if (hosts === 0 && httpVersion === '1.0' && needsNoHost(url)) return undefined
  if (hosts !== 1) return { type: 'BAD_REQUEST_ERROR', message: 'Exactly one Host header is needed.' }
  return host === lastValidHost || isUrlHost(host)
    ? undefined
    : { type: 'BAD_REQUEST_ERROR', message: invalidTarget }
}

/** The last valid host, as a cache: most calls name the same one. */
let lastValidHost: string | undefined

/** Whether a URL can have this host: `1.2.3.4.5` looks like a name, but URLs treat it as an invalid address. */
function isUrlHost(host: string): boolean {
  if (!URL.canParse(`http://${host}/`)) return false
  lastValidHost = host
  return true
}

/** Refuses a request through its response object. */
export function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  problem: HeaderProblem,
  outside: Outside,
): void {
  const { status, headers, body } = outside.refuse(requestOf(incoming), problem)
  outgoing.sendDate = false
  outgoing.writeHead(status, { ...headers, connection: 'close' })
  outgoing.end(body)
}

/** The answer to a target that no URL can have. */
export function targetRefusal(incoming: IncomingMessage, outside: Outside): Response {
  const problem = { type: 'BAD_REQUEST_ERROR', message: invalidTarget } as const
  const { status, headers, body } = outside.refuse(requestOf(incoming), problem)
  return new Response(body, { status, headers: { ...headers, connection: 'close' } })
}

function requestOf({ method = '', url = '', rawHeaders, socket }: IncomingMessage): RefusedRequest {
  return { method, target: url, headers: rawHeaders, port: socket.localPort }
}

/** Refuses CONNECT. */
export function refuseConnect(incoming: IncomingMessage, socket: Socket, outside: Outside): void {
  socket.on('error', () => socket.destroy())
  const message = 'CONNECT is not supported: the sandbox is not a proxy.'
  const request = requestOf(incoming)
  void requestOrder(socket).all.then(() =>
    writeByHand(socket, request, { type: 'BAD_REQUEST_ERROR', message, outcome: 'unmatched' }, outside),
  )
}

/** Refuses bytes that are no request. They have no response object, so the answer is written by hand. */
export function refuseBytes(error: ParseError, socket: Socket, outside: Outside): void {
  // Already answered: a reset would lose the answer of a client that is still sending. The linger timer closes it.
  if (socket.writableEnded && error.code !== 'ECONNRESET') return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Bytes after a request with `connection: close`: the answer to that request is the last one.
  if (error.code === 'HPE_CLOSED_CONNECTION') return
  const order = requestOrder(socket)
  if (order.isEnding) return
  order.isEnding = true
  void refuseLast(error, socket, outside)
}

async function refuseLast(error: ParseError, socket: Socket, outside: Outside): Promise<void> {
  const order = requestOrder(socket)
  const { request, problem } = readRefused(error, socket.localPort)
  // A call whose body is cut off or broken: the refusal is its answer.
  const call = order.last?.req.complete === false ? order.last : undefined
  await (call ? order.earlier : order.all)
  // A browser opens connections in advance, and sends nothing on some.
  if (call?.headersSent || socket.bytesRead === 0) endByHand(socket)
  // The call that the client left records that its body was cut off.
  else if (call && error.code === 'HPE_INVALID_EOF_STATE') endByHand(socket, cutOff(problem))
  else writeByHand(socket, request, problem, outside)
}

/** The answer to a client that ended its side within the body of a call. */
function cutOff({ type, message }: HeaderProblem): Buffer {
  const body = JSON.stringify({ error: { type, message } })
  return textOf({ status: 400, headers: { 'content-type': 'application/json' }, body })
}

function writeByHand(
  socket: Socket,
  request: RefusedRequest,
  problem: HeaderProblem,
  outside: Outside,
): void {
  if (!socket.writable) return
  endByHand(socket, textOf(outside.refuse(request, problem)))
}

/** The bytes of an answer after which the connection ends. */
function textOf({ status, headers, body }: Answer): Buffer {
  const bytes = Buffer.from(body ?? '')
  const all = { ...headers, 'content-length': String(bytes.length), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), bytes])
}

function endByHand(socket: Socket, lastWords: Uint8Array | '' = ''): void {
  socket.end(lastWords)
  // A peer may never close its side, so use a timer. Closing immediately could lose the answer.
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  linger.unref()
  socket.once('close', () => clearTimeout(linger))
}
