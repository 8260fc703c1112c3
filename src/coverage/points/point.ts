// The types of contract points: a point, the recipe that exercises it, and the facet that declares points of one kind.
import type { Assumptions } from '../../contract/assumptions.ts'
import type { CredentialForm } from '../../contract/credentials.ts'
import type { ErrorType } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Environment } from '../../contract/versions.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { InFlightCall } from '../../call/index.ts'

/** One promise of the contract that a partner's tests can exercise. */
export interface ContractPoint {
  /** Stable and unique, such as `updateReward/error/REWARD_NOT_FOUND_ERROR`. */
  id: string
  /** The operation id. */
  operation: string
  sentence: string
  /** The section of the contract that defines it. */
  section: string
}

/** The context that decides which points exist, in addition to the endpoint declarations. */
export interface PointContext {
  values: Assumptions
  environment: Environment
}

/** A point as its facet declares it. */
export interface Draft {
  /** The id without the operation. */
  name: string
  sentence: string
  section: string
  /** The inputs of a call that exercises it. */
  recipe: Recipe
}

/**
 * The difference between a call that exercises a point and a plain valid call of its operation. It is data:
 * `reports/exercise.ts` builds a request from it, and that code is loaded only when a caller requests a report.
 */
export interface Recipe {
  credential?: CredentialForm | 'none' | 'unusable'
  key?: { has: Scope } | { lacks: Scope } | 'of several products' | 'of no scopes'
  /** The value of `x-service-version`. */
  version?: string
  /** The product that `x-service-merchant-key` selects. */
  product?: 'own' | 'unknown'
  /** Query parameters by their declared names; a list is sent as a repeated parameter. */
  query?: Readonly<Record<string, string | readonly string[]>>
  /** Replaces the usual body. */
  body?: unknown
  /** Overrides fields of the usual body. */
  fields?: Readonly<Record<string, unknown>>
  /** The parameter or field whose value must match no row. */
  unknown?: string
  /** Selects the row that the call addresses. */
  about?: (row: Readonly<Record<string, unknown>>) => boolean
  /** An enum field and the value of it that the answer must show. */
  shows?: { field: string; value: string }
  /** The page of a list to request. */
  page?: 'first' | 'middle' | 'last' | 'only' | 'empty' | 'beyond'
  /** An error that the operation declares. */
  error?: ErrorType
  /** A built-in scenario, for this call only. */
  scenario?: string
}

/** Counts one call for the point at this index of an endpoint's list. `undefined` counts nothing. */
export interface Counter {
  hit(place: number | undefined): void
}

/** Examines one call of an endpoint. It runs for every request, so it must cost almost nothing. */
export type Watch = (call: InFlightCall, counter: Counter) => void

/** Returns the index of a named point in its endpoint's list; undefined if there is no such point. */
export type PlaceOf = (name: string) => number | undefined

/**
 * One kind of contract points: it declares the points of an endpoint, and detects the calls that exercise them. To add
 * a kind, add a file and a line in `index.ts`.
 */
export interface Facet {
  points(endpoint: Endpoint, context: PointContext): readonly Draft[]
  /** Creates the watch of an endpoint. It is called once, and only for endpoints that have points of this kind. */
  watch(endpoint: Endpoint, placeOf: PlaceOf, context: PointContext): Watch
}
