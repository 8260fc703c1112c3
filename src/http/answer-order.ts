// The order of answers on one connection: which are due, and what comes after them.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests of a connection are begun, at most, whose answers are not sent yet. */
const maxBegun = 16

/** No more requests of a connection are begun while so many bytes of answers are not sent. */
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
  /** The answers to the last two requests that were begun: those before are written, and sent before them. */
  #last: ServerResponse | undefined
  #lastButOne: ServerResponse | undefined
  /** How many more may be begun before the answers are sent, now and when the connection is read again. */
  #ahead = 0
  #granted = 0
  /** Bytes of answers that are written and not sent, without the last. */
  #unsent = 0
  #isRefused = false
  #hasWaited = false

  constructor(socket: Socket) {
    this.#socket = socket
    // Node listens only while the socket is its own.
    socket.on('error', AnswerOrder.ignore)
  }

  static ignore(): void {}

  /** A request was put back: its answer may come after the client has ended its side. */
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
  putBack(head: Buffer, rest: Buffer, onReady: () => void): void {
    const socket = this.#socket
    const last = this.#last
    this.#hasWaited = true
    if (rest.length > 0) socket.unshift(rest)
    socket.unshift(head)
    // Node has left the socket, and an answer that is still streaming waits for this.
    const drained = (): void => void last?.emit('drain')
    socket.on('drain', drained)
    // Node may still resume it for those answers, and what came would be lost without a reader.
    socket.on('readable', AnswerOrder.ignore)
    onceSent(last, () => {
      socket.off('drain', drained)
      onReady()
    })
  }

  /** Lets requests be begun again from where one was put back. */
  grant(): void {
    this.#granted = maxBegun - 1
  }

  /**
   * Ends the connection with a last answer, which is written by hand, once all that are due are sent.
   * @param write gets whether the request was answered nevertheless: one that did not come whole may be.
   */
  refuse(write: (isAnswered: boolean) => void): void {
    if (this.#isRefused) return
    this.#isRefused = true
    const last = this.#last
    const refuse = (): void => write(last?.req.complete === false && last.headersSent)
    if (last?.req.complete === false) this.afterEarlier(refuse)
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
