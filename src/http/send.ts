// Sends an answer: straight to the socket where there is one, which saves building a web Response and taking it
// apart again; as a Response to an in-process caller, or as word that there is none.
import type { IncomingMessage } from 'node:http'
import { drainBody } from './body/read-body.ts'
import type { Bindings } from './context.ts'
import type { Answer } from '../exchange/became.ts'
import type { Caller } from './caller.ts'
import { isLoss } from '../scenarios/consequences.ts'
import { spoilOnSocket, spoiledResponse } from './scenarios/transport-faults.ts'

/** @param unread a body that nobody reads: the answer is sent at once, and ends when the body has come. */
export function send(
  answer: Answer,
  method: string,
  caller: Pick<Caller, 'gone'>,
  { outgoing, sent, lost }: Bindings,
  closing: AbortSignal,
  unread?: IncomingMessage,
): Response {
  const { status, headers, body, fault } = answer
  const isHead = method === 'HEAD'
  const length = body === null ? 0 : Buffer.byteLength(body)
  if (body !== null) headers['content-length'] = String(length)
  const shown = isHead ? null : body
  if (!outgoing || !sent) {
    if (isLoss(fault)) {
      lost?.(fault)
      return new Response(null)
    }
    return fault
      ? spoiledResponse(answer, fault, isHead, closing, caller.gone())
      : new Response(shown, { status, headers })
  }
  // A client may be gone by now; there is nobody to tell.
  if (!outgoing.headersSent && !outgoing.destroyed) {
    outgoing.sendDate = false
    if (fault) {
      spoilOnSocket(answer, fault, outgoing, closing)
      return sent
    }
    outgoing.writeHead(status, headers)
    const drained = unread && drainBody(unread)
    if (drained) {
      if (shown === null || length === 0) outgoing.flushHeaders()
      else outgoing.write(shown)
      void drained.then(() => outgoing.end())
      return sent
    }
    // Text of nothing but ASCII is the same bytes in Latin-1, which needs no encoding.
    if (typeof shown === 'string' && shown.length === length) outgoing.end(shown, 'latin1')
    else outgoing.end(shown ?? undefined)
  }
  return sent
}
