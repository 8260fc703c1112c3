// The catalogue of errors that the sandbox answers with: type, status, shape and message (contract: Errors).
// Shape A `{path, details[], error, status, timestamp}`, shape B `{"error": {type, message}}`,
// shape C `{type, message, param}`. A status or type that the contract does not show names its assumption.
import type { Assume, AssumptionId } from './assumptions.ts'
import type { OutcomeName } from './outcomes.ts'

interface ErrorRow {
  shape: 'A' | 'B' | 'C'
  status: number
  /** The assumption that decides the status, where the contract shows none. */
  statusFrom?: AssumptionId
  /** The assumption that decides the type in the body, where the contract shows none. */
  typeFrom?: AssumptionId
  /** The type names a cause, so it fits any status that an assumption decides. */
  namesCause?: true
  /** Shape B: the fields that an answer can have in addition to type and message. */
  fields?: readonly ErrorField[]
  /** Shape C: the offending parameter; only a documented conflict has none. */
  param?: string
  message: string
  /** The outcome that the journal records. */
  outcome: OutcomeName
  /** Headers that HTTP requires for this error. */
  headers?: Readonly<Partial<Record<ErrorHeader, string>>>
  /** Every operation can answer with this error once a version is chosen, so no operation declares it. */
  everywhere?: true
  /**
   * The sandbox refuses the bytes before they become a request and reach the stages, so the answer names no version.
   */
  beforeRequest?: true
  /** The assumption that decides whether the error occurs at all, where the contract does not. */
  occursFrom?: AssumptionId
}

/** A field of shape B that only some errors have. */
export type ErrorField = 'existing_link'

/** A header that an error carries for every call. */
export type ErrorHeader = 'retry-after'

type Columns = Omit<ErrorRow, 'shape' | 'status' | 'message' | 'outcome'>

const shapeB = (status: number, message: string, outcome: OutcomeName, more: Columns = {}): ErrorRow => ({
  shape: 'B',
  status,
  message,
  outcome,
  ...more,
})

/** The message names no id: an id of another product and an unknown id must get identical bytes. */
const notFound = (noun: string, param: string): ErrorRow => ({
  shape: 'C',
  status: 404,
  statusFrom: 'not_found_status',
  param,
  message: `No ${noun} has this ${param}.`,
  outcome: 'not_found',
})

/** The errors that the contract shows. All other types are our assumptions (contract: Errors). */
const shownErrors = {
  BAD_REQUEST_ERROR: shapeB(400, 'The request is invalid.', 'invalid', { everywhere: true }),
  CUSTOMER_NOT_FOUND_ERROR: notFound('customer', 'customer_id'),
  PAYMENT_METHOD_NOT_FOUND_ERROR: notFound('payment method', 'payment_method_id'),
  // The service's own spelling, without NOT. Correcting it breaks clients that match on it.
  TRANSACTION_INTENT_FOUND_ERROR: notFound('transaction intent', 'intent_id'),
  REWARD_NOT_FOUND_ERROR: notFound('reward', 'reward_id'),
} satisfies Record<string, ErrorRow>

export const errorCatalogue = {
  ...shownErrors,

  /** The validation shape has no type. This name is internal and never leaves the sandbox. */
  VALIDATION_ERROR: { shape: 'A', status: 400, message: 'Bad Request', outcome: 'invalid' },

  // Not shown by the contract: statuses and type names are ours (docs/errors.md)
  ACCOUNT_NOT_FOUND_ERROR: notFound('account of this customer', 'account_id'),
  // The name is documented, without NOT: the transaction does not exist.
  TRANSACTION_FOUND_ERROR: notFound('transaction', 'transaction_id'),
  SESSION_NOT_FOUND_ERROR: notFound('session', 'session_id'),
  PARTNER_CUSTOMER_NOT_FOUND_ERROR: notFound('customer', 'partner_customer_id'),
  UNAUTHORIZED_ERROR: shapeB(401, 'The API key is missing or not usable here.', 'unauthenticated', {
    statusFrom: 'unauthenticated_status',
    typeFrom: 'unauthenticated_type',
  }),
  FORBIDDEN_ERROR: shapeB(403, 'The API key lacks a scope that this endpoint requires.', 'forbidden', {
    typeFrom: 'forbidden_type',
  }),
  NOT_FOUND_ERROR: shapeB(404, 'Nothing is here.', 'unmatched'),
  METHOD_NOT_ALLOWED_ERROR: shapeB(405, 'This path does not have this method.', 'unmatched'),
  // Documented with type and message at the top level, and without a parameter.
  SIMULATION_CONFLICT_ERROR: {
    shape: 'C',
    status: 409,
    message: 'The state of the transaction forbids this step.',
    outcome: 'refused',
  },
  CONFLICT_ERROR: shapeB(409, 'The request conflicts with the current state.', 'refused'),
  CUSTOMER_ALREADY_LINKED: shapeB(409, 'The link conflicts with another one.', 'refused', {
    typeFrom: 'link_conflict_type',
    namesCause: true,
    fields: ['existing_link'],
  }),
  PAYLOAD_TOO_LARGE_ERROR: shapeB(413, 'The request body is too large.', 'invalid'),
  UNSUPPORTED_MEDIA_TYPE_ERROR: shapeB(415, 'The request body must be application/json in UTF-8.', 'invalid'),
  RATE_LIMIT_ERROR: shapeB(429, 'Too many requests.', 'refused', {
    everywhere: true,
    occursFrom: 'rate_limits',
    headers: { 'retry-after': '1' },
  }),
  INTERNAL_ERROR: shapeB(500, 'The sandbox could not complete the request.', 'error', { everywhere: true }),
  SERVICE_UNAVAILABLE_ERROR: shapeB(503, 'The service is unavailable.', 'error', {
    everywhere: true,
    headers: { 'retry-after': '1' },
  }),

  // Refused before a request exists: garbage, oversized headers, slow senders
  REQUEST_TIMEOUT_ERROR: shapeB(408, 'The request was not sent in time.', 'invalid', { beforeRequest: true }),
  EXPECTATION_FAILED_ERROR: shapeB(417, 'Only Expect: 100-continue is supported.', 'invalid', {
    beforeRequest: true,
  }),
  HEADERS_TOO_LARGE_ERROR: shapeB(431, 'The request headers are too large.', 'invalid', {
    beforeRequest: true,
  }),
} satisfies Record<string, ErrorRow>

