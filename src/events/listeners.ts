// The listeners that are connected to this process, and the attempts that they make for the sandbox.
import { durationMs } from '../runtime/duration.ts'
import { failedAttempt, type AttemptOutcome } from './attempts.ts'
import type { Delivery } from './delivery.ts'
import type { WebhookDescription } from './description-type.ts'
import { listenerWaitMs, reportWaitMs, type SendToListener } from './listener-delivery.ts'
import type { QueuedAttempt } from './delivery-queue.ts'
import type { Changes } from './changes.ts'

export class Listeners {
  readonly #connected = new Map<string, SendToListener>()
  readonly #changes: Changes

  constructor(changes: Changes) {
    this.#changes = changes
  }

  /** Connects a listener in place of an earlier one. @returns a function that disconnects it. */
  connect(endpointId: string, send: SendToListener): () => void {
    this.#connected.set(endpointId, send)
    this.#changes.notify()
    return () => {
      if (this.#connected.get(endpointId) !== send) return
      this.#connected.delete(endpointId)
      this.#changes.notify()
    }
  }

  /**
   * Waits for the listener of an endpoint, and for its report.
   * @param isOver whether the attempt has an outcome, or no longer matters.
   * @returns undefined if it is over.
   */
  async deliver(
    { event, attempt, endpoint }: QueuedAttempt,
    { headers, body }: Delivery,
    description: WebhookDescription,
    isOver: () => boolean,
  ): Promise<AttemptOutcome | undefined> {
    const current = (): SendToListener | undefined => this.#connected.get(endpoint.id)
    await this.#changes.until(() => isOver() || current() !== undefined, listenerWaitMs)
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
    await this.#changes.until(() => isOver() || current() !== send, timeout + reportWaitMs)
    if (isOver()) return undefined
    return failedAttempt(
      current() === send ? 'the listener has not reported an answer' : 'the listener has disconnected',
    )
  }
}
