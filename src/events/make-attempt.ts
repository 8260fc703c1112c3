// Makes one attempt: calls a handler in process, or sends the delivery to a URL.
import { durationMs } from '../runtime/duration.ts'
import { afterMachineTime } from '../runtime/machine-timers.ts'
import { onceAborted } from '../runtime/wait.ts'
import { failedAttempt, type AttemptOutcome } from './attempts.ts'
import { containerHint } from './container-hint.ts'
import type { Delivery } from './delivery.ts'
import type { WebhookDescription } from './description-type.ts'
import type { Endpoint, WebhookHandler } from './endpoints.ts'
import { failureOf, outcomeOf, outcomeOfStatus, readBeginning } from './handler-answer.ts'
import { AddressRefusedError, sendToUrl, type SendOptions } from './send-to-url.ts'

/** The address of requests to receivers in process. */
export const noAddress = 'http://receiver.invalid/'

/** The rules of an attempt. */
export interface AttemptOptions extends Omit<SendOptions, 'hintFor'> {
  readonly description: WebhookDescription
  /** Hides secrets in a text. */
  hide(text: string): string
}

/** Makes an attempt, within the timeout of the description. Never rejects. */
export async function makeAttempt(
  { url, handler }: Pick<Endpoint, 'url' | 'handler'>,
  delivery: Delivery,
  { description, hide, signal, ...send }: AttemptOptions,
): Promise<AttemptOutcome> {
  const stop = new AbortController()
  const endAbort = onceAborted(signal, () => stop.abort(signal.reason))
  const cancelTimeout = afterMachineTime(durationMs(description.timeout) ?? 0, () => {
    stop.abort(new Error(`did not answer within ${description.timeout}`))
  })
  try {
    if (handler) return await callHandler(handler, delivery, stop.signal, description)
    const options = { ...send, signal: stop.signal, hintFor: containerHint }
    return outcomeOfStatus(await sendToUrl(url ?? noAddress, delivery, options), description)
  } catch (error) {
    const text = handler || !(error instanceof Error) ? failureOf(error) : error.message
    const failed = failedAttempt(hide(text))
    return error instanceof AddressRefusedError ? { ...failed, state: 'skipped' } : failed
  } finally {
    cancelTimeout()
    endAbort()
  }
}

async function callHandler(
  handler: WebhookHandler,
  { headers, body }: Delivery,
  signal: AbortSignal,
  description: WebhookDescription,
): Promise<AttemptOutcome> {
  const request = new Request(noAddress, { method: 'POST', headers, body, signal })
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const called = (async () => handler(request))()
  const answer: unknown = await Promise.race([called, aborted])
  return outcomeOf(answer, await readBeginning(answer, signal), description)
}
