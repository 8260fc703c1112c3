// One call in three parts, for all folders: its request, its resolution, its outcome.
import { errorRow } from '../contract/errors.ts'
import { outcomeOfStatus, type OutcomeName } from '../contract/outcomes.ts'
import { lossOf, type Outcome } from './outcome.ts'
import type { Resolution } from './resolution.ts'
import type { KnownHeaders } from './sent-headers.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** One call. The journal stores the three parts unmasked; `journal/entry.ts` hides secrets when an entry is read. */
export interface Call {
  readonly request: IncomingRequest
  readonly resolution: Resolution
  readonly outcome: Outcome
}

/** A call while it is answered, with values that are too large to store. */
export interface InFlightCall extends Call {
  readonly headers: KnownHeaders
  /** The body as JSON, after it was read. */
  readonly parsed: unknown
  /** The values of the query parameters, after they were validated. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The result of the handler. */
  readonly result: unknown
}

/** The status that the client received; null if it received none, or not the whole body. */
export function receivedStatus({ request, outcome }: Call): number | null {
  const isLost = outcome.isClientGone || outcome.fault === 'truncate' || lossOf(outcome, request.method)
  return isLost ? null : outcome.status
}

/** The outcome of a call in one word. */
export function outcomeOf({ request, resolution, outcome }: Call): OutcomeName {
  const { failure } = outcome
  if (outcome.fault !== undefined || outcome.isClientGone) return 'fault'
  if (failure === undefined) return outcomeOfStatus(outcome.status)
  if (failure.about.outcome !== undefined) return failure.about.outcome
  // A call with a usable key has a version, unless the requested one was refused.
  if (failure.type === 'BAD_REQUEST_ERROR' && resolution.key && resolution.version === undefined) {
    return 'unsupported_version'
  }
  // If an endpoint answers so, its row does not exist.
  if (failure.type === 'NOT_FOUND_ERROR' && request.endpoint) return 'not_found'
  return errorRow(failure.type).outcome
}
