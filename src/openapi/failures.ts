// Every failure of a call, collected from the stages of the pipeline and the declaration of the endpoint.
import type { AssumptionId, Assumptions } from '../contract/assumptions.ts'
import {
  answeredAs,
  errorRow,
  errorsBeforeRequest,
  errorsEverywhere,
  isErrorType,
  typeInForce,
  type ErrorHeader,
} from '../contract/errors.ts'
import type { Environment } from '../contract/versions.ts'
import { errorsInForce, type Endpoint } from '../endpoints/define.ts'
import type { Failure } from '../http/failure.ts'
import { stages } from '../http/stages/index.ts'
import { matchRoute } from '../http/stages/match-route.ts'
import { negotiateVersion } from '../http/stages/negotiate-version.ts'
import type { HeaderName } from './headers.ts'
import { recordReads } from './marks.ts'

/** One failure of a call, under the current assumptions. */
export interface ShownFailure extends Pick<Failure, 'type' | 'on' | 'details'> {
  /** The name of its example. */
  name: string
  status: number
  message: string
  /** Whether an answer carries `x-service-version` (contract: Versioning 4). */
  version: 'always' | 'never' | 'sometimes'
  restsOn: readonly AssumptionId[]
  headers: readonly HeaderName[]
}

/** The options of the document, which decide about failures. */
interface Context {
  values: Assumptions
  environment: Environment
  /** Whether failures of the sandbox's own headers are shown, too. */
  sandbox: boolean
}

const routing = stages.indexOf(matchRoute)

/** Failures of every call before its path and method are matched. */
export function failuresOfAnyCall(context: Context): ShownFailure[] {
  return [...failuresBefore(context), ...failuresOfStages(0, routing, undefined, context)]
}

/** Answers to a connection that sends no valid HTTP request, or none in time. */
function failuresBefore(context: Context): ShownFailure[] {
  return errorsBeforeRequest.map((type) => shown({ type, on: errorRow(type).message }, 'never', context))
}

/** Answers to calls that are no operation, for their path and for their method. */
export function failuresOfRouting(context: Context): ShownFailure[] {
  return failuresOfStages(routing, routing + 1, undefined, context)
}

/** Returns every failure of an endpoint: those of the stages and the handler, then those that are always possible. */
export function failuresOf(endpoint: Endpoint, context: Context): ShownFailure[] {
  const found = [
    ...failuresBefore(context),
    ...failuresOfStages(0, stages.length, endpoint, context),
    ...errorsInForce(endpoint, context.values).map(({ type, on, message, statusFrom, when }) => {
      const status: Failure['status'] = statusFrom && ((assume) => assume(statusFrom))
      return shown({ type, on, message, status, restsOn: when ? [when[0]] : [] }, 'always', context)
    }),
  ]
  const reported = new Set(found.map(({ type }) => type))
  const others = errorsEverywhere.filter((type) => !reported.has(type))
  return [...found, ...others.map((type) => shown({ type, on: errorRow(type).message }, 'always', context))]
}

/** The version is known from the stage that chooses it (contract: Versioning 4). */
const choosing = stages.indexOf(negotiateVersion)

function failuresOfStages(
  from: number,
  to: number,
  endpoint: Endpoint | undefined,
  context: Context,
): ShownFailure[] {
  return stages
    .slice(from, to)
    .flatMap(({ failures }, place) =>
      (failures?.(endpoint, context.values) ?? [])
        .filter(({ ofSandbox = false }) => context.sandbox || !ofSandbox)
        .map((failure) => shown(failure, from + place > choosing ? 'always' : 'never', context)),
    )
}

function shown(
  failure: Failure,
  version: 'always' | 'never',
  { values, environment }: Context,
): ShownFailure {
  const { name, on, message, example, details, restsOn = [], headers = [] } = failure
  const row = errorRow(failure.type)
  const { assume, noted } = recordReads(values)
  const status =
    failure.status?.(assume) ?? (row.statusFrom === undefined ? row.status : Number(assume(row.statusFrom)))
  const decided = typeInForce(failure.type, status, assume)
  const type = isErrorType(decided) ? decided : answeredAs(failure.type, status)
  return {
    type,
    name: name ?? failure.type.replace(/_ERROR$/, '').toLowerCase(),
    status,
    on,
    message: message ?? example?.(environment) ?? row.message,
    ...(details === undefined ? {} : { details }),
    version: failure.version ?? version,
    restsOn: [...noted, row.occursFrom, ...restsOn].filter((id) => id !== undefined),
    headers: [...headers, ...(Object.keys(row.headers ?? {}) as ErrorHeader[])],
  }
}
