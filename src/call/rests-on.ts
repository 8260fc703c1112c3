// The assumptions that an answer rests on, as one of the few sets that occur: each is created, sorted and formatted
// once.
import { assumptionIds, type AssumptionId } from '../contract/assumptions.ts'

/**
 * A set of assumptions, shared by all calls that recorded the same ones in the same order. Recording another one leads
 * to another set: this saves a list per call, and sorting and joining it, which takes 0.8 µs of a search.
 */
export class RestsOn {
  /** In the order of the catalogue. */
  readonly ids: readonly AssumptionId[]
  /** As header text. */
  readonly text: string
  readonly #and = new Map<AssumptionId, RestsOn>()

  constructor(ids: readonly AssumptionId[]) {
    this.ids = Object.freeze(ids.toSorted((a, b) => assumptionIds.indexOf(a) - assumptionIds.indexOf(b)))
    this.text = this.ids.join(', ')
  }

  /** Returns the set that also has this one. */
  and(id: AssumptionId): RestsOn {
    let further = this.#and.get(id)
    if (!further) {
      further = this.ids.includes(id) ? this : new RestsOn([...this.ids, id])
      this.#and.set(id, further)
    }
    return further
  }
}

/** The set of an answer that follows from the contract alone. */
export const onNothing = new RestsOn([])
