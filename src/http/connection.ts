// One connection: its requests in turn, few begun ahead of answers that are not sent yet, its end when nobody reads.
import {
  IncomingMessage,
  Server,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { monotonicNow } from '../runtime/host.ts'

/** How many requests of a connection are begun, at most, whose answers are not sent yet. */
const mostBegun = 16

/** Where no more requests of a connection are begun: so many bytes of answers are made and not sent. */
const mostUnsent = 64 * 1024

/** How many connections with requests that had to wait go on in a turn of the event loop, so that others come between. */
const mostPerTurn = 4

const sweepMs = 1_000

/** How long a client may take no byte of the answers that wait for it, before its connection is closed. */
const maxStuckMs = 30_000

/**
 * A request that knows whether it came too early. What Node does for an upgrade is its only way to
 * stop within a read, which may hold a thousand requests: it hands over the socket, and the bytes that follow.
 */
class OrderedRequest extends IncomingMessage {
  #isEarly = false

  get upgrade(): boolean {
    return this.#isEarly || this.method === 'CONNECT'
  }

  /** Set by Node once the head is read; before that, to null, where there are no fields yet. */
  set upgrade(asked: boolean | null) {
    if (asked !== null) this.#isEarly ||= connectionOf(this.socket).isBusy
  }
}

const connections = new WeakMap<Socket, Connection>()

/** What is known of a connection, from its first request on. */
export function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket)
  if (!connection) connections.set(socket, (connection = new Connection(socket)))
  return connection
}

class Connection {
  readonly #socket: Socket
  /** The answers to the last two requests that were begun: those before are made, and sent before them. */
  #last: ServerResponse | undefined
  #lastButOne: ServerResponse | undefined
  /** How many more may be begun before the answers are sent, now and when it is read again. */
  #ahead = 0
  #granted = 0
  /** Bytes of answers that are made and not sent, without the last. */
  #unsent = 0
  #refused = false
  #hasWaited = false
  /** How many bytes the client's system has taken, and when it was last seen to take some or to have none waiting. */
  #taken = 0
  #progressAt = 0

  constructor(socket: Socket) {
    this.#socket = socket
    // Node listens only while the socket is its own.
    socket.on('error', ignore)
  }

  /** Whether a request of it was put back: its answers may come after the client has ended its side. */
  get hasWaited(): boolean {
    return this.#hasWaited
  }

  /** Whether the next request has to wait for answers to those before it (RFC 9112, 9.3.2). */
  get isBusy(): boolean {
    const last = this.#last
    if (last === undefined || last.closed) return false
    return !last.writableEnded || this.#ahead === 0 || this.#unsent + last.writableLength >= mostUnsent
  }

  /** Takes note of a request whose turn it is. */
  begin(outgoing: ServerResponse): void {
    // Node gives the socket to an answer when those before it are sent.
    if (outgoing.socket === null) {
      this.#ahead -= 1
      this.#unsent += this.#last?.writableLength ?? 0
    } else {
      this.#ahead = this.#granted
      this.#granted = 0
      this.#unsent = 0
    }
    this.#lastButOne = this.#last
    this.#last = outgoing
  }

  /** Puts an early request back in front of what follows it, until the answers before it are sent. */
  putBack(early: IncomingMessage, rest: Buffer, readAgain: () => void): void {
    const socket = this.#socket
    const last = this.#last
    this.#hasWaited = true
    if (rest.length > 0) socket.unshift(rest)
    socket.unshift(headOf(early))
    // Node has left the socket, and an answer that is still streaming waits for this.
    const drained = (): void => void last?.emit('drain')
    socket.on('drain', drained)
    // Node may still resume it for those answers, and what came would be lost without a reader.
    socket.on('readable', ignore)
    onceSent(last, () => {
      socket.off('drain', drained)
      readAgain()
    })
  }

  /** Lets it be read again from where a request was put back. */
  grant(): void {
    this.#granted = mostBegun - 1
  }

