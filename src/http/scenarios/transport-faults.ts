// Transport faults: a connection that is reset, empty, hanging, truncated or dripping, on a socket and in process.
import type { ServerResponse } from 'node:http'
import { onAbort } from '../../runtime/wait.ts'
import type { Loss, TransportFault } from '../../scenarios/consequences.ts'
import { lossOf, type Answer } from '../../call/outcome.ts'
import { connectionOf } from '../connection.ts'

/** How often a dripping answer sends some bytes. */
const dripsPerSecond = 10

function bytesOf({ body }: Answer): Buffer {
  return body === null ? noBytes : Buffer.from(body)
}

const noBytes = Buffer.alloc(0)

/** The beginning of a status line. Cut later, curl and Python take the head for a whole one. */
const cutHead = Buffer.from('HTTP/1.1 ')

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.ceil(bytes.length / 2))
}

/** Does to a socket what the fault says. Whatever waits ends when the client or the sandbox closes. */
export function spoilOnSocket(
  answer: Answer,
  fault: TransportFault,
  outgoing: ServerResponse,
  closing: AbortSignal,
): void {
  // A response that waits its turn behind another one of the connection has no socket of its own yet.
  const { socket, method = '' } = outgoing.req
  const bytes = bytesOf(answer)
  if (fault === 'reset') connectionOf(socket).afterEarlier(() => socket.resetAndDestroy())
  else if (fault === 'empty') connectionOf(socket).afterEarlier(() => closeAfter(noBytes, outgoing))
  else if (fault === 'hang') untilClosed(outgoing, closing)
  else if (fault === 'malformed_json') {
    const { headers, half } = halved(answer)
    outgoing.writeHead(answer.status, headers)
    outgoing.end(half)
  } else if (fault === 'truncate' && lossOf(answer, method)) {
    connectionOf(socket).afterEarlier(() => closeAfter(cutHead, outgoing))
  } else if (fault === 'truncate') {
    outgoing.writeHead(answer.status, answer.headers)
    outgoing.flushHeaders()
    // Closed once the half is on its way, so that the client has something to be cut off from.
    outgoing.write(firstHalf(bytes), () => socket.destroySoon())
  } else {
    outgoing.writeHead(answer.status, answer.headers)
    if (bytes.length === 0 || method === 'HEAD') return void outgoing.end()
    outgoing.flushHeaders()
    drip(bytes, fault.bytes_per_second, {
      send: (piece) => void outgoing.write(piece),
      end: () => void outgoing.end(),
      gone: (stop) => {
        outgoing.once('close', stop)
        untilClosed(outgoing, closing)
      },
    })
  }
}

/** How long a connection that was closed on our side waits for its client to close the other. */
const lingerMs = 1_000

/** Closes after these bytes. The request is read to its end: closing over unread bytes would reset the connection. */
function closeAfter(bytes: Buffer, { req }: ServerResponse): void {
  const { socket } = req
  req.resume()
  socket.end(bytes)
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  linger.unref()
  socket.once('close', () => clearTimeout(linger))
}

/** Half of the body with headers that call it whole; an answer without a body stays as it is. */
function halved(answer: Answer): { headers: Record<string, string>; half: Buffer } {
  const half = firstHalf(bytesOf(answer))
  const { headers } = answer
  return {
    headers: answer.body === null ? headers : { ...headers, 'content-length': String(half.length) },
    half,
  }
}

function untilClosed(outgoing: ServerResponse, closing: AbortSignal): void {
  const end = (): void => void outgoing.destroy()
  if (closing.aborted) end()
  onAbort(closing, end)
  outgoing.once('close', () => closing.removeEventListener('abort', end))
}

interface Drain {
  send(piece: Buffer): void
  end(): void
  /** Calls back when there is nobody to send to any more. */
  gone(stop: () => void): void
}

/** Sends a few bytes at a time. */
function drip(bytes: Buffer, perSecond: number, drain: Drain): void {
  const size = Math.max(1, Math.round(perSecond / dripsPerSecond))
  // Fewer bytes than drips a second: one byte at a time, further apart.
  const every = perSecond >= dripsPerSecond ? 1000 / dripsPerSecond : 1000 / perSecond
  let sent = 0
  const timer = setInterval(() => {
    drain.send(bytes.subarray(sent, sent + size))
    sent += size
    if (sent < bytes.length) return
    clearInterval(timer)
    drain.end()
  }, every)
  drain.gone(() => clearInterval(timer))
}

/** The failure that Node's own fetch has for a connection that ended without an answer. */
export function lostConnection(how: 'reset' | 'closed' = 'closed'): TypeError {
  return new TypeError('fetch failed', { cause: causeOf(how) })
}

/** The failure that reading a body has whose connection ended before it did. */
function cutOff(): TypeError {
  return new TypeError('terminated', { cause: causeOf('closed') })
}

function causeOf(how: 'reset' | 'closed'): Error {
  return how === 'reset'
    ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    : Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
}

/**
 * The response that an in-process caller gets, spoilt in the way the fault says.
 *
 * @param gone aborted when the caller gives up.
 */
export function spoiledResponse(
  answer: Answer,
  fault: Exclude<TransportFault, Loss>,
  isHead: boolean,
  closing: AbortSignal,
  gone: AbortSignal,
): { response: Response; sent?: Promise<void> } {
  const { status } = answer
  const { headers, half } =
    fault === 'malformed_json' ? halved(answer) : { headers: answer.headers, half: undefined }
  // A slow or malformed answer without a body is its head, which is whole.
  if (isHead || answer.body === null) return { response: new Response(null, { status, headers }) }
  if (half) return { response: new Response(new Uint8Array(half), { status, headers }) }
  const bytes = bytesOf(answer)
  if (typeof fault !== 'object') return { response: new Response(truncated(bytes), { status, headers }) }
  const { body, sent } = dripping(bytes, fault.bytes_per_second, closing, gone)
  return { response: new Response(body, { status, headers }), sent }
}

/** The first half, and then the end of the connection. */
function truncated(bytes: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(firstHalf(bytes))),
    pull: (controller) => controller.error(cutOff()),
  })
}

/** A few bytes at a time, until somebody closes; then it is sent, whole or not. */
function dripping(
  bytes: Buffer,
  perSecond: number,
  closing: AbortSignal,
  gone: AbortSignal,
): { body: ReadableStream<Uint8Array>; sent: Promise<void> } {
  let stop = (): void => undefined
  let ended = (): void => undefined
  const sent = new Promise<void>((resolve) => (ended = resolve))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const onClosing = (): void => fail(cutOff())
      const onGone = (): void => fail(gone.reason)
      onAbort(closing, onClosing)
      onAbort(gone, onGone)
      const forget = (): void => {
        closing.removeEventListener('abort', onClosing)
        gone.removeEventListener('abort', onGone)
        ended()
      }
      drip(bytes, perSecond, {
        send: (piece) => controller.enqueue(new Uint8Array(piece)),
        end: () => {
          forget()
          controller.close()
        },
        gone: (halt) => {
          stop = () => {
            halt()
            forget()
          }
        },
      })
      function fail(reason: unknown): void {
        stop()
        controller.error(reason)
      }
      if (closing.aborted) onClosing()
      else if (gone.aborted) onGone()
    },
    cancel: () => stop(),
  })
  return { body, sent }
}
