// Declares a failure of a call once, next to the stage that throws it; OpenAPI documents the same declaration.
import type { Assume, AssumptionId } from '../contract/assumptions.ts'
import { challenge } from '../contract/credentials.ts'
import { ApiError, type ErrorDetails, type ErrorType } from '../contract/errors.ts'
import type { Environment } from '../contract/versions.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'

/** The headers of some failures, and how to compute their values. */
const headerValues = {
  'www-authenticate': () => challenge,
  allow: ({ allow = '' }: IncomingRequest) => allow,
  'accept-encoding': () => 'identity',
}

export type FailureHeader = keyof typeof headerValues

/** A failure that a stage declares, in addition to the row of its type in the catalogue. */
export interface Failure {
  type: ErrorType
  /** The name of its example, if that differs from the type. */
  name?: string
  /** The condition under which it occurs, as a sentence. */
  on: string
  /** Its message; omitted if the message depends on the call or is that of the catalogue. */
  message?: string | undefined
  /** The message of its example, if the message depends on the call. */
  example?(environment: Environment): string
  /** Shape A: the violations that an example lists. */
  details?: readonly string[]
  /** The status, if an assumption decides it. */
  status?: ((assume: Assume) => number) | undefined
  /** The assumptions that it rests on in addition to that of its status. */
  restsOn?: readonly AssumptionId[]
  headers?: readonly FailureHeader[]
  /** It answers a header of the sandbox, which the service does not read. */
  ofSandbox?: true
  /** It can occur both before and after a version is chosen. If omitted, the position of the stage decides. */
  version?: 'sometimes'
}

/** Creates the error of a declared failure. @param about details that depend on the call. */
export function errorOf(
  { type, message, status, headers = [] }: Failure,
  { assume, request }: { assume: Assume; request: IncomingRequest },
  about: ErrorDetails = {},
): ApiError {
  const sent = headers.map((name) => [name, headerValues[name](request)])
  return new ApiError(type, {
    ...(message === undefined ? {} : { message }),
    ...(status === undefined ? {} : { status: status(assume) }),
    ...(sent.length === 0 ? {} : { headers: Object.fromEntries(sent) as Record<FailureHeader, string> }),
    ...about,
  })
}
