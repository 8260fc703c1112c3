// The attempts of a webhook event in words: the latest ones, and those that a resend made.
import type { EventDelivery, WebhookEvent } from '../../operations/webhook-event.ts'

/** The latest attempt to each endpoint. */
export function latestAttempts(deliveries: readonly EventDelivery[]): EventDelivery[] {
  return [...new Map(deliveries.map((attempt) => [attempt.endpoint_id, attempt])).values()]
}

/** How an attempt compares with the one before it. */
export type Verdict = 'fixed' | 'still failing' | 'regressed'

/** Compares an attempt with the last one before it that was made to its endpoint; undefined if both succeeded. */
export function verdictOf(
  deliveries: readonly EventDelivery[],
  { n, endpoint_id: endpoint, state }: EventDelivery,
): Verdict | undefined {
  const before = deliveries.findLast((one) => one.n < n && one.endpoint_id === endpoint && isMade(one.state))
  if (!before || !isMade(state)) return undefined
  if (state === 'delivered') return before.state === 'failed' ? 'fixed' : undefined
  return before.state === 'failed' ? 'still failing' : 'regressed'
}

const isMade = (state: EventDelivery['state']): boolean => state === 'delivered' || state === 'failed'

/** The message of a resend. @param before the event as it was before. */
export function resentText(before: WebhookEvent, { id, deliveries }: WebhookEvent): string {
  const earlier = new Set(before.deliveries.filter(({ at }) => at !== null).map(({ n }) => n))
  const made = deliveries.filter(({ n, at }) => at !== null && !earlier.has(n))
  if (made.length === 0) return `${id} was not sent: an attempt waits until it is due.`
  const texts = made.map((attempt) => {
    const verdict = verdictOf(deliveries, attempt)
    const { endpoint_id: to, state, reason } = attempt
    return `${to} ${state} (${reason})${verdict === undefined ? '' : `, ${verdict}`}`
  })
  return `Resent ${id}: ${texts.join(', ')}.`
}
