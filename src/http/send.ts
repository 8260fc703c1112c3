// Sends an answer: straight to a socket, which saves building a web Response and taking it apart again; or as a
// Response to a caller in this process, or as word that there is none.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { lossOf, type Outcome } from '../call/outcome.ts'
import { setMaxListeners } from 'node:events'
import { untilAborted } from '../runtime/wait.ts'
import { isLoss, type Loss } from '../scenarios/consequences.ts'
import { drainBody } from './body/read-body.ts'
import { lightResponse } from './light-response.ts'
import { spoilOnSocket, spoiledResponse } from './scenarios/transport-faults.ts'

/** @param unread a body that nobody reads: the answer is sent at once, and ends when the body has come. */
export function sendOnSocket(
  answer: Outcome,
  method: string,
  outgoing: ServerResponse,
  closing: AbortSignal,
  unread?: IncomingMessage,
): void {
  const length = measure(answer)
  // A client may be gone by now; there is nobody to tell.
  if (outgoing.headersSent || outgoing.destroyed) return
  outgoing.sendDate = false
  const { status, body, fault } = answer
  if (fault) return spoilOnSocket(answer, fault, outgoing, closing)
  outgoing.writeHead(status, answer.rawHeaders)
  const shown = method === 'HEAD' ? null : body
  const drained = unread && drainBody(unread)
  if (drained) {
    if (shown === null || length === 0) outgoing.flushHeaders()
    else outgoing.write(shown)
    void drained.then(() => outgoing.end())
    return
  }
  // Text of nothing but ASCII is the same bytes in Latin-1, which needs no encoding.
  if (typeof shown === 'string' && shown.length === length) outgoing.end(shown, 'latin1')
  else outgoing.end(shown ?? undefined)
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
    // One that waits behind another answer of its connection is told nothing when that is lost. There may be many.
    setMaxListeners(0, socket)
    socket.once('close', done)
  })
}

/** How a call in this process ends: with a response, or with a lost connection. */
export type Ending = ({ response: Response } | { lost: Loss }) & {
  /** Settles when it has ended, where it does so later. */
  sent?: Promise<void>
}

export function toResponse(
  answer: Outcome,
  method: string,
  gone: () => AbortSignal,
  closing: AbortSignal,
): Ending {
  measure(answer)
  const { status, body, fault } = answer
  const lost = lossOf(answer, method)
  if (lost === 'hang') return { lost, sent: untilAborted(gone(), closing) }
  if (lost) return { lost }
  const isHead = method === 'HEAD'
  if (fault && !isLoss(fault)) return spoiledResponse(answer, fault, isHead, closing, gone())
  if (isHead || typeof body !== 'string' || !mayHaveBody(status)) {
    return { response: new Response(isHead ? null : body, { status, headers: answer.headers }) }
  }
  return { response: lightResponse(answer, body) }
}

/** Statuses beyond these are for Node to refuse. */
function mayHaveBody(status: number): boolean {
  return status >= 200 && status <= 599 && status !== 204 && status !== 205 && status !== 304
}

/** Has the headers tell how many bytes the body has. */
export function measure(answer: Outcome): number {
  const { body } = answer
  if (body === null) return 0
  const length = Buffer.byteLength(body)
  answer.measured(length)
  return length
}
