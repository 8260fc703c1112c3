import { giveWay } from '../../runtime/give-way.ts'

interface Waiter {
  resolve(this: void): void
  reject(this: void, error: unknown): void
}

/**
 * Saves for many at once: who wants to know that something is saved joins a list; one loop takes the whole list, saves
 * once, and settles it. Those who come meanwhile share the next save, so that nobody waits for more than two.
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

  /** Settles with the save that comes next. */
  saved(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.ask()
    })
  }

  /** Rejects everybody who waits: what they wrote is not there any more. */
  drop(error: unknown): void {
    const dropped = [...this.#settling, ...this.#waiting]
    this.#settling = []
    this.#waiting = []
    for (const waiter of dropped) waiter.reject(error)
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
        this.drop(error)
      }
      this.#settling = []
    }
    this.#running = undefined
  }
}
