// Limits how many operations run concurrently.

/** Operations beyond the limit wait in the order of their calls. */
export class Limit {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
