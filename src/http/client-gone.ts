// Whether a client is gone, and when all of its answer is sent.
import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Bindings } from './context.ts'

/**
 * Aborted when the answer is sent or the connection is lost, also where that was before. In process: when the caller
 * gives up.
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

/** Keeps a request in memory as long as its signal, or a copy of it: Node aborts no signal of a collected request. */
export function keepAlive(by: AbortSignal | Request, request: Request): void {
  kept.set(by, request)
}

/** The signal of a request, also once only the signal is in use. */
export function signalOf(request: Request): AbortSignal {
  keepAlive(request.signal, request)
  return request.signal
}

/** Settles when all of an answer is sent or its connection is lost; undefined where that is so by now. */
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
    // An answer that waits behind others of its connection emits no `close` when that is lost. There may be many.
    setMaxListeners(0, socket)
    socket.once('close', done)
  })
}
