// Keeps the answers of one connection in order: limits on pipelined requests, waiting requests, the last answer.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most requests of a connection that run, or have run, before their answers are sent. */
const maxBegun = 16

/** A connection begins no further request while this many bytes of its answers are unsent. */
const maxUnsent = 64 * 1024

const orders = new WeakMap<Socket, AnswerOrder>()

/** The order of a connection, from its first request on. */
export function answerOrderOf(socket: Socket): AnswerOrder {
  let order = orders.get(socket)
  if (!order) orders.set(socket, (order = new AnswerOrder(socket)))
  return order
}

export class AnswerOrder {
  readonly #socket: Socket
  /** The answers to the last two requests that began. All earlier answers are written, and Node sends them first. */
  #last: ServerResponse | undefined
  #lastButOne: ServerResponse | undefined
  /** How many more requests may begin before the answers are sent: now, and once the connection is read again. */
  #ahead = 0
  #granted = 0
  /** Bytes of the answers that are written but unsent, without the last answer. */
  #unsent = 0
  #isRefused = false
  #hasWaited = false

  constructor(socket: Socket) {
    this.#socket = socket
    // Node listens for errors only while it owns the socket.
    socket.on('error', AnswerOrder.ignore)
  }

  static ignore(): void {}

  /** A request was put back, so its answer may come after the client has closed its side. */
  get hasWaited(): boolean {
    return this.#hasWaited
  }

  /** The next request has to wait for answers to those before it (RFC 9112, 9.3.2). */
  get isBusy(): boolean {
    const last = this.#last
    if (last === undefined || last.closed) return false
    return !last.writableEnded || this.#ahead === 0 || this.#unsent + last.writableLength >= maxUnsent
  }

  /** A request begins. */
  begin(outgoing: ServerResponse): void {
    // Node assigns the socket to an answer only once all earlier answers are sent.
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

  /** Puts an early request back into the socket, in front of the bytes after it, until the earlier answers are sent. */
  putBack(head: Buffer, rest: Buffer, onReady: () => void): void {
    const socket = this.#socket
    const last = this.#last
    this.#hasWaited = true
    if (rest.length > 0) socket.unshift(rest)
    socket.unshift(head)
    // Node no longer listens to the socket, and an answer that is still streaming waits for `drain`.
    const drained = (): void => void last?.emit('drain')
    socket.on('drain', drained)
    // Node may still resume the socket for those answers. Without a reader, bytes that arrive then would be lost.
    socket.on('readable', AnswerOrder.ignore)
    onceSent(last, () => {
      socket.off('drain', drained)
      onReady()
    })
  }

  /** Allows further requests to begin, from the request that was put back. */
  grant(): void {
    this.#granted = maxBegun - 1
  }

  /**
   * Ends the connection with a last answer, which is written by hand, once all pending answers are sent.
   * @param write receives whether the request was answered already, which can happen to an incomplete request, and whether
   * it has reached the app.
   */
  refuse(write: (isAnswered: boolean, isCall: boolean) => void): void {
    if (this.#isRefused) return
    this.#isRefused = true
    const last = this.#last
    const isCall = last?.req.complete === false
    const refuse = (): void => write(isCall && last.headersSent, isCall)
    if (isCall) this.afterEarlier(refuse)
    else onceSent(last, refuse)
  }

  /** Calls back once the answers to all requests before the last are sent. */
  afterEarlier(run: () => void): void {
    onceSent(this.#lastButOne, run)
  }
}

function onceSent(answer: ServerResponse | undefined, run: () => void): void {
  if (answer === undefined || answer.closed) run()
  else answer.once('close', run)
}
