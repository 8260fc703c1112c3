// The attempts of a webhook event in words: the latest ones, and those that a resend made.
import type { EventDelivery, WebhookEvent } from '../../operations/workspace-events.ts'

/** The latest attempt to each endpoint. */
export function latestAttempts(deliveries: readonly EventDelivery[]): EventDelivery[] {
  return [...new Map(deliveries.map((attempt) => [attempt.endpoint_id, attempt])).values()]
}

/** The message of a resend. @param before the event as it was before. */
export function resentText(before: WebhookEvent, { id, deliveries }: WebhookEvent): string {
  const earlier = new Set(before.deliveries.filter(({ at }) => at !== null).map(({ n }) => n))
  const made = deliveries.filter(({ n, at }) => at !== null && !earlier.has(n))
  if (made.length === 0) return `${id} was not sent: an attempt waits until it is due.`
  const texts = made.map(({ endpoint_id: to, state, reason }) => `${to} ${state} (${reason})`)
  return `Resent ${id}: ${texts.join(', ')}.`
}
