// Assumptions that are tied: only some values of one fit a value of the other. The catalogue declares a tie at one of the
// two; here it is read from both.
import { assumptionCatalogue, assumptionIds, valuesOf, type AssumptionId } from './assumptions.ts'
import type { AssumptionEntry } from './assumptions/assumption-entry.ts'

/** A tie, as one of its two assumptions sees it. */
export interface Tie {
  other: AssumptionId
  because: string
  /** Returns the values of the other assumption that fit a value of this one, in catalogue order. */
  fitting(value: string | number): readonly (string | number)[]
}

const ties: ReadonlyMap<string, Tie> = new Map(
  assumptionIds.flatMap((id): [AssumptionId, Tie][] => {
    const { fits }: AssumptionEntry = assumptionCatalogue[id]
    const other = assumptionIds.find((one) => one === fits?.with)
    if (!fits || !other) return []
    const { because, values } = fits
    const areFit = (own: string | number, others: string | number): boolean =>
      values[own]?.includes(others) ?? false
    return [
      [id, { other, because, fitting: (own) => valuesOf(other).filter((one) => areFit(own, one)) }],
      [other, { other: id, because, fitting: (others) => valuesOf(id).filter((one) => areFit(one, others)) }],
    ]
  }),
)

/** Returns the tie of an assumption, if it has one. */
export function tieOf(id: string): Tie | undefined {
  return ties.get(id)
}
