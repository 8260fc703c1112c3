// Group commit, a queue of writers: saves for many waiters at once.
import { giveWay } from '../../runtime/give-way.ts'

interface Waiter {
  resolve(this: void): void
  reject(this: void, error: unknown): void
  /** Whether a `drop` passes it over. */
  isLasting: boolean
}

/**
 * Who wants to know that something is saved joins a list; one loop takes the whole list, saves once, and settles it.
 * Those who come meanwhile share the next save, so that nobody waits for more than two.
 */
export class Pump {
  readonly #save: () => Promise<void>
  #waiting: Waiter[] = []
  /** Who waits for the save that runs. */
  #settling: Waiter[] = []
  #isAsked = false
  #running: Promise<void> | undefined

  /** @param save saves everything that was written before it is called. */
  constructor(save: () => Promise<void>) {
    this.#save = save
  }

  /** Has everything saved that was written so far, without waiting for it. */
  ask(): void {
    this.#isAsked = true
    this.#running ??= this.#run()
  }

  /**
   * Settles with the save that comes next.
   * @param isLasting whether a `drop` passes it over: what was written is done, whatever is written over it.
   */
  saved(isLasting = false): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject, isLasting })
      this.ask()
    })
  }

  /** Rejects everybody who waits for what is not there any more. */
  drop(error: unknown): void {
    this.#reject(error, ({ isLasting }) => !isLasting)
  }

  #reject(error: unknown, isMeant: (waiter: Waiter) => boolean): void {
    const waiters = [...this.#settling, ...this.#waiting]
    this.#settling = this.#settling.filter((waiter) => !isMeant(waiter))
    this.#waiting = this.#waiting.filter((waiter) => !isMeant(waiter))
    for (const waiter of waiters) if (isMeant(waiter)) waiter.reject(error)
  }

  /** Resolves once nothing is being saved and nobody waits. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // All that is written in this turn of the event loop is saved together.
    await giveWay()
    while (this.#isAsked) {
      this.#isAsked = false
      this.#settling = this.#waiting
      this.#waiting = []
      try {
        await this.#save()
        for (const waiter of this.#settling) waiter.resolve()
      } catch (error) {
        // What came meanwhile was written on top of what was not saved.
        this.#reject(error, () => true)
      }
      this.#settling = []
    }
    this.#running = undefined
  }
}
