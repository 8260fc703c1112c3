// Detects that a client has disconnected, and that its answer is completely sent.
import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Bindings } from './context.ts'

/**
 * A signal that aborts when the answer is sent or the connection is lost, also if that has already happened. In
 * process: when the caller aborts its request.
 */
export function goneSignal(request: Request, { outgoing }: Bindings): AbortSignal {
  if (!outgoing) return signalOf(request)
  const gone = new AbortController()
  const sending = untilSent(outgoing)
  if (sending === undefined) gone.abort()
  else void sending.then(() => gone.abort())
  return gone.signal
}

const kept = new WeakMap<AbortSignal | Request, Request>()

/**
 * Holds a request in memory as long as its signal or its copy: Node does not abort the signal of a request that is
 * garbage-collected.
 */
export function keepAlive(by: AbortSignal | Request, request: Request): void {
  kept.set(by, request)
}

/** The signal of a request, which works even when only the signal is still referenced. */
export function signalOf(request: Request): AbortSignal {
  keepAlive(request.signal, request)
  return request.signal
}

/** Resolves when all of an answer is sent or its connection is lost; undefined if that has already happened. */
export function untilSent(outgoing: ServerResponse): Promise<void> | undefined {
  const { socket } = outgoing.req
  if (outgoing.destroyed || socket.destroyed) return undefined
  if (outgoing.writableEnded && outgoing.writableLength === 0) return undefined
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('close', done)
      socket.off('close', done)
      resolve()
    }
    outgoing.once('close', done)
    // An answer that waits behind others emits no `close` when its connection is lost, so listen to the socket, too.
    // Many answers may wait on one socket: lift the limit of listeners.
    setMaxListeners(0, socket)
    socket.once('close', done)
  })
}