/** The name of an error in the catalogue, such as `REWARD_NOT_FOUND_ERROR`. */
export type ErrorType = keyof typeof errorCatalogue

/** Whether the contract shows an error type. */
export function isShownType(type: unknown): type is keyof typeof shownErrors {
  return typeof type === 'string' && Object.hasOwn(shownErrors, type)
}

/** Returns the row of one error, with every optional column. */
export function errorRow(type: ErrorType): ErrorRow {
  return errorCatalogue[type]
}

/**
 * Returns the type of shape B that matches the status of an answer: the error's own type if this is its usual status,
 * or the general type of that status. So a type never contradicts its status, whichever assumption decided the
 * status (contract: Errors). Shape C names the missing object, so it is the same for every status.
 *
 * @example answeredAs('METHOD_NOT_ALLOWED_ERROR', 404)   // 'NOT_FOUND_ERROR'
 */
export function answeredAs(type: ErrorType, status: number): ErrorType {
  const row = errorRow(type)
  return row.shape !== 'B' || row.namesCause || row.status === status ? type : (typeOfStatus[status] ?? type)
}

/**
 * Returns the type in the body of an answer: that of the catalogue, or that of the assumption that decides it.
 *
 * @example typeInForce('FORBIDDEN_ERROR', 403, (id) => values[id])   // 'PERMISSION_ERROR'
 */
export function typeInForce(type: ErrorType, status: number, assume: Assume): string {
  const shown = answeredAs(type, status)
  const { typeFrom } = errorRow(shown)
  if (typeFrom === undefined) return shown
  const decided = String(assume(typeFrom))
  return isErrorType(decided) ? answeredAs(decided, status) : decided
}

/** Whether a text is the type of an error in the catalogue. */
export const isErrorType = (type: string): type is ErrorType => Object.hasOwn(errorCatalogue, type)

const typeOfStatus: Readonly<Partial<Record<number, ErrorType>>> = {
  400: 'BAD_REQUEST_ERROR',
  401: 'UNAUTHORIZED_ERROR',
  403: 'FORBIDDEN_ERROR',
  404: 'NOT_FOUND_ERROR',
}

export const errorTypes: readonly ErrorType[] = Object.keys(errorCatalogue) as ErrorType[]

/** The errors that every operation can answer with, in addition to those that it declares. */
export const errorsEverywhere: readonly ErrorType[] = errorTypes.filter((type) => errorRow(type).everywhere)

/** The errors that occur before a call becomes a request; any call can meet them. */
export const errorsBeforeRequest: readonly ErrorType[] = errorTypes.filter(
  (type) => errorRow(type).beforeRequest,
)

/** Details of an error that override or extend its row. */
export interface ErrorDetails {
  message?: string
  /** Shape B: fields in addition to type and message. */
  fields?: Readonly<Record<string, unknown>>
  /** Shape A: one string per violation, each naming the field and the rule. */
  details?: readonly string[]
  /** A status that replaces the row's, where an assumption of the endpoint decides it. */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** The outcome that the journal records, where it differs from the row's. */
  outcome?: OutcomeName
  /** The request was refused before it reached the stages. */
  beforeRequest?: true
}

/**
 * A failure that the contract defines an answer for. Stages and handlers throw it; `http/render-error.ts` renders it
 * in one of the three shapes.
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

/** Creates the validation failure that lists these violations. */
export function validationError(details: readonly string[]): ApiError {
  return new ApiError('VALIDATION_ERROR', { details })
}
