// Transport faults: a connection that is reset, empty, hanging, truncated or dripping, on a socket and in process.
import type { ServerResponse } from 'node:http'
import { lossOf, type Answer } from '../call/outcome.ts'
import { onceAborted, untilAborted } from '../runtime/wait.ts'
import type { Loss, TransportFault } from '../scenarios/consequences.ts'
import { answerOrderOf } from './answer-order.ts'

/** How often a dripping answer sends some bytes. */
const dripsPerSecond = 10

/** The beginning of a status line. Cut later, curl and Python take the head for a whole one. */
const cutHead = Buffer.from('HTTP/1.1 ')

const noBytes = Buffer.alloc(0)

/** The way to a client that a fault is to disturb. */
export interface Connection {
  method: string
  /** The answer on a socket; undefined in process. */
  outgoing: ServerResponse | undefined
  /** Aborted when the client is gone. */
  gone: AbortSignal
  /** Aborted when the sandbox closes. */
  closing: AbortSignal
  /** Called once the answer is sent or lost. */
  onEnd: () => void
}

/** Thrown in place of an answer that a fault lost: as Node's own `fetch` fails when a connection ends without one. */
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

/** The failure of reading a body whose connection ended early. */
const cutOff = (): TypeError => new TypeError('terminated', { cause: causeOf('closed') })

/**
 * What a client gets of an answer with a fault.
 * @throws {LostAnswerError} where that is no whole response; on a socket the fault has happened then.
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

/** Loses an answer; one that hangs, until its client or the sandbox is gone. @param loss undefined for half a body. */
async function lose(
  { status, headers, body }: Answer,
  fault: TransportFault,
  loss: Loss | undefined,
  { outgoing, gone, closing }: Connection,
): Promise<void> {
  if (loss === 'hang') await untilAborted(gone, closing)
  if (!outgoing) return
  // A response that waits behind others of its connection has no socket of its own yet.
  const { socket } = outgoing.req
  const order = answerOrderOf(socket)
  if (loss === 'hang') outgoing.destroy()
  else if (loss === 'reset') order.afterEarlier(() => socket.resetAndDestroy())
  else if (loss === 'empty') {
    order.afterEarlier(() => closeAfter(fault === 'truncate' ? cutHead : noBytes, outgoing))
  } else if (!outgoing.headersSent && !outgoing.destroyed) {
    outgoing.writeHead(status, { ...headers })
    outgoing.flushHeaders()
    // Closed once the half is on its way, so that the client has something to be cut off from.
    outgoing.write(firstHalf(Buffer.from(body ?? noBytes)), () => socket.destroySoon())
  }
}

/** How long a connection that was closed on our side waits for its client to close the other (ms). */
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

/** The first half, and then the end of the connection. */
function truncated(bytes: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(firstHalf(bytes)),
    pull: (controller) => controller.error(cutOff()),
  })
}

/** A few bytes at a time, until the client or the sandbox is gone. */
function dripping(
  bytes: Buffer,
  perSecond: number,
  { outgoing, gone, closing, onEnd }: Connection,
): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.round(perSecond / dripsPerSecond))
  // Fewer bytes than drips a second: one byte at a time, further apart.
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
        // Hono's adapter prints the error of a stream, and cancels one whose response is destroyed.
        if (outgoing) outgoing.destroy()
        else controller.error(reason)
      }
      ends.push(onceAborted(closing, () => fail(cutOff())))
      ends.push(onceAborted(gone, () => fail(gone.reason)))
    },
    cancel: () => stop(),
  })
}
