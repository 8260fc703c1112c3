// The slots of a sandbox for attempts over a network, which all its workspaces share.
import { soon } from '../runtime/machine-timers.ts'

/** Maximum number of attempts in flight in all workspaces of a sandbox. */
const maxInFlight = 64

export class DeliverySlots {
  #used = 0
  #isNotifying = false
  /** Called when a slot is free, in the order in which they began to wait. */
  readonly #waiting = new Set<() => void>()

  get isFull(): boolean {
    return this.#used >= maxInFlight
  }

  take(): void {
    this.#used += 1
  }

  free(): void {
    this.#used -= 1
    this.#notify()
  }

  /** Calls a function once when a slot is free. Called while there is none. */
  wait(onFree: () => void): void {
    this.#waiting.add(onFree)
  }

  isWaiting(onFree: () => void): boolean {
    return this.#waiting.has(onFree)
  }

  stopWaiting(onFree: () => void): void {
    this.#waiting.delete(onFree)
  }

  /** Calls as many as there are free slots; it repeats, as one of them may no longer need its slot. */
  #notify(): void {
    if (this.#isNotifying || this.isFull || this.#waiting.size === 0) return
    this.#isNotifying = true
    soon(() => {
      this.#isNotifying = false
      for (const onFree of [...this.#waiting].slice(0, maxInFlight - this.#used)) {
        this.#waiting.delete(onFree)
        onFree()
      }
      this.#notify()
    })
  }
}
