// The outcome of an attempt by the answer of its receiver: accepted, refused, or none.
import type { AttemptOutcome } from './attempts.ts'
import type { WebhookDescription } from './description-type.ts'

/** Returns the outcome of an attempt by the answer of its handler. */
export function outcomeOf(answer: unknown, description: WebhookDescription): AttemptOutcome {
  const status = statusOf(answer)
  if (status === undefined) {
    return { state: 'failed', status: null, reason: 'the handler returned no Response', disables: false }
  }
  const location = answer instanceof Response ? answer.headers.get('location') : null
  return outcomeOfStatus({ status, location }, description)
}

/** Maximum length of the address of a redirect in a reason. */
const maxLocation = 300

/** Returns the outcome of an attempt by the status of the answer, and the address of a redirect. */
export function outcomeOfStatus(
  { status, location }: { status: number; location?: string | null | undefined },
  { success, disable_on }: WebhookDescription,
): AttemptOutcome {
  const isAccepted = success === '2xx' ? status >= 200 && status <= 299 : success.includes(status)
  if (isAccepted) return { state: 'delivered', status, reason: `answered ${status}`, disables: false }
  const disables = disable_on?.includes(status) === true
  const isRedirect = status >= 300 && status <= 399 && location
  const answered = isRedirect
    ? `answered ${status}, a redirect to ${shortened(location)}, which is not followed`
    : `answered ${status}`
  const reason = disables ? `${answered}, which disabled the endpoint` : answered
  return { state: 'failed', status, reason, disables }
}

const shortened = (location: string): string =>
  location.length > maxLocation ? `${location.slice(0, maxLocation)}…` : location

/** Discards the body of an answer: one that came over a connection would hold that until it is read. */
export function discardBody(answer: unknown): void {
  if (answer instanceof Response && !answer.bodyUsed) answer.body?.cancel().catch(() => undefined)
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
