// One way for a call to fail, declared once beside where it is thrown: stages throw it, and OpenAPI shows it.
import type { Assume, AssumptionId } from '../contract/assumptions.ts'
import { challenge } from '../contract/credentials.ts'
import { ApiError, type ErrorDetails, type ErrorType } from '../contract/errors.ts'
import type { Environment } from '../contract/versions.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'

/** The headers that go with some failures, and what they say. */
const headerValues = {
  'www-authenticate': () => challenge,
  allow: ({ allow = '' }: IncomingRequest) => allow,
  'accept-encoding': () => 'identity',
}

export type FailureHeader = keyof typeof headerValues

/** What the error says beyond its row in the catalogue. */
export interface Failure {
  type: ErrorType
  /** Names its example, where the type does not. */
  name?: string
  /** When it occurs, as a sentence. */
  on: string
  /** What it says; left out where that depends on the call, or is what the catalogue says. */
  message?: string | undefined
  /** What it says in an example, where that depends on the call. */
  example?(environment: Environment): string
  /** Shape A: what an example lists. */
  details?: readonly string[]
  /** The status, where an assumption decides it. */
  status?: ((assume: Assume) => number) | undefined
  /** What it rests on beside its status. */
  restsOn?: readonly AssumptionId[]
  headers?: readonly FailureHeader[]
  /** It can come before a version is chosen and after that; the place of the stage tells otherwise. */
  version?: 'sometimes'
}

/** A declared failure, to be thrown. @param about what only the call itself tells. */
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
