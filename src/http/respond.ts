// Sends the Response of an answered call, or applies its transport fault.
import type { Call } from '../call/index.ts'
import type { Outcome } from '../call/outcome.ts'
import { drainBody } from './body/read-body.ts'
import type { AppContext } from './context.ts'
import type { ServedCall } from './served-call.ts'
import { faultyResponse } from './transport-faults.ts'

/**
 * Sends an answer to its client.
 * @param served the first attempt at the request.
 * @throws {LostAnswerError} if a fault lost the answer.
 */
export function respond(
  { request: { method }, outcome }: Call,
  { env: { outgoing } }: AppContext,
  { client, retryState, service: { closing } }: ServedCall,
): Response | Promise<Response> {
  if (outcome.fault !== undefined) {
    const onEnd = (): void => retryState.release()
    return faultyResponse(outcome, outcome.fault, { method, outgoing, gone: client.gone(), closing, onEnd })
  }
  retryState.release()
  const drained = retryState.received ? undefined : drainBody(client.body)
  if (!drained) return responseOf(outcome)
  if (outcome.body !== null && method !== 'HEAD') return whileDraining(outcome, outcome.body, drained)
  // The answer is only a head. On a connection that stays open, Node itself reads the rest of the request's body.
  return outgoing?.shouldKeepAlive ? responseOf(outcome) : drained.then(() => responseOf(outcome))
}

export function responseOf({ status, headers, body }: Outcome): Response {
  return new Response(body, { status, headers })
}

/**
 * Answers a client that may still be sending a body that no stage reads. The answer starts immediately and ends when
 * that body is drained: closing a connection with unread bytes resets it, and the client would lose the answer.
 */
function whileDraining(
  { status, headers }: Outcome,
  body: NonNullable<Outcome['body']>,
  drained: Promise<void>,
): Response {
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(body))
      await drained
      controller.close()
    },
  })
  return new Response(stream, { status, headers })
}
