// The changes of the events of a workspace: notifies listeners of each, and waits for a condition about them.
import { machineWait } from '../runtime/machine-timers.ts'

export class Changes {
  readonly #listeners = new Set<() => void>()
  #next: Promise<void> | undefined

  /** Calls a function after each change. @returns a function that stops this. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  notify(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Settles after the next change. */
  next(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      const stop = this.listen(() => {
        stop()
        this.#next = undefined
        resolve()
      })
    })
    return this.#next
  }

  /** Waits until a condition holds, or for a time (ms) of the machine. @returns false if the time has passed. */
  async until(condition: () => boolean, milliseconds: number): Promise<boolean> {
    // Not a comparison of times, which a test may fake.
    let isOver = milliseconds === 0
    const end = machineWait(milliseconds)
    const ended = end.ended.finally(() => {
      isOver = true
    })
    try {
      while (!condition()) {
        if (isOver) return false
        await Promise.race([this.next(), ended])
      }
      return true
    } finally {
      end.cancel()
    }
  }
}
