// What a contract point is, what exercises it, and how a facet declares points of its kind.
import type { Assumptions } from '../../contract/assumptions.ts'
import type { CredentialForm } from '../../contract/credentials.ts'
import type { ErrorType } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Environment } from '../../contract/versions.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { InFlightCall } from '../../call/index.ts'

/** One thing the contract promises that a partner's tests can exercise. */
export interface ContractPoint {
  /** Stable and unique, such as `updateReward/error/REWARD_NOT_FOUND_ERROR`. */
  id: string
  /** The operation id. */
  operation: string
  sentence: string
  /** The section of the contract that it comes from. */
  section: string
}

/** What decides which points there are, beside the declarations. */
export interface World {
  values: Assumptions
  environment: Environment
}

/** A point as its facet declares it. */
export interface Draft {
  /** The id without the operation. */
  name: string
  sentence: string
  section: string
  /** What exercises it. */
  recipe: Recipe
}

/**
 * What a call needs beyond a plain good one of its operation. Data, from which `reports/exercise.ts` makes a request;
 * the code that does so is loaded only when somebody asks.
 */
export interface Recipe {
  credential?: CredentialForm | 'none' | 'unusable'
  key?: { has: Scope } | { lacks: Scope } | 'of several products' | 'of no scopes'
  /** The value of `x-service-version`. */
  version?: string
  /** What `x-service-merchant-key` names. */
  product?: 'own' | 'unknown'
  /** Query parameters by their declared names; a list is sent several times. */
  query?: Readonly<Record<string, string | readonly string[]>>
  /** Sent instead of the usual body. */
  body?: unknown
  /** Laid over the usual body. */
  fields?: Readonly<Record<string, unknown>>
  /** The parameter or field that is to name nothing. */
  unknown?: string
  /** The row that the call is to be about. */
  about?: (row: Readonly<Record<string, unknown>>) => boolean
  /** An enum field that the answer is to show this value of. */
  shows?: { field: string; value: string }
  /** Which page of a list to ask for. */
  page?: 'first' | 'middle' | 'last' | 'only' | 'empty' | 'beyond'
  /** An error that the operation declares. */
  error?: ErrorType
  /** A built-in scenario, for this call only. */
  scenario?: string
}

/** Counts one more call that exercised the point at this place of an endpoint's list; nothing for none. */
export interface Counter {
  hit(place: number | undefined): void
}

/** Looks at one call of an endpoint. Runs for every request, so it must cost next to nothing. */
export type Watch = (call: InFlightCall, counter: Counter) => void

/** The place of a point in the list of its endpoint, by its name; undefined where there is no such point. */
export type PlaceOf = (name: string) => number | undefined

/**
 * One kind of points: which an endpoint has, and when a call exercises them. A new kind is a new file and a line in
 * `index.ts`.
 */
export interface Facet {
  points(endpoint: Endpoint, world: World): readonly Draft[]
  /** Prepares the look at calls, once per endpoint; only asked for endpoints that have points of this kind. */
  watch(endpoint: Endpoint, placeOf: PlaceOf, world: World): Watch
}
