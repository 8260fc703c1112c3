// The assumptions: what the contract leaves open, and what this sandbox does about it.
// Each entry is one decision: the question, the section of the contract that leaves it open, our default, the
// alternatives a user can switch to, and what the value changes. An entry without alternatives is a boundary:
// something that this sandbox does not serve, or leaves as free as the contract does.
// Code that rests on an entry reads it through `assume(id)`, which also notes it for the answer's
// `x-sandbox-assumptions` header. One rule says when: an answer names an entry when one of its alternatives would have
// changed this answer. So code asks `assume` where the values part, and looks at `values` anywhere else.
// Each file of assumptions/ has those of one part of the contract, in the order in which all of them are listed.
import { aboutService } from './assumptions/about-service.ts'
import { aboutAuthentication } from './assumptions/about-authentication.ts'
import { aboutRoutes } from './assumptions/about-routes.ts'
import { aboutRequests } from './assumptions/about-requests.ts'
import { aboutIntents } from './assumptions/about-intents.ts'
import { aboutPaymentMethods } from './assumptions/about-payment-methods.ts'
import { aboutCustomers } from './assumptions/about-customers.ts'
import { aboutStatements } from './assumptions/about-statements.ts'
import { aboutRewards } from './assumptions/about-rewards.ts'
import { aboutOrderEvents } from './assumptions/about-order-events.ts'
import { aboutKeys } from './assumptions/about-keys.ts'

export const assumptionCatalogue = {
  ...aboutService,
  ...aboutAuthentication,
  ...aboutRoutes,
  ...aboutRequests,
  ...aboutIntents,
  ...aboutPaymentMethods,
  ...aboutCustomers,
  ...aboutStatements,
  ...aboutRewards,
  ...aboutOrderEvents,
  ...aboutKeys,
} as const

/** The id of an assumption, such as `not_found_status`. */
export type AssumptionId = keyof typeof assumptionCatalogue

/** The values an assumption can take. */
export type AssumptionValue<Id extends AssumptionId> = (typeof assumptionCatalogue)[Id]['default']

/** The value in force of every assumption. */
export type Assumptions = { readonly [Id in AssumptionId]: AssumptionValue<Id> }

/** Reads the value in force, and notes that the answer under way rests on it. */
export type Assume = <Id extends AssumptionId>(id: Id) => AssumptionValue<Id>

/** The default of an assumption and its alternatives. */
export function valuesOf<Id extends AssumptionId>(id: Id): readonly AssumptionValue<Id>[] {
  return allValues[id]
}

type AllValues = { readonly [Id in AssumptionId]: readonly AssumptionValue<Id>[] }

/** Kept, as pages ask for them with every call. */
const allValues = Object.fromEntries(
  Object.entries(assumptionCatalogue).map(([id, { default: usual, alternatives }]) => [
    id,
    [usual, ...alternatives],
  ]),
) as unknown as AllValues

/** Every assumption id, in the order of the catalogue; headers and lists use this order. */
export const assumptionIds: readonly AssumptionId[] = Object.keys(assumptionCatalogue) as AssumptionId[]
