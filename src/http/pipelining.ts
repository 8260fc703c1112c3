// An HTTP server for pipelined requests: begins the requests of a connection in order, and few before earlier answers
// are sent. Closes connections whose clients read no answers.
//
// Node's parser emits every request of one read, up to two thousand. A queue behind the parser would hold all of them
// in memory for each connection. Only an upgrade stops the parser within a read, and returns the remaining bytes.
// Only the handle of a socket shows how many bytes the system took: `bytesWritten` also counts waiting bytes.
import { IncomingMessage, Server, type RequestListener, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicNow } from '../runtime/host.ts'
import { AnswerOrder, answerOrderOf } from './answer-order.ts'

/** The most connections with waiting requests that resume in one iteration of the event loop. */
const maxResumed = 4

const sweepMs = 1_000

/** Timeout (ms) for a client that reads no byte of its waiting answers; the server then closes its connection. */
const maxStuckMs = 30_000

/** A request that claims to be an upgrade if it came too early, so that the parser stops. */
class PipelinedRequest extends IncomingMessage {
  #isEarly = false

  get upgrade(): boolean {
    return this.#isEarly || this.method === 'CONNECT'
  }

  /** Node sets null first, while the request has no fields yet, and a boolean once the head is read. */
  set upgrade(requested: boolean | null) {
    if (requested !== null) this.#isEarly ||= answerOrderOf(this.socket).isBusy
  }
}

/** An HTTP server that handles the requests of each connection in order, and closes connections that are stuck. */
export class PipeliningServer extends Server {
  /** The last connection whose client closed its side: Node reads `httpAllowHalfOpen` right after. */
  #ending: Socket | undefined
  readonly #open = new Map<Socket, { taken: number; at: number }>()
  /** Connections whose waiting requests can continue. */
  readonly #ready: Socket[] = []

  constructor(options: ServerOptions, onRequest: RequestListener) {
    super({ ...options, IncomingMessage: PipelinedRequest }, (incoming, outgoing) => {
      answerOrderOf(incoming.socket).begin(outgoing)
      onRequest(incoming, outgoing)
    })
    this.on('connection', (socket: Socket) => {
      if (this.#open.has(socket)) return
      this.#open.set(socket, { taken: 0, at: monotonicNow() })
      // Must run before Node's own listener, which reads `httpAllowHalfOpen`.
      socket.prependListener('end', () => (this.#ending = socket))
      socket.once('close', () => this.#open.delete(socket))
    })
    this.on('upgrade', (early: IncomingMessage, socket: Socket, rest: Buffer) => {
      answerOrderOf(socket).putBack(headOf(early), rest, () => {
        if (this.#ready.push(socket) === 1) setImmediate(() => this.#resume())
      })
    })
    this.once('listening', () => {
      // `setImmediate`: after a blocked event loop, the sockets first write what their clients can take.
      const sweep = setInterval(() => setImmediate(() => this.#closeStuck()), sweepMs)
      sweep.unref()
      this.once('close', () => clearInterval(sweep))
    })
  }

  /**
   * Node reads it when a client closes its side. If false, Node closes the other side, too, and loses the answers to
   * waiting requests. It is true only for connections whose requests waited, as a client that is gone looks the same.
   */
  get httpAllowHalfOpen(): boolean {
    return this.#ending !== undefined && answerOrderOf(this.#ending).hasWaited
  }

  /** Ignored: Node sets it to false when it creates a server. */
  set httpAllowHalfOpen(_allowed: boolean) {}

  /** Also closes connections with waiting requests, which Node no longer tracks. */
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
      // Node started the keep-alive timeout after the last answer; a request waits, so stop it.
      socket.setTimeout(0)
      answerOrderOf(socket).grant()
      this.emit('connection', socket)
      // Before the first `data` listener is added, a resume makes Node read past the parser.
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

/** The head of a request, in no more bytes than the client sent. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let at = 0; at < rawHeaders.length; at += 2) text += `${rawHeaders[at]}:${rawHeaders[at + 1]}\r\n`
  return Buffer.from(`${text}\r\n`, 'latin1')
}
