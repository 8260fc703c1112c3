// Every way for a call to fail, folded over the stages of the pipeline and what the endpoint declares.
import type { AssumptionId, Assumptions } from '../contract/assumptions.ts'
import {
  answeredAs,
  errorRow,
  errorsBeforeRequest,
  errorsEverywhere,
  type ErrorHeader,
} from '../contract/errors.ts'
import type { Environment } from '../contract/versions.ts'
import { errorsInForce, type Endpoint } from '../endpoints/define.ts'
import type { Failure } from '../http/failure.ts'
import { stages } from '../http/stages/index.ts'
import { matchRoute } from '../http/stages/match-route.ts'
import { negotiateVersion } from '../http/stages/negotiate-version.ts'
import type { HeaderName } from './headers.ts'
import { noting } from './marks.ts'

/** One way for a call to fail, under the assumptions in force. */
export interface ShownFailure extends Pick<Failure, 'type' | 'on' | 'details'> {
  /** Names its example. */
  name: string
  status: number
  message: string
  /** Whether an answer carries `x-service-version` (contract: Versioning 4). */
  version: 'always' | 'never' | 'sometimes'
  restsOn: readonly AssumptionId[]
  headers: readonly HeaderName[]
}

/** What the document depends on, of which each failure is a part. */
interface World {
  values: Assumptions
  environment: Environment
}

const routing = stages.indexOf(matchRoute)

/** What every call can meet before its path and method are looked at. */
export function failuresOfAnyCall(world: World): ShownFailure[] {
  return [...failuresBefore(world), ...failuresOfStages(0, routing, undefined, world)]
}

/** What answers a connection that sends no request as HTTP has it, or none in time. */
function failuresBefore(world: World): ShownFailure[] {
  return errorsBeforeRequest.map((type) => shown({ type, on: errorRow(type).message }, 'never', world))
}

/** What answers a call that is no operation, for its path and for its method. */
export function failuresOfRouting(world: World): ShownFailure[] {
  return failuresOfStages(routing, routing + 1, undefined, world)
}

/** Every way for a call of this endpoint to fail: what the stages and the handler find wrong, then what can always be. */
export function failuresOf(endpoint: Endpoint, world: World): ShownFailure[] {
  const found = [
    ...failuresBefore(world),
    ...failuresOfStages(0, stages.length, endpoint, world),
    ...errorsInForce(endpoint, world.values).map(({ type, on, message, statusFrom, when }) => {
      const status: Failure['status'] = statusFrom && ((assume) => assume(statusFrom))
      return shown({ type, on, message, status, restsOn: when ? [when[0]] : [] }, 'always', world)
    }),
  ]
  const told = new Set(found.map(({ type }) => type))
  const others = errorsEverywhere.filter((type) => !told.has(type))
  return [...found, ...others.map((type) => shown({ type, on: errorRow(type).message }, 'always', world))]
}

/** A version is known from the stage on that chooses it (contract: Versioning 4). */
const choosing = stages.indexOf(negotiateVersion)

function failuresOfStages(
  from: number,
  to: number,
  endpoint: Endpoint | undefined,
  world: World,
): ShownFailure[] {
  return stages
    .slice(from, to)
    .flatMap(({ failures }, place) =>
      (failures?.(endpoint, world.values) ?? []).map((failure) =>
        shown(failure, from + place > choosing ? 'always' : 'never', world),
      ),
    )
}

function shown(failure: Failure, version: 'always' | 'never', { values, environment }: World): ShownFailure {
  const { name, on, message, example, details, restsOn = [], headers = [] } = failure
  const row = errorRow(failure.type)
  const { assume, noted } = noting(values)
  const status =
    failure.status?.(assume) ?? (row.statusFrom === undefined ? row.status : Number(assume(row.statusFrom)))
  const type = answeredAs(failure.type, status)
  return {
    type,
    name: name ?? failure.type.replace(/_ERROR$/, '').toLowerCase(),
    status,
    on,
    message: message ?? example?.(environment) ?? row.message,
    ...(details === undefined ? {} : { details }),
    version: failure.version ?? version,
    restsOn: [...noted, errorRow(type).typeFrom, row.occursFrom, ...restsOn].filter((id) => id !== undefined),
    headers: [...headers, ...(Object.keys(row.headers ?? {}) as ErrorHeader[])],
  }
}
