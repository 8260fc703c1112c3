// The Response of an answered call, or the loss of it that a fault asks for.
import type { Call } from '../call/index.ts'
import type { Outcome } from '../call/outcome.ts'
import { drainBody } from './body/read-body.ts'
import type { AppContext } from './context.ts'
import type { ServedCall } from './served-call.ts'
import { faultyResponse } from './transport-faults.ts'

/**
 * Hands an answer to its client.
 * @param served the attempt that the request began with.
 * @throws {LostAnswerError} where a fault lost the answer.
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
  // There is nothing to send but the head. On a connection that stays open Node reads the rest of the body by itself.
  return outgoing?.shouldKeepAlive ? responseOf(outcome) : drained.then(() => responseOf(outcome))
}

export function responseOf({ status, headers, body }: Outcome): Response {
  return new Response(body, { status, headers })
}

/**
 * An answer to a client that may still be sending a body that no stage reads: it leaves now, and ends when that body has
 * come. A connection that is closed over unread bytes is reset, and the client would lose the answer.
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
