// Pipelined requests: those of a connection one after the other, few begun ahead of answers that are not sent yet.
//
// Node's parser emits every request of one read, which may hold two thousand: a queue behind it would keep all of them in
// memory for each connection. Only an upgrade stops the parser within a read, and hands over the bytes that follow.
// And only the handle of a socket tells how many bytes the system took: `bytesWritten` counts waiting ones, too.
import { IncomingMessage, Server, type RequestListener, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicNow } from '../runtime/host.ts'
import { AnswerOrder, answerOrderOf } from './answer-order.ts'

/** How many connections with requests that had to wait go on in one turn of the event loop. */
const maxResumed = 4

const sweepMs = 1_000

/** How long a client may take no byte of the answers that wait for it, before its connection is closed (ms). */
const maxStuckMs = 30_000

/** A request that poses as an upgrade where it came too early. */
class PipelinedRequest extends IncomingMessage {
  #isEarly = false

  get upgrade(): boolean {
    return this.#isEarly || this.method === 'CONNECT'
  }

  /** Set by Node once the head is read; before that, to null, where there are no fields yet. */
  set upgrade(requested: boolean | null) {
    if (requested !== null) this.#isEarly ||= answerOrderOf(this.socket).isBusy
  }
}

/** An HTTP server that handles the requests of each connection in order, and closes connections that are stuck. */
export class PipeliningServer extends Server {
  /** The connection whose client ends its side just now. */
  #ending: Socket | undefined
  readonly #open = new Map<Socket, { taken: number; at: number }>()
  /** Connections whose requests had to wait, and can go on. */
  readonly #ready: Socket[] = []

  constructor(options: ServerOptions, onRequest: RequestListener) {
    super({ ...options, IncomingMessage: PipelinedRequest }, (incoming, outgoing) => {
      answerOrderOf(incoming.socket).begin(outgoing)
      onRequest(incoming, outgoing)
    })
    this.on('connection', (socket: Socket) => {
      if (this.#open.has(socket)) return
      this.#open.set(socket, { taken: 0, at: monotonicNow() })
      // In front of Node's own listener, which reads `httpAllowHalfOpen`.
      socket.prependListener('end', () => (this.#ending = socket))
      socket.once('close', () => this.#open.delete(socket))
    })
    this.on('upgrade', (early: IncomingMessage, socket: Socket, rest: Buffer) => {
      answerOrderOf(socket).putBack(headOf(early), rest, () => {
        if (this.#ready.push(socket) === 1) setImmediate(() => this.#resume())
      })
    })
    this.once('listening', () => {
      // After a blocked event loop the system first takes what its clients have room for.
      const sweep = setInterval(() => setImmediate(() => this.#closeStuck()), sweepMs)
      sweep.unref()
      this.once('close', () => clearInterval(sweep))
    })
  }

  /**
   * Read by Node where a client ends its side: unless it is allowed, Node ends the other side, too, and loses the answers
   * to requests that had to wait. Where none had to, it stays so: a client that is gone looks the same.
   */
  get httpAllowHalfOpen(): boolean {
    return this.#ending !== undefined && answerOrderOf(this.#ending).hasWaited
  }

  /** Node sets it to false when it makes a server. */
  set httpAllowHalfOpen(_allowed: boolean) {}

  /** Also those whose requests wait, which Node has left. */
  override closeAllConnections(): void {
    for (const socket of this.#open.keys()) socket.destroy()
  }

  #closeStuck(): void {
    const now = monotonicNow()
    for (const [socket, seen] of this.#open) {
      const taken = numberOf(socket, 'bytesWritten') - numberOf(socket, 'writeQueueSize')
      if (socket.writableLength === 0 || taken > seen.taken) seen.at = now
      seen.taken = taken
      if (now - seen.at >= maxStuckMs) socket.destroy()
    }
  }

  #resume(): void {
    for (const socket of this.#ready.splice(0, maxResumed)) {
      if (socket.destroyed) continue
      socket.off('readable', AnswerOrder.ignore)
      // The timeout between two requests began with the last answer.
      socket.setTimeout(0)
      answerOrderOf(socket).grant()
      this.emit('connection', socket)
      // Until a listener for data was there, Node reads past the parser whenever it resumes the socket.
      socket.on('data', AnswerOrder.ignore).off('data', AnswerOrder.ignore)
    }
    if (this.#ready.length > 0) setImmediate(() => this.#resume())
  }
}

function numberOf(socket: Socket, name: string): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : 0
  return typeof value === 'number' ? value : 0
}

/** A request without its body, in no more bytes than it came in. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let at = 0; at < rawHeaders.length; at += 2) text += `${rawHeaders[at]}:${rawHeaders[at + 1]}\r\n`
  return Buffer.from(`${text}\r\n`, 'latin1')
}
