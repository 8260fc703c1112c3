// Refuses connections and requests before they reach the app: broken bytes, too many headers, an invalid Host, CONNECT.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorCatalogue, type ErrorType } from '../contract/errors.ts'
import { answerOrderOf } from './answer-order.ts'
import { httpDate } from './http-date.ts'

const maxHeaders = 100

const invalidTarget = 'The request target is not valid.'

/** How long a refused connection may stay half open after its answer (ms). */
const lingerMs = 1_000

/** The request id and the time for answers that no stage creates. */
export interface Outside {
  /** Whether a request of HTTP/1.0 may omit Host: no guard needs it for this target. */
  needsNoHost(target: string): boolean
  nextRequestId(): string
  /** The time of the workspace `default`. */
  now(): number
}

/** The reason for refusing a request before it reaches the app. */
export interface HeaderProblem {
  type: ErrorType
  message: string
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
  return host === usualHost || isUrlHost(host)
    ? undefined
    : { type: 'BAD_REQUEST_ERROR', message: invalidTarget }
}

/** The last valid host, as a cache: most calls name the same one. */
let usualHost: string | undefined

/** Whether a URL can have this host: `1.2.3.4.5` looks like a name, but URLs treat it as an invalid address. */
function isUrlHost(host: string): boolean {
  if (!URL.canParse(`http://${host}/`)) return false
  usualHost = host
  return true
}

/** The answer to a request that never becomes a call. */
function refusal({ type, message }: HeaderProblem, { nextRequestId, now }: Outside) {
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

/** Refuses a request through its response object. */
export function refuse(outgoing: ServerResponse, problem: HeaderProblem, outside: Outside): void {
  const { status, headers, body } = refusal(problem, outside)
  outgoing.sendDate = false
  outgoing.writeHead(status, headers)
  outgoing.end(body)
}

/** The answer to a target that no URL can have. */
export function targetRefusal(outside: Outside): Response {
  const { body, ...head } = refusal({ type: 'BAD_REQUEST_ERROR', message: invalidTarget }, outside)
  return new Response(body, head)
}

/** Refuses CONNECT. */
export function refuseConnect(socket: Socket, outside: Outside): void {
  socket.on('error', () => socket.destroy())
  const message = 'CONNECT is not supported: the sandbox is not a proxy.'
  answerOrderOf(socket).refuse(() => writeByHand(socket, { type: 'BAD_REQUEST_ERROR', message }, outside))
}

const clientErrors: Readonly<Record<string, ErrorType>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE_ERROR',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT_ERROR',
}

/** Refuses bytes that are no request. They have no response object, so the answer is written by hand. */
export function refuseBytes(error: Error & { code?: string }, socket: Socket, outside: Outside): void {
  // Already answered: a reset would lose the answer of a client that is still sending. The linger timer closes it.
  if (socket.writableEnded && error.code !== 'ECONNRESET') return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Bytes after a request with `connection: close`: the answer to that request is the last one.
  if (error.code === 'HPE_CLOSED_CONNECTION') return
  const type = clientErrors[error.code ?? ''] ?? 'BAD_REQUEST_ERROR'
  const message = type === 'BAD_REQUEST_ERROR' ? 'This is not an HTTP request.' : errorCatalogue[type].message
  answerOrderOf(socket).refuse((isAnswered) => {
    if (isAnswered) endByHand(socket)
    else writeByHand(socket, { type, message }, outside)
  })
}

function writeByHand(socket: Socket, problem: HeaderProblem, outside: Outside): void {
  if (!socket.writable) return
  const { status, headers, body } = refusal(problem, outside)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  endByHand(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}

function endByHand(socket: Socket, lastWords = ''): void {
  socket.end(lastWords)
  // A peer may never close its side, so use a timer. Closing immediately could lose the answer.
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  linger.unref()
  socket.once('close', () => clearTimeout(linger))
}
