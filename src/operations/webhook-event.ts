// A webhook event as a program sees it, and the error of a wait for events: a program that imports the library loads this
// file, and not the operations.
import type { AttemptFault, DeliveryState, EventSource, EventType } from '../contract/event-types.ts'
import { ConflictError } from '../input/refusals.ts'

/** One attempt to deliver an event. */
export interface EventDelivery {
  /** Counts the attempts of the event, over all endpoints. */
  n: number
  /** Null if no endpoint receives the event. */
  endpoint_id: string | null
  /** When it is due, on the clock of the sandbox (RFC 3339). */
  due: string
  /** When it was made; null if it was not. */
  at: string | null
  state: DeliveryState
  /** The status of the answer; null without one. */
  status: number | null
  /** The reason of the state, such as `answered 500`. */
  reason: string
  /** The first 2 kB of the body of the answer, with secrets masked; missing if it was empty. */
  response_body?: string
  /** The faults that a scenario adds to it, such as `bad_signature`. */
  faults?: readonly AttemptFault[]
}

/** A webhook event. */
export interface WebhookEvent {
  id: string
  type: EventType
  /** When it happened, on the clock of the sandbox (RFC 3339). */
  time: string
  source: EventSource
  /** The resource after the change, as the API returns it. */
  data: Record<string, unknown>
  /** The call that caused it; null if none did. */
  request_id: string | null
  deliveries: EventDelivery[]
  /** The rules of scenarios that changed its deliveries, such as `event-duplicate#1`. */
  scenario_rules?: readonly string[]
}

/** Thrown when too few events exist after the timeout. */
export class EventsTimeoutError extends ConflictError {
  override name = 'EventsTimeoutError'
  /** The events that there are since `since`, of any type and source. */
  readonly events: WebhookEvent[]

  constructor(message: string, events: WebhookEvent[]) {
    super(message)
    this.events = events
  }
}
