// What is done for a name one after the other, beside what is done for other names.
export class TurnsByName {
  readonly #turns = new Map<string, Promise<void>>()

  /** Settles once nothing is done for a name any more. */
  get(name: string): Promise<void> | undefined {
    return this.#turns.get(name)
  }

  all(): Iterable<Promise<void>> {
    return this.#turns.values()
  }

  /** Does something once it is its turn. */
  take(name: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(work)
    const ended = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#turns.get(name) === ended) this.#turns.delete(name)
      })
    this.#turns.set(name, ended)
    return turn
  }
}
