import type { AssumptionId } from './assumptions.ts'
import type { Outcome } from './outcomes.ts'

/**
 * Every error the sandbox answers with, once (contract: Errors).
 *
 * Shape A `{path, details[], error, status, timestamp}`, shape B `{"error": {type, message}}`,
 * shape C `{type, message, param}`. A status or type that the contract does not show names its assumption.
 *
 * Messages of not-found errors name no id: an id that belongs to another product must get the same bytes as one
 * that nobody has.
 */
interface ErrorRow {
  shape: 'A' | 'B' | 'C'
  status: number
  /** The assumption that decides the status, where the contract shows none. */
  statusFrom?: AssumptionId
  /** The assumption that decides the type in the body, where the contract shows none. */
  typeFrom?: AssumptionId
  /** Shape C: the offending parameter. */
  param?: string
  message: string
  /** What it means in the journal. */
  outcome: Outcome
  /** Headers that go with it, by the rules of HTTP. */
  headers?: Readonly<Partial<Record<ErrorHeader, string>>>
  /** Every operation can answer with it once a version is chosen, so that none declares it. */
  everywhere?: true
  /** The assumption that says whether it occurs at all, where the contract does not. */
  occursFrom?: AssumptionId
}

/** A header that goes with an error whatever the call is. */
export type ErrorHeader = 'retry-after'

export const errorCatalogue = {
  // Shown by the contract
  BAD_REQUEST_ERROR: {
    shape: 'B',
    status: 400,
    everywhere: true,
    message: 'The request is invalid.',
    outcome: 'invalid',
  },
  CUSTOMER_NOT_FOUND_ERROR: {
    shape: 'C',
    status: 404,
    statusFrom: 'not_found_status',
    param: 'customer_id',
    message: 'No customer has this customer_id.',
    outcome: 'not_found',
  },
  PAYMENT_METHOD_NOT_FOUND_ERROR: {
    shape: 'C',
    status: 404,
    statusFrom: 'not_found_status',
    param: 'payment_method_id',
    message: 'No payment method has this payment_method_id.',
    outcome: 'not_found',
  },
  // The service's own spelling: there is no NOT in it. Correcting it breaks clients that match on it.
  TRANSACTION_INTENT_FOUND_ERROR: {
    shape: 'C',
    status: 404,
    statusFrom: 'not_found_status',
    param: 'intent_id',
    message: 'No transaction intent has this intent_id.',
    outcome: 'not_found',
  },
  REWARD_NOT_FOUND_ERROR: {
    shape: 'C',
    status: 404,
    statusFrom: 'not_found_status',
    param: 'reward_id',
    message: 'No reward has this reward_id.',
    outcome: 'not_found',
  },

  /** The validation shape has no type; this name is ours and never leaves the sandbox. */
  VALIDATION_ERROR: { shape: 'A', status: 400, message: 'Bad Request', outcome: 'invalid' },

  // Not shown: statuses and type names are ours (assumption `error_types`)
  ACCOUNT_NOT_FOUND_ERROR: {
    shape: 'C',
    status: 404,
    statusFrom: 'not_found_status',
    param: 'account_id',
    message: 'No account of this customer has this account_id.',
    outcome: 'not_found',
  },
  UNAUTHORIZED_ERROR: {
    shape: 'B',
    status: 401,
    statusFrom: 'unauthenticated_status',
    typeFrom: 'unauthenticated_type',
    message: 'The API key is missing or not usable here.',
    outcome: 'unauthenticated',
  },
  FORBIDDEN_ERROR: {
    shape: 'B',
    status: 403,
    typeFrom: 'forbidden_type',
    message: 'The API key lacks a scope that this endpoint requires.',
    outcome: 'forbidden',
  },
  NOT_FOUND_ERROR: { shape: 'B', status: 404, message: 'Nothing is here.', outcome: 'unmatched' },
  METHOD_NOT_ALLOWED_ERROR: {
    shape: 'B',
    status: 405,
    statusFrom: 'wrong_method_status',
    message: 'This path does not have this method.',
    outcome: 'unmatched',
  },
  CONFLICT_ERROR: {
    shape: 'B',
    status: 409,
    message: 'The request conflicts with the current state.',
    outcome: 'refused',
  },
  PAYLOAD_TOO_LARGE_ERROR: {
    shape: 'B',
    status: 413,
    message: 'The request body is too large.',
    outcome: 'invalid',
  },
  UNSUPPORTED_MEDIA_TYPE_ERROR: {
    shape: 'B',
    status: 415,
    message: 'The request body must be application/json in UTF-8.',
    outcome: 'invalid',
  },
  RATE_LIMIT_ERROR: {
    shape: 'B',
    status: 429,
    everywhere: true,
    occursFrom: 'rate_limits',
    message: 'Too many requests.',
    outcome: 'refused',
    headers: { 'retry-after': '1' },
  },
  INTERNAL_ERROR: {
    shape: 'B',
    status: 500,
    everywhere: true,
    message: 'The sandbox could not complete the request.',
    outcome: 'error',
  },
  SERVICE_UNAVAILABLE_ERROR: {
    shape: 'B',
    status: 503,
    everywhere: true,
    message: 'The service is unavailable.',
    outcome: 'error',
  },

  // Refused before there is a request to speak of: garbage, oversized headers, slow senders
  REQUEST_TIMEOUT_ERROR: {
    shape: 'B',
    status: 408,
    message: 'The request was not sent in time.',
    outcome: 'invalid',
  },
  EXPECTATION_FAILED_ERROR: {
    shape: 'B',
    status: 417,
    message: 'Only Expect: 100-continue is supported.',
    outcome: 'invalid',
  },
  HEADERS_TOO_LARGE_ERROR: {
    shape: 'B',
    status: 431,
    message: 'The request headers are too large.',
    outcome: 'invalid',
  },
} as const satisfies Record<string, ErrorRow>

/** The name of an error in the catalogue, such as `REWARD_NOT_FOUND_ERROR`. */
export type ErrorType = keyof typeof errorCatalogue

/** The row of one error, with every optional column. */
export function errorRow(type: ErrorType): ErrorRow {
  return errorCatalogue[type]
}

export const errorTypes: readonly ErrorType[] = Object.keys(errorCatalogue) as ErrorType[]

/** The errors that every operation can answer with, whatever it declares. */
export const errorsEverywhere: readonly ErrorType[] = errorTypes.filter((type) => errorRow(type).everywhere)

/** What an error can say beyond its row. */
export interface ErrorDetails {
  message?: string
  /** Shape A: one string per violation, each naming the field and the rule. */
  details?: readonly string[]
  /** A status other than the row's, where an assumption of the endpoint decides it. */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** What it means in the journal, where that is not what the row says. */
  outcome?: Outcome
}

/**
 * A failure that the contract knows how to answer. Thrown by stages and handlers; `http/render-error.ts` turns it
 * into one of the three shapes.
 */
export class ApiError extends Error {
  readonly type: ErrorType
  readonly about: ErrorDetails

  constructor(type: ErrorType, about: ErrorDetails = {}) {
    super(about.message ?? errorCatalogue[type].message)
    this.type = type
    this.about = about
  }
}

/** The validation failure that lists these violations. */
export function validationError(details: readonly string[]): ApiError {
  return new ApiError('VALIDATION_ERROR', { details })
}
