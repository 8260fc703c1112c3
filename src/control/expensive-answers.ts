// Limits the expensive answers of the control plane: two run concurrently, and a bounded number waits in order.
import type { Slot } from '../http/context.ts'
import { onceAborted } from '../runtime/wait.ts'
import { Refusal } from './refusal.ts'

/** Maximum number of expensive answers that run concurrently. */
const maxActive = 2

/** Maximum number of expensive answers that wait. */
const maxWaiting = 256

/** @example const slot = await answers.slotFor(goneSignal(request, env)) */
export class ExpensiveAnswers {
  #active = 0
  /** In the order of arrival. */
  readonly #waiting = new Set<() => void>()

  /**
   * Waits for a slot.
   * @param gone aborts when the client no longer waits.
   * @throws {Refusal} if too many answers wait, or the client disconnects.
   */
  async slotFor(gone: AbortSignal): Promise<Slot> {
    if (this.#waiting.size >= maxWaiting) {
      const message = `${maxWaiting} expensive answers are queued: retry after a second.`
      throw new Refusal('UNAVAILABLE', message, { 'retry-after': '1' })
    }
    const slot = { enter: () => this.#enter(gone), leave: () => this.#leave() }
    await slot.enter()
    return slot
  }

  #enter(gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        stopListening()
        this.#active++
        resolve()
      }
      this.#waiting.add(start)
      const stopListening = onceAborted(gone, () => {
        if (!this.#waiting.delete(start)) return
        reject(new Refusal('UNAVAILABLE', 'The connection of the client is lost.'))
      })
      this.#startNext()
    })
  }

  #leave(): void {
    this.#active--
    this.#startNext()
  }

  #startNext(): void {
    const [first] = this.#waiting
    if (this.#active >= maxActive || !first) return
    this.#waiting.delete(first)
    first()
  }
}
