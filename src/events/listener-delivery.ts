// The delivery that a listener gets and sends to its receiver, whose answer it then reports.
import type { EventType } from '../contract/event-types.ts'

/** A delivery for a listener. */
export interface ListenerDelivery {
  readonly event_id: string
  readonly n: number
  readonly endpoint_id: string
  readonly type: EventType
  /** How long its receiver may take (ms). */
  readonly timeout_ms: number
  readonly request: {
    readonly method: 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** The report of a listener about an attempt. */
export interface ListenerReport {
  /** The status of the answer; null without one. */
  readonly status: number | null
  /** The address of a redirect, which is not followed. */
  readonly location?: string | undefined
  readonly duration_ms: number
  /** The beginning of the body of the answer. */
  readonly body?: string | undefined
  /** Its header `retry-after`. */
  readonly retry_after?: string | undefined
  /** Why it failed, if it got no complete answer. */
  readonly error?: string | undefined
}

/** Sends a delivery to a listener. */
export type SendToListener = (delivery: ListenerDelivery) => void

/** How long a delivery waits for its listener, on the clock of the machine (ms). */
export const listenerWaitMs = 30_000

/** How long a listener may take to report, beyond the timeout of its receiver (ms). */
export const reportWaitMs = 5_000
