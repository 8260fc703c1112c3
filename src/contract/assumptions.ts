// The catalogue of assumptions: questions that the contract leaves open, and how this sandbox answers them.
// Each entry is one decision: the question, the section of the contract that leaves it open, our default, the
// alternatives that a user can switch to, and the effect of the value. An entry without alternatives is a boundary:
// something that this sandbox does not serve, or leaves as free as the contract does.
// Code that depends on an entry reads it by `assume(id)`, which also records it for the `x-sandbox-assumptions` header.
// The rule: an answer names an entry if one of its alternatives would have changed this answer. So code calls `assume`
// only where the values make a difference, and reads `values` everywhere else.
// The entries are declared in the order in which partners probably meet them, the most likely first. Headers and lists
// use this order.
import type { AssumptionEntry } from './assumptions/assumption-entry.ts'
import { metFirst } from './assumptions/met-first.ts'
import { metOften } from './assumptions/met-often.ts'
import { metRarely } from './assumptions/met-rarely.ts'

export const assumptionCatalogue = { ...metFirst, ...metOften, ...metRarely } as const

/** The id of an assumption, such as `not_found_status`. */
export type AssumptionId = keyof typeof assumptionCatalogue

/** A value that an assumption can take. */
export type AssumptionValue<Id extends AssumptionId> = (typeof assumptionCatalogue)[Id]['default']

/** The current value of every assumption. */
export type Assumptions = { readonly [Id in AssumptionId]: AssumptionValue<Id> }

/** Returns the current value of an assumption, and records that the current answer depends on it. */
export type Assume = <Id extends AssumptionId>(id: Id) => AssumptionValue<Id>

/** Returns the default of an assumption and its alternatives. */
export function valuesOf<Id extends AssumptionId>(id: Id): readonly AssumptionValue<Id>[] {
  return allValues[id]
}

/** Returns the values that a setting can choose without another option. */
export function settableValuesOf<Id extends AssumptionId>(id: Id): readonly AssumptionValue<Id>[] {
  const { describedBy = {} }: AssumptionEntry = assumptionCatalogue[id]
  return valuesOf(id).filter((value) => !Object.hasOwn(describedBy, value))
}

type AllValues = { readonly [Id in AssumptionId]: readonly AssumptionValue<Id>[] }

/** Computed once, because list pages read it with every call. */
const allValues = Object.fromEntries(
  Object.entries(assumptionCatalogue).map(([id, { default: defaultValue, alternatives }]) => [
    id,
    [defaultValue, ...alternatives],
  ]),
) as unknown as AllValues

/** Every assumption id, in the order of the catalogue. */
export const assumptionIds: readonly AssumptionId[] = Object.keys(assumptionCatalogue) as AssumptionId[]
