// The parts of a description that one delivery cannot decide, each with the reason.

/** A part of a description that one delivery cannot decide. */
export interface Undecided {
  /** The part, such as `retries`, `headers.x-version` or `body.data`. */
  readonly at: string
  /** Why it is undecided, and what the description has. */
  readonly why: string
}

/** Collects undecided parts, each reason of a part once. */
export class UndecidedList {
  readonly #all: Undecided[] = []

  add(at: string, why: string): void {
    if (!this.#all.some((one) => one.at === at && one.why === why)) this.#all.push({ at, why })
  }

  get all(): readonly Undecided[] {
    return this.#all
  }
}
