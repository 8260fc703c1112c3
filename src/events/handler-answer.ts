// The outcome of an attempt by the answer of its receiver: accepted, refused, or none.
import { onceAborted } from '../runtime/wait.ts'
import { failedAttempt, type AttemptOutcome } from './attempts.ts'
import type { WebhookDescription } from './description-type.ts'
import { beginningOf, maxRead } from './response-body.ts'

/** The answer of a receiver. */
export interface ReceiverAnswer {
  readonly status: number
  /** The target of a redirect, which is not followed. */
  readonly location?: string | undefined
  /** The beginning of its body. */
  readonly body?: string | undefined
  /** Its header `retry-after`. */
  readonly retryAfter?: string | undefined
}

/** Returns the outcome of an attempt by the answer of its handler. @param body the beginning of its body. */
export function outcomeOf(answer: unknown, body: string, description: WebhookDescription): AttemptOutcome {
  const status = statusOf(answer)
  if (status === undefined) return failedAttempt('the handler returned no Response')
  const headerOf = (name: string): string | undefined =>
    answer instanceof Response ? (answer.headers.get(name) ?? undefined) : undefined
  const [location, retryAfter] = [headerOf('location'), headerOf('retry-after')]
  return outcomeOfStatus({ status, location, body, retryAfter }, description)
}

/** Maximum length of the address of a redirect in a reason. */
const maxLocation = 300

/** Returns the outcome of an attempt by the answer of its receiver. */
export function outcomeOfStatus(
  { status, location, body, retryAfter }: ReceiverAnswer,
  { success, disable_on, give_up_on }: WebhookDescription,
): AttemptOutcome {
  const isAccepted = success === '2xx' ? status >= 200 && status <= 299 : success.includes(status)
  const answered = `answered ${status}`
  if (isAccepted) return { state: 'delivered', status, reason: answered, disables: false, body }
  const disables = disable_on?.includes(status) === true
  const isRedirect = status >= 300 && status <= 399 && location
  const target = isRedirect ? `, a redirect to ${shortened(location)}, which is not followed` : ''
  const isFinal = give_up_on?.includes(status) === true
  const effect = disables ? ', which disabled the endpoint' : isFinal ? ', which is final' : ''
  const reason = answered + target + effect
  return { state: 'failed', status, reason, disables, isFinal, body, retryAfter }
}

const shortened = (location: string): string =>
  location.length > maxLocation ? `${location.slice(0, maxLocation)}…` : location

/**
 * Reads the beginning of the body of an answer, and discards the rest: one that came over a connection would hold that
 * until it is read. The status alone is the outcome, so an error in the body counts for nothing.
 */
export async function readBeginning(answer: unknown, signal: AbortSignal): Promise<string> {
  if (!(answer instanceof Response) || !answer.body || answer.bodyUsed || answer.body.locked) return ''
  const reader = answer.body.getReader()
  const discard = (): void => void reader.cancel().catch(() => undefined)
  const endAbort = onceAborted(signal, discard)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size < maxRead) {
      const { value, done } = await reader.read()
      if (done || !(value instanceof Uint8Array)) break
      chunks.push(value)
      size += value.length
    }
  } catch {
    // The receiver ended its answer early.
  } finally {
    endAbort()
    discard()
  }
  return beginningOf(Buffer.concat(chunks))
}

/** A Response of another realm is no instance of this one's class. */
function statusOf(answer: unknown): number | undefined {
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return undefined
  const { status } = answer
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined
}

/** Returns the reason of an attempt whose handler threw or was too slow. */
export function failureOf(error: unknown): string {
  const message = textOf(error)
  return message.startsWith('did not answer') ? message : `threw: ${message}`
}

/** The text of any value that a handler throws. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'a value without a text'
  }
}
