import type { AssumptionId, Assumptions } from '../contract/assumptions.ts'
import { merchantKeyHeader, unusableKey } from '../contract/credentials.ts'
import { errorRow, errorsEverywhere, type ErrorHeader, type ErrorType } from '../contract/errors.ts'
import { describeIssues, ruleOf } from '../contract/violations.ts'
import { chooseVersion, releasedVersions, versionHeader, type Environment } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { UnknownScenarioError } from '../scenarios/catalogue.ts'
import { scenarioHeader } from '../scenarios/scenario.ts'
import { unknownScenario } from '../http/stages/apply-scenarios.ts'
import type { HeaderName } from './headers.ts'
import { noting } from './marks.ts'

/**
 * Everything that can go wrong with a call, in the order in which the pipeline finds it. What an endpoint adds to
 * that comes from its own declaration.
 */

/** Whether an answer carries `x-service-version` (contract: Versioning 4). */
type CarriesVersion = 'always' | 'never' | 'sometimes'

/** One way for a call to fail, under the assumptions in force. */
export interface Failure {
  /** Names its example. */
  name: string
  type: ErrorType
  status: number
  /** When it occurs, as a sentence. */
  on: string
  version: CarriesVersion
  restsOn: readonly AssumptionId[]
  headers: readonly HeaderName[]
  message?: string
  /** Shape A: what its example lists. */
  details?: readonly string[]
}

interface Told extends Partial<Omit<Failure, 'type' | 'status' | 'on'>> {
  /** The assumption that decides the status; the catalogue does otherwise. */
  statusFrom?: AssumptionId | undefined
  status?: number
}

function failure(values: Assumptions, type: ErrorType, on: string, told: Told = {}): Failure {
  const row = errorRow(type)
  const { statusFrom = row.statusFrom, restsOn = [], ...rest } = told
  const ids = [statusFrom, row.typeFrom, row.occursFrom].filter((id) => id !== undefined)
  return {
    name: type.replace(/_ERROR$/, '').toLowerCase(),
    type,
    on,
    version: 'always',
    headers: Object.keys(row.headers ?? {}) as ErrorHeader[],
    status: statusFrom === undefined ? row.status : Number(values[statusFrom]),
    ...rest,
    restsOn: [...ids, ...restsOn],
  }
}

/** What every call can meet before its path and method are looked at. */
export function failuresOfAnyCall(values: Assumptions, environment: Environment): Failure[] {
  const refusal = chooseVersion('2020-01-01', releasedVersions[0], environment).refusal
  return [
    failure(values, 'UNAUTHORIZED_ERROR', 'The API key is missing or not usable here.', {
      version: 'never',
      message: unusableKey,
      headers: ['www-authenticate'],
    }),
    failure(values, 'SERVICE_UNAVAILABLE_ERROR', 'The sandbox cannot take the call now.', {
      // A key of one workspace too many is refused before a version is chosen; other refusals come later.
      version: 'sometimes',
    }),
    failure(values, 'BAD_REQUEST_ERROR', `${versionHeader} names no supported version.`, {
      name: 'unsupported_version',
      version: 'never',
      ...(refusal === undefined ? {} : { message: refusal }),
    }),
  ]
}

/** What answers a call that is no operation. */
export function failuresOfRouting(values: Assumptions): { unknownPath: Failure; wrongMethod: Failure } {
  const restsOn: readonly AssumptionId[] = ['routes_without_key']
  // Looked at before the key, a path is looked at before a version is chosen, too.
  const version = values.routes_without_key === 'not_found' ? 'sometimes' : 'always'
  return {
    unknownPath: failure(values, 'NOT_FOUND_ERROR', 'No operation has this path.', {
      statusFrom: 'unknown_route_status',
      restsOn: ['unlisted_operations', 'trailing_slash', ...restsOn],
      version,
    }),
    wrongMethod: failure(values, 'METHOD_NOT_ALLOWED_ERROR', 'The path does not have this method.', {
      headers: ['allow'],
      restsOn,
      version,
    }),
  }
}

/** Every way for a call of this endpoint to fail. */
export function failuresOf(endpoint: Endpoint, values: Assumptions, environment: Environment): Failure[] {
  const found = failuresFound(endpoint, values, environment)
  const told = new Set(found.map(({ type }) => type))
  const others = errorsEverywhere.filter((type) => !told.has(type))
  return [...found, ...others.map((type) => failure(values, type, errorRow(type).message))]
}

