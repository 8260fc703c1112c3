// What is made of a table's rows only when it is asked for, and is then brought up to date by what was written since.
import type { Difference, HashMap } from './hash-map.ts'

/** How something is made of all rows, or of what it was before and the rows that are different since. */
export interface Derivation<V extends object, T> {
  make(rows: HashMap<V>): T
  /** Leaves what it was before as it is: forks may have it too. */
  update(before: T, differences: readonly Difference<V>[]): T
}

/** The rows at some time, which nobody writes to, and what was made of them. Forks share it. */
interface Version<V extends object, T> {
  readonly rows: HashMap<V>
  made?: T
}

/**
 * A write costs nothing here: the rows of the last time are a fork, so what was written since is found by comparing.
 * That fork keeps rows that were replaced since, at most as many as there were then.
 */
export class Derived<V extends object, T> {
  readonly #derivation: Derivation<V, T>
  #last: Version<V, T>

  constructor(derivation: Derivation<V, T>, rows: HashMap<V>) {
    this.#derivation = derivation
    this.#last = { rows: rows.fork() }
  }

  /** The same that goes its own way from here. */
  fork(): Derived<V, T> {
    const fork = new Derived(this.#derivation, this.#last.rows)
    fork.#last = this.#last
    return fork
  }

  /** Lets all forks to come share what the first of them makes of these rows, where most are new. */
  share(rows: HashMap<V>): void {
    if (this.#isFarBehind(rows)) this.#last = { rows: rows.fork() }
  }

  /** Takes what is known already of these rows. */
  begin(rows: HashMap<V>, made: T): void {
    this.#last = { rows: rows.fork(), made }
  }

  /** What the rows give as they are now. */
  of(rows: HashMap<V>): T {
    this.share(rows)
    const { rows: earlier } = this.#last
    const made = (this.#last.made ??= this.#derivation.make(earlier))
    const differences = earlier.diff(rows)
    if (differences.length === 0) return made
    const updated = this.#derivation.update(made, differences)
    this.#last = { rows: rows.fork(), made: updated }
    return updated
  }

  /** Whether it costs less to begin anew. */
  #isFarBehind(rows: HashMap<V>): boolean {
    return rows.size > 2 * this.#last.rows.size
  }
}
