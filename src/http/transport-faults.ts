// Transport faults: a connection that is reset, empty, hanging, truncated or dripping, on a socket and in process.
import type { ServerResponse } from 'node:http'
import { lossOf, type Answer } from '../call/outcome.ts'
import { rawSocketOf } from './raw-socket.ts'
import { onceAborted, untilAborted } from '../runtime/wait.ts'
import type { Loss, TransportFault } from '../scenarios/consequences.ts'

/** How many times per second a dripping answer sends bytes. */
const dripsPerSecond = 10

/** The beginning of a status line. If the head is cut later, curl and Python accept it as complete. */
const cutHead = Buffer.from('HTTP/1.1 ')

const noBytes = Buffer.alloc(0)

/** The connection that a fault disturbs. */
export interface Connection {
  method: string
  /** The answer on a socket; undefined in process. */
  outgoing: ServerResponse | undefined
  /** A signal that aborts when the client is gone. */
  gone: AbortSignal
  /** A signal that aborts when the sandbox closes. */
  closing: AbortSignal
  /** Called once the answer is sent or lost. */
  onEnd: () => void
}

/** Thrown for an answer that a fault lost, like the error of Node's `fetch` for a connection that closes early. */
export class LostAnswerError extends TypeError {
  constructor(how: 'reset' | 'closed') {
    super('fetch failed', { cause: causeOf(how) })
  }
}

function causeOf(how: 'reset' | 'closed'): Error {
  return how === 'reset'
    ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    : Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
}

/** The error of reading a body whose connection closed early. */
const cutOff = (): TypeError => new TypeError('terminated', { cause: causeOf('closed') })

/**
 * The response to a call with a fault.
 * @throws {LostAnswerError} if no response remains; on a socket, the fault has then already happened.
 */
export async function faultyResponse(
  answer: Answer,
  fault: TransportFault,
  connection: Connection,
): Promise<Response> {
  const { status, headers, body } = answer
  const { method, onEnd } = connection
  const loss = lossOf(answer, method)
  if (loss || (fault === 'truncate' && connection.outgoing)) {
    await lose(answer, fault, loss, connection)
    onEnd()
    throw new LostAnswerError(loss === 'reset' ? 'reset' : 'closed')
  }
  const bytes = Buffer.from(body ?? noBytes)
  if (typeof fault === 'object' && bytes.length > 0 && method !== 'HEAD') {
    return new Response(dripping(bytes, fault.bytes_per_second, connection), { status, headers })
  }
  onEnd()
  if (fault === 'truncate') return new Response(truncated(bytes), { status, headers })
  if (fault !== 'malformed_json' || body === null) return new Response(body, { status, headers })
  const half = firstHalf(bytes)
  return new Response(half, { status, headers: { ...headers, 'content-length': String(half.length) } })
}

function firstHalf(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.subarray(0, Math.ceil(bytes.length / 2)))
}

/**
 * Loses an answer. An answer that hangs waits until its client or the sandbox is gone.
 * @param loss undefined to send half a body.
 */
async function lose(
  { status, headers, body }: Answer,
  fault: TransportFault,
  loss: Loss | undefined,
  { outgoing, gone, closing }: Connection,
): Promise<void> {
  if (loss === 'hang') await untilAborted(gone, closing)
  if (!outgoing) return
  const { socket } = outgoing.req
  if (loss === 'hang') outgoing.destroy()
  else if (loss === 'reset') rawSocketOf(socket).resetAndDestroy()
  else if (loss === 'empty') closeAfter(fault === 'truncate' ? cutHead : noBytes, outgoing)
  else if (!outgoing.headersSent && !outgoing.destroyed) {
    outgoing.writeHead(status, { ...headers })
    outgoing.flushHeaders()
    // Close only once the half is written, so that the client receives a truncated body.
    outgoing.write(firstHalf(Buffer.from(body ?? noBytes)), () => socket.destroySoon())
  }
}

/** How long a connection that the sandbox closed waits for its client to close the other side (ms). */
const lingerMs = 1_000

/** Closes after these bytes. Reads the request to its end: closing with unread bytes would reset the connection. */
function closeAfter(bytes: Buffer, { req }: ServerResponse): void {
  const { socket } = req
  req.resume()
  socket.end(bytes)
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  linger.unref()
  socket.once('close', () => clearTimeout(linger))
}

/** A stream of the first half, which then fails as if the connection had closed. */
function truncated(bytes: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(firstHalf(bytes)),
    pull: (controller) => controller.error(cutOff()),
  })
}

/** A stream of a few bytes at a time, until the client or the sandbox is gone. */
function dripping(
  bytes: Buffer,
  perSecond: number,
  { outgoing, gone, closing, onEnd }: Connection,
): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.round(perSecond / dripsPerSecond))
  // A rate below the drips per second: send single bytes at longer intervals.
  const interval = perSecond >= dripsPerSecond ? 1000 / dripsPerSecond : 1000 / perSecond
  let stop = (): void => undefined
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let sent = 0
      const timer = setInterval(() => {
        controller.enqueue(new Uint8Array(bytes.subarray(sent, sent + size)))
        sent += size
        if (sent < bytes.length) return
        stop()
        controller.close()
      }, interval)
      const ends: (() => void)[] = [() => clearInterval(timer), onEnd]
      stop = () => {
        for (const end of ends.splice(0)) end()
      }
      const fail = (reason: unknown): void => {
        stop()
        // Destroy the response on a socket: Hono's adapter would print an error of the stream.
        if (outgoing) outgoing.destroy()
        else controller.error(reason)
      }
      ends.push(onceAborted(closing, () => fail(cutOff())))
      ends.push(onceAborted(gone, () => fail(gone.reason)))
    },
    cancel: () => stop(),
  })
}