  /**
   * Ends it with a last answer, which is written by hand, once all that are due are sent. A request that did not come
   * whole has no other answer.
   */
  refuse(write: () => void): void {
    if (this.#refused) return
    this.#refused = true
    if (this.#last?.req.complete === false) this.afterEarlier(write)
    else onceSent(this.#last, write)
  }

  /** Calls back once the answers to all requests before the last are sent. */
  afterEarlier(run: () => void): void {
    onceSent(this.#lastButOne, run)
  }

  /** Whether the request that did not come whole was answered nevertheless. */
  get isAnswered(): boolean {
    return this.#last?.req.complete === false && this.#last.headersSent
  }

  /** Closes it if answers wait for its client, which has taken no byte for too long, however many answers there are. */
  closeIfStuck(now: number): void {
    const taken = takenBytes(this.#socket)
    if (this.#socket.writableLength === 0 || taken > this.#taken) this.#progressAt = now
    this.#taken = taken
    if (now - this.#progressAt >= maxStuckMs) this.#socket.destroy()
  }
}

function onceSent(answer: ServerResponse | undefined, run: () => void): void {
  if (answer === undefined || answer.closed) run()
  else answer.once('close', run)
}

/**
 * How many bytes of a connection the system has taken. `bytesWritten` of the socket counts waiting bytes, too, and Node
 * documents nothing else; the handle has what Node's own timeouts read.
 */
function takenBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  return numberOf(handle, 'bytesWritten') - numberOf(handle, 'writeQueueSize')
}

function numberOf(handle: unknown, name: string): number {
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : undefined
  return typeof value === 'number' ? value : 0
}

function ignore(): void {}

/** A request without its body, in no more bytes than it came in. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let at = 0; at < rawHeaders.length; at += 2) text += `${rawHeaders[at]}:${rawHeaders[at + 1]}\r\n`
  return Buffer.from(`${text}\r\n`, 'latin1')
}

/** An HTTP server that takes the requests of each connection in turn, and closes connections that are stuck. */
export class OrderedServer extends Server {
  /** The connection whose client ends its side just now. */
  #ending: Socket | undefined
  readonly #open = new Set<Socket>()
  /** Connections with requests that had to wait, and need to no longer. */
  readonly #waiting: Socket[] = []

  constructor(options: ServerOptions, onRequest: RequestListener) {
    super({ ...options, IncomingMessage: OrderedRequest }, (incoming, outgoing) => {
      connectionOf(incoming.socket).begin(outgoing)
      onRequest(incoming, outgoing)
    })
    this.on('connection', (socket: Socket) => {
      if (this.#open.has(socket)) return
      this.#open.add(socket)
      // In front of Node's own listener, which asks then whether that side may stay open.
      socket.prependListener('end', () => (this.#ending = socket))
      socket.once('close', () => this.#open.delete(socket))
    })
    this.on('upgrade', (early: IncomingMessage, socket: Socket, rest: Buffer) =>
      connectionOf(socket).putBack(early, rest, () => this.#readLater(socket)),
    )
    this.once('listening', () => {
      // The event loop may have been blocked: the system takes what its clients have room for before the check.
      const sweep = setInterval(() => setImmediate(() => this.#closeStuck()), sweepMs)
      sweep.unref()
      this.once('close', () => clearInterval(sweep))
    })
  }

  /**
   * Read by Node where a client ends its side. Unless it is allowed, Node ends the other side, too, and the answers to
   * requests that had to wait would be lost. Where none had to, it stays so: a client that is gone looks the same.
   */
  get httpAllowHalfOpen(): boolean {
    return this.#ending !== undefined && connectionOf(this.#ending).hasWaited
  }

  /** Node sets it to false when it makes a server. */
  set httpAllowHalfOpen(_allowed: boolean) {}

  /** Also those that wait, which Node has left. */
  override closeAllConnections(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #closeStuck(): void {
    const now = monotonicNow()
    for (const socket of this.#open) connectionOf(socket).closeIfStuck(now)
  }

  #readLater(socket: Socket): void {
    if (this.#waiting.push(socket) === 1) setImmediate(() => this.#goOn())
  }

  #goOn(): void {
    for (const socket of this.#waiting.splice(0, mostPerTurn)) {
      if (socket.destroyed) continue
      socket.off('readable', ignore)
      // The timeout between two requests began with the last answer.
      socket.setTimeout(0)
      connectionOf(socket).grant()
      this.emit('connection', socket)
      // Node takes a connection for one that its parser reads from, and starts reading whenever it is resumed, until
      // somebody listens for data.
      socket.on('data', ignore).off('data', ignore)
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#goOn())
  }
}
