// Validates an answer by the contract alone: violations under every value of each assumption.
import { shapeOf, shownOfShapeC, typeOfError } from './error-shape.ts'
import { judgeValue, restsOn, whole, type Violation } from './value-violations.ts'
import { z } from 'zod'
import { assumptionIds, valuesOf, type AssumptionId } from '../contract/assumptions.ts'
import { errorRow, isShownType } from '../contract/errors.ts'
import { isJsonObject, timestamp } from '../contract/formats.ts'
import { isSupported, releasedVersions, supportedVersions, versionHeader } from '../contract/versions.ts'
import { statusOf } from '../coverage/points/success-status.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { findRoute } from '../endpoints/routes.ts'
import type { Answer } from './read-answer.ts'
import type { Exchange } from './request-sender.ts'
import { defaultAssumptions } from './default-context.ts'

/**
 * Returns the violations of the contract in an answer of a target; none if there is no answer, or for a path or method
 * that no operation has.
 *
 * @example violationsOf(exchange)   // [{ part: 'body', what: 'amount is a list', expected: 'an integer', field: 'amount' }]
 */
export function violationsOf(exchange: Exchange): Violation[] {
  const { method, path } = exchange.request
  // HEAD belongs to the operation of GET, and has no body.
  if (method === 'HEAD') return []
  const [pathname = ''] = path.split('?')
  const endpoint = findRoute(pathname)?.byMethod.get(method)
  return endpoint ? judge(endpoint, exchange) : []
}

/** Like `violationsOf`, for an answer of a known operation. */
export function judge(endpoint: Endpoint, { request, answer }: Exchange): Violation[] {
  if ('notCalled' in answer) return []
  const known = request.headers['authorization'] !== undefined
  return [
    ...judgeVersion(answer, request.headers[versionHeader], known),
    ...(answer.status < 400 ? judgeSuccess(endpoint, answer, known) : judgeError(answer)),
  ]
}

/** Returns the violations in the body of a success. */
export function judgeBody(endpoint: Endpoint, answer: Answer): Violation[] {
  return [...judgeSuccess(endpoint, answer, true)].filter(({ part }) => part === 'body')
}

/** Authentication 4, Versioning 4 and 5: answers of the endpoint name a version, and earlier refusals name none. */
function* judgeVersion(answer: Answer, requested: string | undefined, known: boolean): Generator<Violation> {
  const { status, headers } = answer
  const named = headers[versionHeader]
  const unsupported = requested !== undefined && !isSupported(requested, supportedVersions('sandbox'))
  const part = 'version' as const
  if (!known || status === 401 || unsupported) {
    const before = unsupported ? 'an unsupported version' : 'a call that is not authenticated'
    if (named !== undefined)
      yield { part, what: `${versionHeader}: ${named}`, expected: `none, for ${before}` }
    if (known && unsupported && status < 400) {
      yield { part, what: `status ${status} for version ${requested}`, expected: '400, as it is unsupported' }
    }
  } else if (status < 400 || isOfEndpoint(answer.json)) {
    if (named === undefined || (requested !== undefined && named !== requested)) {
      const expected = requested ?? 'the version that was used'
      yield { part, what: `${versionHeader}: ${named ?? 'none'}`, expected: `${versionHeader}: ${expected}` }
    }
  }
}

/** Whether only the endpoint itself answers with this error, and no earlier stage. */
function isOfEndpoint(json: unknown): boolean {
  return shapeOf(json) === 'A' || (isJsonObject(json) && shownOfShapeC(json['type']) !== undefined)
}

function* judgeSuccess(
  endpoint: Endpoint,
  { status, json, headers }: Answer,
  known: boolean,
): Generator<Violation> {
  if (!known) {
    yield { part: 'status', what: `status ${status} without a credential`, expected: 'a refusal' }
    return
  }
  // The contract states only the status of the reward update; for the others, any success is valid (contract:
  // Endpoints).
  if (endpoint.statusShown && status !== endpoint.status) {
    yield { part: 'status', what: `status ${status}`, expected: `status ${String(endpoint.status)}` }
  }
  const result = endpoint.result?.(defaultAssumptions)
  if (!result || !promisesBody(endpoint)) return
  if (json === undefined) {
    yield { part: 'body', what: 'no JSON', expected: 'a JSON object' }
    return
  }
  const listsAll = (releasedVersions as readonly string[]).includes(headers[versionHeader] ?? '')
  yield* judgeValue(result, json, { ...whole, listsAll })
}

/** The assumptions that decide about a whole response, and those that decide which fields are always present. */
const leavesShapeOpen: readonly AssumptionId[] = ['create_key_shape']

/** Whether the contract shows the answer of a success: not if an assumption decides its shape, or makes it empty. */
export function promisesBody(endpoint: Endpoint): boolean {
  const result = endpoint.result?.(defaultAssumptions)
  const isOpen = result && restsOn(result, leavesShapeOpen)
  return !isOpen && !successStatuses(endpoint).includes(204)
}

/** Every success status under some value of some assumption. */
function successStatuses(endpoint: Endpoint): number[] {
  if (typeof endpoint.status === 'number') return [endpoint.status]
  return assumptionIds.flatMap((id) =>
    valuesOf(id).map((value) => statusOf(endpoint, { ...defaultAssumptions, [id]: value })),
  )
}

const fieldsOfShape: Readonly<Record<'A' | 'B' | 'C', z.ZodObject>> = {
  A: z.object({
    path: z.string(),
    details: z.array(z.string()),
    error: z.string(),
    status: z.int(),
    timestamp,
  }),
  B: z.object({ error: z.object({ type: z.string(), message: z.string() }) }),
  C: z.object({ type: z.string(), message: z.string(), param: z.string() }),
}

/** Statuses and bodies that the contract does not show, such as those of invalid credentials, are not validated. */
export function* judgeError({ status, json }: Answer): Generator<Violation> {
  const part = 'error' as const
  const shape = shapeOf(json)
  const type = typeOfError(json)
  if (status === 400 && shape === undefined) {
    yield { part, what: '400 with another body', expected: 'one of the error shapes A, B and C' }
  }
  if (shape === 'A' && status !== 400) {
    yield { part, what: `status ${status} for a validation failure`, expected: 'status 400' }
  }
  if (isShownType(type) && shape !== errorRow(type).shape) {
    yield { part, what: `${type} in shape ${shape ?? 'none'}`, expected: `shape ${errorRow(type).shape}` }
  } else if (shape !== undefined && (shape !== 'C' || shownOfShapeC(type))) {
    for (const { what, expected } of judgeValue(fieldsOfShape[shape], json, { ...whole, listsAll: true })) {
      yield { part, what, expected }
    }
    const param = shownOfShapeC(type)?.param
    if (
      param !== undefined &&
      isJsonObject(json) &&
      typeof json['param'] === 'string' &&
      json['param'] !== param
    ) {
      yield { part, what: `another param of ${type ?? ''}`, expected: `param "${param}"` }
    }
  }
}
