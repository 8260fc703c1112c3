// A queue for each name: work for one name runs in sequence, and concurrently with work for other names.
export class NameQueue {
  readonly #tails = new Map<string, Promise<void>>()

  /** Settles once the queue of a name is empty; undefined where it is empty. */
  get(name: string): Promise<void> | undefined {
    return this.#tails.get(name)
  }

  all(): Iterable<Promise<void>> {
    return this.#tails.values()
  }

  /** Runs work after all earlier work for the name. */
  enqueue(name: string, work: () => Promise<void>): Promise<void> {
    const run = (this.#tails.get(name) ?? Promise.resolve()).then(work)
    const ended = run
      .catch(() => undefined)
      .finally(() => {
        if (this.#tails.get(name) === ended) this.#tails.delete(name)
      })
    this.#tails.set(name, ended)
    return run
  }
}
