// Handles the requests of a connection in order: a client may send the next before it reads an answer (RFC 9112, 9.3.2).
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** The most requests of a connection whose answers are not sent; one more closes it. */
const maxWaiting = 100

/** How many waiting requests of a connection are handled before it yields to other connections. */
const maxHandledBeforeYield = 16

interface Order {
  /** Settles once the answers to all requests are sent, and to all but the last. */
  all: Promise<void>
  earlier: Promise<void>
  last?: ServerResponse
  waiting: number
  /** A refusal is written after the answers, and ends the connection. */
  isEnding?: true
}

const orders = new WeakMap<Socket, Order>()

/** The order of a connection, from its first request on. */
export function requestOrder(socket: Socket): Order {
  let order = orders.get(socket)
  if (!order) orders.set(socket, (order = { all: Promise.resolve(), earlier: Promise.resolve(), waiting: 0 }))
  return order
}

/** Handles a request once the answers to all earlier ones are sent, unless its client is gone by then. */
export function handleInOrder(answer: ServerResponse, handle: () => void): void {
  const { socket } = answer.req
  const order = requestOrder(socket)
  order.last = answer
  if (++order.waiting > maxWaiting) return void socket.destroy()
  order.earlier = order.all
  order.all = handleAfterEarlier(order, answer, handle)
}

async function handleAfterEarlier(order: Order, answer: ServerResponse, handle: () => void): Promise<void> {
  const { socket } = answer.req
  const mustYield = order.waiting > maxHandledBeforeYield
  // Most clients wait for each answer, and then nothing is earlier.
  if (order.waiting > 1) await order.earlier
  if (mustYield && socket.writable) await setImmediate()
  if (socket.writable) {
    const sent = new Promise((resolve) => answer.once('close', resolve))
    handle()
    await sent
  }
  order.waiting -= 1
}
