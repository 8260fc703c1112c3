// Group commit: one save for all writes that are waiting.
import { yieldToEventLoop } from '../../runtime/event-loop.ts'

interface Waiter {
  resolve(this: void): void
  reject(this: void, error: unknown): void
  /** Whether `drop` skips it. */
  isLasting: boolean
}

/**
 * A caller that waits for a save joins a list. One loop takes the whole list, saves once, and settles the list.
 * Callers that arrive during a save share the next one, so that a caller waits for two saves at most.
 */
export class GroupCommit {
  readonly #save: () => Promise<void>
  #waiting: Waiter[] = []
  /** The callers that wait for the save that is running. */
  #settling: Waiter[] = []
  #isAsked = false
  #running: Promise<void> | undefined

  /** @param save saves everything that was written before the call. */
  constructor(save: () => Promise<void>) {
    this.#save = save
  }

  /** Requests a save of everything written so far, without waiting for it. */
  ask(): void {
    this.#isAsked = true
    this.#running ??= this.#run()
  }

  /**
   * Settles with the next save.
   * @param isLasting whether `drop` skips it: the change is in the state, whatever is written over it.
   */
  saved(isLasting = false): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject, isLasting })
      this.ask()
    })
  }

  /** Rejects the callers that wait for state that was replaced. */
  drop(error: unknown): void {
    this.#reject(error, ({ isLasting }) => !isLasting)
  }

  #reject(error: unknown, isMeant: (waiter: Waiter) => boolean): void {
    const waiters = [...this.#settling, ...this.#waiting]
    this.#settling = this.#settling.filter((waiter) => !isMeant(waiter))
    this.#waiting = this.#waiting.filter((waiter) => !isMeant(waiter))
    for (const waiter of waiters) if (isMeant(waiter)) waiter.reject(error)
  }

  /** Resolves as soon as nothing is being saved and no caller waits. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // All writes of this iteration of the event loop are saved together.
    await yieldToEventLoop()
    while (this.#isAsked) {
      this.#isAsked = false
      this.#settling = this.#waiting
      this.#waiting = []
      try {
        await this.#save()
        for (const waiter of this.#settling) waiter.resolve()
      } catch (error) {
        // Writes that arrived during the failed save build on changes that were not saved.
        this.#reject(error, () => true)
      }
      this.#settling = []
    }
    this.#running = undefined
  }
}
