// Marks parts of the OpenAPI document with the assumptions that they rest on.
import { assumptionIds, type Assume, type AssumptionId, type Assumptions } from '../contract/assumptions.ts'

/**
 * Returns `x-assumption` for a part that rests on these assumptions, in the order of the catalogue; nothing for none.
 *
 * @example marks(['create_status'])   // { 'x-assumption': ['create_status'] }
 */
export function marks(ids: unknown): { 'x-assumption'?: readonly AssumptionId[] } {
  const named = new Set(Array.isArray(ids) ? ids : [ids])
  const known = assumptionIds.filter((id) => named.has(id))
  return known.length === 0 ? {} : { 'x-assumption': known }
}

/** Reads assumptions for one part of the document, and records which ones the part rests on. */
export function recordReads(values: Assumptions): { assume: Assume; noted: AssumptionId[] } {
  const noted: AssumptionId[] = []
  return {
    noted,
    assume(id) {
      noted.push(id)
      return values[id]
    },
  }
}
