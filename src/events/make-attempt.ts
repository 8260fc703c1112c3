// Makes one attempt: calls a handler in process, or sends the delivery to a URL.
import { durationMs } from '../runtime/duration.ts'
import { afterMachineTime } from '../runtime/machine-timers.ts'
import { onceAborted } from '../runtime/wait.ts'
import { failedAttempt, type AttemptOutcome } from './attempts.ts'
import { containerHint } from './container-hint.ts'
import { requestHeaders, type Delivery } from './delivery.ts'
import type { WebhookDescription } from './description-type.ts'
import type { Endpoint, WebhookHandler } from './endpoints.ts'
import { failureOf, outcomeOf, outcomeOfStatus, readBeginning } from './handler-answer.ts'
import { AddressRefusedError, sendToUrl, type SendOptions } from './send-to-url.ts'

/** The address of requests to receivers in process. */
export const noAddress = 'http://receiver.invalid/'

/** The rules of an attempt. */
export interface AttemptOptions extends Omit<SendOptions, 'hintFor' | 'insecure'> {
  readonly description: WebhookDescription
  /** Hides secrets in a text. */
  hide(text: string): string
}

/** Makes an attempt, within the timeout of the description. Never rejects. */
export async function makeAttempt(
  { url, handler, insecure }: Pick<Endpoint, 'url' | 'handler' | 'insecure'>,
  delivery: Delivery,
  { description, hide, signal, ...send }: AttemptOptions,
): Promise<AttemptOutcome> {
  const stop = new AbortController()
  const endAbort = onceAborted(signal, () => stop.abort(signal.reason))
  const cancelTimeout = afterMachineTime(durationMs(description.timeout) ?? 0, () => {
    stop.abort(new Error(`did not answer within ${description.timeout}`))
  })
  try {
    const options = { ...send, insecure, signal: stop.signal, hintFor: containerHint }
    const outcome = handler
      ? await callHandler(handler, delivery, stop.signal, description)
      : outcomeOfStatus(await sendToUrl(url ?? noAddress, delivery, options), description)
    return { ...outcome, reason: hide(outcome.reason) }
  } catch (error) {
    const text = handler || !(error instanceof Error) ? failureOf(error) : error.message
    const failed = failedAttempt(hide(text))
    return error instanceof AddressRefusedError ? { ...failed, state: 'skipped' } : failed
  } finally {
    cancelTimeout()
    endAbort()
  }
}

/** The size of the chunks in which a large body arrives, as over a connection. */
const chunkBytes = 64 * 1024

/** Returns a body that a handler reads in chunks if it is large. */
function inChunks(body: string): string | Blob {
  if (body.length <= chunkBytes) return body
  const bytes = Buffer.from(body)
  const count = Math.ceil(bytes.length / chunkBytes)
  return new Blob(
    Array.from({ length: count }, (_, index) => bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  )
}

async function callHandler(
  handler: WebhookHandler,
  delivery: Delivery,
  signal: AbortSignal,
  description: WebhookDescription,
): Promise<AttemptOutcome> {
  const headers = requestHeaders(delivery)
  const request = new Request(noAddress, { method: 'POST', headers, body: inChunks(delivery.body), signal })
  let endAbort = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    endAbort = onceAborted(signal, () => reject(signal.reason))
  })
  try {
    const called = (async () => handler(request))()
    const answer: unknown = await Promise.race([called, aborted])
    return outcomeOf(answer, await readBeginning(answer, signal), description)
  } finally {
    // The request's finalizer retains the signal, so a listener that refers to the request would retain both forever.
    endAbort()
  }
}
