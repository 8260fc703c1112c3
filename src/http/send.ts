// Sends an answer: straight to a socket, which saves building a web Response and taking it apart again; or as a
// Response to a caller in this process, or as word that there is none.
import type { ServerResponse } from 'node:http'
import type { Became } from '../exchange/became.ts'
import { lightResponse } from './light-response.ts'
import { isLoss, type Loss } from '../scenarios/consequences.ts'
import { spoilOnSocket, spoiledResponse } from './scenarios/transport-faults.ts'

export function sendOnSocket(
  answer: Became,
  method: string,
  outgoing: ServerResponse,
  closing: AbortSignal,
): void {
  const length = measure(answer)
  // A client may be gone by now; there is nobody to tell.
  if (outgoing.headersSent || outgoing.destroyed) return
  outgoing.sendDate = false
  const { status, body, fault } = answer
  if (fault) return spoilOnSocket(answer, fault, outgoing, closing)
  outgoing.writeHead(status, answer.rawHeaders)
  if (method === 'HEAD') outgoing.end()
  // Text of nothing but ASCII is the same bytes in Latin-1, which needs no encoding.
  else if (typeof body === 'string' && body.length === length) outgoing.end(body, 'latin1')
  else outgoing.end(body ?? undefined)
}

export function toResponse(
  answer: Became,
  method: string,
  gone: () => AbortSignal,
  closing: AbortSignal,
): { response: Response } | { lost: Loss } {
  measure(answer)
  const { status, body, fault } = answer
  if (isLoss(fault)) return { lost: fault }
  const isHead = method === 'HEAD'
  if (fault) return { response: spoiledResponse(answer, fault, isHead, closing, gone()) }
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
function measure(answer: Became): number {
  const { body } = answer
  if (body === null) return 0
  const length = Buffer.byteLength(body)
  answer.measured(length)
  return length
}
