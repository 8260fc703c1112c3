// The attempts to deliver an event, as its row has them: planned, recorded, retried, skipped.
import { endOfTime } from '../runtime/clock.ts'
import { durationMs } from '../runtime/duration.ts'
import { maxAttempts, type EventRow } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import type { WebhookDescription } from './description-type.ts'
import type { Endpoint } from './endpoints.ts'
import { lastingFaults } from './faults.ts'

/** One attempt of an event. */
export type Attempt = EventRow['deliveries'][number]

/** The outcome of an attempt. */
export interface AttemptOutcome {
  readonly state: 'delivered' | 'failed' | 'skipped'
  /** The status of the answer; null without one. */
  readonly status: number | null
  readonly reason: string
  /** The answer disables the endpoint. */
  readonly disables: boolean
  /** The answer is final: a failed attempt is not repeated. */
  readonly isFinal?: boolean
  /** The beginning of the body of the answer. */
  readonly body?: string | undefined
  /** The header `retry-after` of the answer. */
  readonly retryAfter?: string | undefined
}

/** Maximum length of a stored reason. */
export const maxReason = 500

/** The outcome of an attempt that got no answer. */
export const failedAttempt = (reason: string): AttemptOutcome => ({
  state: 'failed',
  status: null,
  reason: reason.slice(0, maxReason),
  disables: false,
})

/** Returns the first attempts of a new event, one for each endpoint that receives it. */
export function firstAttempts(endpoints: readonly Endpoint[], due: string): Attempt[] {
  if (endpoints.length === 0) return [attempt(1, null, due, 'collected', 'no endpoint receives this type')]
  return endpoints.map(({ id }, index) => attempt(index + 1, id, due, 'waiting', 'the first attempt'))
}

/** Whether two attempts are made at the same time. */
export const isSamePair = (one: Attempt, other: Attempt): boolean =>
  one.endpoint_id === other.endpoint_id &&
  one.due === other.due &&
  [one, other].every(({ faults }) => faults?.includes('concurrent'))

/** An attempt that was not made. */
const attempt = (
  n: number,
  endpoint_id: string | null,
  due: string,
  state: Attempt['state'],
  reason: string,
): Attempt => ({ n, endpoint_id, due, at: null, state, status: null, reason })

/** Returns the attempts of an event with another one that is due then; it has the faults of every attempt. */
export function withAttempt(event: EventRow, endpointId: string, due: string, reason: string): Attempt[] {
  const { deliveries } = event
  const n = Math.max(0, ...deliveries.map((one) => one.n)) + 1
  const faults = lastingFaults(event)
  const next = attempt(n, endpointId, due, 'waiting', reason)
  return [...deliveries, faults.length === 0 ? next : { ...next, faults }]
}

/** Returns the attempts of an event that is sent again now: the one that waits, or another one. */
export function withAttemptNow(event: EventRow, endpointId: string, now: string): Attempt[] {
  const isOwn = (one: Attempt): boolean => one.endpoint_id === endpointId && one.state === 'waiting'
  const { deliveries } = event
  if (!deliveries.some(isOwn)) return withAttempt(event, endpointId, now, 'resent')
  const isDue = (one: Attempt): boolean => Date.parse(one.due) <= Date.parse(now)
  return deliveries.map((one) =>
    isOwn(one) && !isDue(one) ? { ...withoutHold(one), due: now, reason: 'resent' } : one,
  )
}

/** An attempt that no longer waits for the next event. */
function withoutHold({ faults = [], ...held }: Attempt): Attempt {
  const others = faults.filter((fault) => fault !== 'reorder')
  return others.length === 0 ? held : { ...held, faults: others }
}

/**
 * Records the outcome of an attempt, and plans the next one after a failure.
 * @param at when it began. @param now when it ended. @param wait how long the receiver asks to wait (ms).
 */
export function recordOutcome(
  tx: Transaction,
  event: EventRow,
  made: Attempt,
  { at, now, wait }: { at: string; now: string; wait: number },
  { state, status, reason, disables, isFinal = false, body = '' }: AttemptOutcome,
  description: WebhookDescription,
): void {
  const doneWith = (text: string): EventRow => ({
    ...event,
    deliveries: event.deliveries.map((one) =>
      one.n === made.n
        ? { ...one, at, state, status, reason: text, ...(body !== '' && { response_body: body }) }
        : one,
    ),
  })
  const done = doneWith(reason)
  const isRepeated = state === 'failed' && !disables && !isFinal
  const next = isRepeated ? retryOf(done, made, description, wait) : undefined
  if (!next) return void tx.put('events', done)
  if (done.deliveries.length >= maxAttempts) {
    const full = `not repeated, as an event has at most ${maxAttempts} attempts`
    return void tx.put('events', doneWith(`${reason}; ${full}`))
  }
  const deliveries = withAttempt(done, made.endpoint_id ?? '', later(now, next.after), next.reason)
  tx.put('events', { ...done, deliveries })
}

/** Returns when a failed attempt is repeated; undefined if it is the last one, or another one waits. */
function retryOf(
  { deliveries }: EventRow,
  { endpoint_id: endpoint }: Attempt,
  { retries }: WebhookDescription,
  wait: number,
): { after: number; reason: string } | undefined {
  if (retries === 'none') return undefined
  const own = deliveries.filter((one) => one.endpoint_id === endpoint)
  if (own.some(({ state }) => state === 'waiting')) return undefined
  // Duplicates are due at the same instant, and are one attempt.
  const made = new Set(own.map(({ due }) => due)).size
  const [step, limit] = retries.slice(made - 1).map((text) => durationMs(text) ?? 0)
  if (step === undefined) return undefined
  const after = Math.max(step, Math.min(wait, limit ?? step))
  const postponed = after > step ? ', postponed by Retry-After' : ''
  return { after, reason: `retry ${made} of ${retries.length}${postponed}` }
}

const later = (instant: string, ms: number): string =>
  new Date(Math.min(Date.parse(instant) + ms, endOfTime)).toISOString()