/** What the stages and the handler find wrong with a call. */
function failuresFound(endpoint: Endpoint, values: Assumptions, environment: Environment): Failure[] {
  return [
    ...failuresOfAnyCall(values, environment),
    failure(
      values,
      'BAD_REQUEST_ERROR',
      `The key has several products and ${merchantKeyHeader} is missing.`,
      {
        name: 'missing_merchant_key',
        statusFrom: 'missing_merchant_key_status',
        message: `This API key is for several products: select one with the header ${merchantKeyHeader}.`,
      },
    ),
    failure(values, 'BAD_REQUEST_ERROR', `${merchantKeyHeader} names no product of the key.`, {
      name: 'unknown_merchant_key',
      statusFrom: 'unknown_merchant_key_status',
      message: `The header ${merchantKeyHeader} names no product of this API key.`,
    }),
    failure(values, 'BAD_REQUEST_ERROR', `${scenarioHeader} names a scenario that nobody knows.`, {
      name: 'unknown_scenario',
      message: unknownScenario(new UnknownScenarioError('rate-limit', ['rate-limited'])),
    }),
    ...(endpoint.scope === undefined
      ? []
      : [failure(values, 'FORBIDDEN_ERROR', 'The API key lacks the scope that `x-scope` names.')]),
    ...(endpoint.method === 'POST' && values.idempotency_key === 'refused'
      ? [
          failure(values, 'BAD_REQUEST_ERROR', 'The call carries an Idempotency-Key.', {
            name: 'idempotency_key',
            restsOn: ['idempotency_key'],
            message: 'The header Idempotency-Key is not supported.',
          }),
        ]
      : []),
    ...(endpoint.body ? failuresOfBodies(values) : []),
    ...failuresOfValidation(endpoint, values),
    failure(values, 'INTERNAL_ERROR', 'What the call changed could not be saved, and was taken back.', {
      name: 'not_saved',
    }),
    ...declaredFailures(endpoint, values),
  ]
}

function failuresOfBodies(values: Assumptions): Failure[] {
  const malformed: AssumptionId[] = ['malformed_json_shape', 'json_byte_order_mark', 'duplicate_json_keys']
  const unsupported: Told = {
    status: values.unsupported_media_type === 400 ? 400 : 415,
    restsOn: ['unsupported_media_type'],
  }
  return [
    ...(values.unsupported_media_type === 'accept'
      ? []
      : [
          failure(
            values,
            'UNSUPPORTED_MEDIA_TYPE_ERROR',
            'The body is not application/json in UTF-8.',
            unsupported,
          ),
        ]),
    failure(values, 'UNSUPPORTED_MEDIA_TYPE_ERROR', 'The body is compressed.', {
      ...unsupported,
      name: 'compressed_body',
      message: 'The request body must not be compressed.',
      headers: ['accept-encoding'],
    }),
    failure(values, 'PAYLOAD_TOO_LARGE_ERROR', `The body is larger than ${values.body_max_bytes} bytes.`, {
      restsOn: ['body_max_bytes'],
    }),
    failure(
      values,
      values.malformed_json_shape === 'A' ? 'VALIDATION_ERROR' : 'BAD_REQUEST_ERROR',
      'The body is not JSON.',
      {
        name: 'malformed_body',
        restsOn: malformed,
        message: 'The request body is not valid JSON.',
        details: ['body is not valid JSON'],
      },
    ),
    failure(values, 'BAD_REQUEST_ERROR', `The body is nested deeper than ${values.body_max_depth} levels.`, {
      name: 'deep_body',
      restsOn: ['body_max_depth'],
      message: `The request body is nested deeper than ${values.body_max_depth} levels.`,
    }),
  ]
}

function failuresOfValidation(endpoint: Endpoint, values: Assumptions): Failure[] {
  const details = exampleViolations(endpoint, values)
  if (details.length === 0) return []
  const hasQuery = Object.keys(endpoint.query).length > 0
  return [
    failure(values, 'VALIDATION_ERROR', 'The call breaks a rule that its parameters or body declare.', {
      details,
      restsOn: [
        ...(hasQuery ? (['repeated_query_parameter'] as const) : []),
        ...(endpoint.body ? (['unknown_body_fields'] as const) : []),
      ],
    }),
  ]
}

/** What the endpoint itself finds wrong with empty input; the schemas and rules that refuse it word it. */
function exampleViolations({ query, body, rules }: Endpoint, values: Assumptions): string[] {
  if (body) {
    const refused = body(values).safeParse({}, { reportInput: true }).error?.issues ?? []
    const found = [...describeIssues(refused), ...(rules?.({}, noting(values).assume, values) ?? [])]
    return found.length > 0 ? found : ['body must be a JSON object']
  }
  const parameters = Object.entries(query).map(([field, parameter]) => ({
    name: parameter.nameFrom ? values[parameter.nameFrom] : field,
    issues: parameter.schema.safeParse('').error?.issues ?? [],
  }))
  const found = parameters.flatMap(({ name, issues }) => issues.map((issue) => `${name} ${ruleOf(issue)}`))
  if (found.length > 0 || values.repeated_query_parameter !== 'refuse') return found
  return parameters.slice(0, 1).map(({ name }) => `${name} must not be sent more than once`)
}

function declaredFailures({ errors }: Endpoint, values: Assumptions): Failure[] {
  return errors
    .filter(({ when }) => when === undefined || values[when[0]] === when[1])
    .map(({ type, on, statusFrom, when, message }) =>
      failure(values, type, on, {
        ...(message === undefined ? {} : { message }),
        statusFrom: statusFrom ?? errorRow(type).statusFrom,
        restsOn: when ? [when[0]] : [],
      }),
    )
}
