// The listeners that are connected to this process, and the attempts that they make for the sandbox.
import { durationMs } from '../runtime/duration.ts'
import { failedAttempt, type AttemptOutcome } from './attempts.ts'
import type { Delivery } from './delivery.ts'
import type { WebhookDescription } from './description-type.ts'
import { listenerWaitMs, reportWaitMs, type SendToListener } from './listener-delivery.ts'
import type { FoundAttempt } from './next-attempt.ts'
import { waitUntil, type Listen } from './wait-until.ts'

/** The conditions under which an attempt of a listener begins and ends. */
export interface ListenerWait {
  readonly listen: Listen
  /** Whether the attempt has an outcome, or no longer matters. */
  isOver(): boolean
}

export class Listeners {
  readonly #connected = new Map<string, SendToListener>()
  readonly #notify: () => void

  /** @param notify called after a listener was connected or disconnected. */
  constructor(notify: () => void) {
    this.#notify = notify
  }

  /** Connects a listener in place of an earlier one. @returns a function that disconnects it. */
  connect(endpointId: string, send: SendToListener): () => void {
    this.#connected.set(endpointId, send)
    this.#notify()
    return () => {
      if (this.#connected.get(endpointId) !== send) return
      this.#connected.delete(endpointId)
      this.#notify()
    }
  }

  /**
   * Waits for the listener of an endpoint, and for its report.
   * @returns 'reported' if it is over after it was sent; undefined if it was over before.
   */
  async deliver(
    { event, attempt, endpoint }: FoundAttempt,
    { headers, body }: Delivery,
    description: WebhookDescription,
    { listen, isOver }: ListenerWait,
  ): Promise<AttemptOutcome | 'reported' | undefined> {
    const current = (): SendToListener | undefined => this.#connected.get(endpoint.id)
    await waitUntil(listen, () => isOver() || current() !== undefined, listenerWaitMs)
    if (isOver()) return undefined
    const send = current()
    if (!send)
      return failedAttempt(`no listener was connected within ${listenerWaitMs / 1000} s: run events listen`)
    const timeout = durationMs(description.timeout) ?? 0
    send({
      event_id: event.id,
      n: attempt.n,
      endpoint_id: endpoint.id,
      type: event.type,
      timeout_ms: timeout,
      request: { method: 'POST', headers, body },
    })
    await waitUntil(listen, () => isOver() || current() !== send, timeout + reportWaitMs)
    if (isOver()) return 'reported'
    return failedAttempt(
      current() === send ? 'the listener has not reported an answer' : 'the listener has disconnected',
    )
  }
}
