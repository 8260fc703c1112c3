// Judges an answer by the contract alone: what in it breaks a promise whatever value each assumption has.
import { shapeOf, shownOfShapeC, typeOfError } from './error-shape.ts'
import { judgeValue, restsOn, whole, type Violation } from './judge-value.ts'
import { z } from 'zod'
import { assumptionIds, valuesOf, type AssumptionId } from '../contract/assumptions.ts'
import { errorRow, isShownType } from '../contract/errors.ts'
import { isJsonObject, timestamp } from '../contract/formats.ts'
import { isSupported, releasedVersions, supportedVersions, versionHeader } from '../contract/versions.ts'
import { statusOf } from '../coverage/points/success-status.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { findRoute } from '../endpoints/routes.ts'
import type { Answer } from './read-answer.ts'
import type { Exchange } from './asker.ts'
import { usual } from './world.ts'

/**
 * What breaks the contract in what a target answered; nothing for an answer that there is none of, and for a path or
 * method that no operation has.
 *
 * @example violationsOf(exchange)   // [{ part: 'body', what: 'amount is a list', expected: 'an integer', field: 'amount' }]
 */
export function violationsOf(exchange: Exchange): Violation[] {
  const { method, path } = exchange.request
  // HEAD shares the operation of a GET, and shows no body.
  if (method === 'HEAD') return []
  const [pathname = ''] = path.split('?')
  const endpoint = findRoute(pathname)?.byMethod.get(method)
  return endpoint ? judge(endpoint, exchange) : []
}

/** As `violationsOf`, for an answer of a known operation. */
export function judge(endpoint: Endpoint, { request, answer }: Exchange): Violation[] {
  if ('notCalled' in answer) return []
  const known = request.headers['authorization'] !== undefined
  return [
    ...judgeVersion(answer, request.headers[versionHeader], known),
    ...(answer.status < 400 ? judgeSuccess(endpoint, answer, known) : judgeError(answer)),
  ]
}

/** What in the body of a success breaks the contract. */
export function judgeBody(endpoint: Endpoint, answer: Answer): Violation[] {
  return [...judgeSuccess(endpoint, answer, true)].filter(({ part }) => part === 'body')
}

/** Authentication 4, Versioning 4 and 5: answers of the endpoint name a version, and earlier refusals name none. */
function* judgeVersion(answer: Answer, asked: string | undefined, known: boolean): Generator<Violation> {
  const { status, headers } = answer
  const named = headers[versionHeader]
  const unsupported = asked !== undefined && !isSupported(asked, supportedVersions('sandbox'))
  const part = 'version' as const
  if (!known || status === 401 || unsupported) {
    const before = unsupported ? 'an unsupported version' : 'a call that is not authenticated'
    if (named !== undefined)
      yield { part, what: `${versionHeader}: ${named}`, expected: `none, for ${before}` }
    if (known && unsupported && status < 400) {
      yield { part, what: `status ${status} for version ${asked}`, expected: '400, as it is unsupported' }
    }
  } else if (status < 400 || isOfEndpoint(answer.json)) {
    if (named === undefined || (asked !== undefined && named !== asked)) {
      const expected = asked ?? 'the version that was used'
      yield { part, what: `${versionHeader}: ${named ?? 'none'}`, expected: `${versionHeader}: ${expected}` }
    }
  }
}

/** Whether an error is one that only the endpoint itself gives, and nothing that stands before it. */
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
  // Only the status of the reward update is stated; of the others, any success is one (contract: Endpoints).
  if (endpoint.statusShown && status !== endpoint.status) {
    yield { part: 'status', what: `status ${status}`, expected: `status ${String(endpoint.status)}` }
  }
  const { result } = endpoint
  if (!result || !promisesBody(endpoint)) return
  if (json === undefined) {
    yield { part: 'body', what: 'no JSON', expected: 'a JSON object' }
    return
  }
  const listsAll = (releasedVersions as readonly string[]).includes(headers[versionHeader] ?? '')
  yield* judgeValue(result, json, { ...whole, listsAll })
}

/** The assumptions that leave a whole response open, and those that leave open which fields are always there. */
const leavesShapeOpen: readonly AssumptionId[] = ['create_key_shape']

/** Whether the contract shows what a success answers with: not where an assumption decides its shape, or has it empty. */
export function promisesBody(endpoint: Endpoint): boolean {
  const isOpen = endpoint.result && restsOn(endpoint.result, leavesShapeOpen)
  return !isOpen && !successStatuses(endpoint).includes(204)
}

/** Every status that some value of some assumption gives a success. */
function successStatuses(endpoint: Endpoint): number[] {
  if (typeof endpoint.status === 'number') return [endpoint.status]
  return assumptionIds.flatMap((id) =>
    valuesOf(id).map((value) => statusOf(endpoint, { ...usual, [id]: value })),
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

/** Statuses and bodies that the contract does not show, such as those of invalid credentials, are not judged. */
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
