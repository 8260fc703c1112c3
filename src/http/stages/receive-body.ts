// Receives the request body and reads it as JSON: 413 beyond the limit of bytes, 400 where it is malformed.
import { isAscii } from 'node:buffer'
import { valuesOf, type Assume, type Assumptions } from '../../contract/assumptions.ts'
import { ApiError, validationError } from '../../contract/errors.ts'
import { DeepJsonError, MalformedJsonError, notValid, parseJson, tooDeep } from '../body/parse-json.ts'
import { hasBody, largeBody, readBody } from '../body/read-body.ts'
import type { ServedCall } from '../served-call.ts'
import type { Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'
import { mayBeEmpty, mediaTypeRefusal } from './check-headers.ts'

type BodyFailure = Pick<Failure, 'name' | 'on' | 'restsOn'>

const malformed: BodyFailure = {
  name: 'malformed_body',
  on: 'The body is not JSON.',
  restsOn: ['malformed_json_shape', 'json_byte_order_mark', 'duplicate_json_keys'],
}

/** The same where the endpoint says its shape, so that no assumption does. */
const malformedHere: BodyFailure = { ...malformed, restsOn: ['json_byte_order_mark', 'duplicate_json_keys'] }

const deep = (values: Assumptions): BodyFailure => ({
  name: 'deep_body',
  on: `The body ${tooDeep(values)}.`,
  restsOn: ['body_max_depth'],
})

/** In shape B, */
const inShapeB = (failure: BodyFailure, problem: string): Failure => ({
  ...failure,
  type: 'BAD_REQUEST_ERROR',
  example: () => sentence(problem),
})
/** or as a violation. */
const inShapeA = (failure: BodyFailure, problem: string): Failure => ({
  ...failure,
  type: 'VALIDATION_ERROR',
  details: [violation(problem)],
})

function sentence(problem: string): string {
  return `The request body ${problem}.`
}

function violation(problem: string): string {
  return `body ${problem}`
}

/** Takes in the body of an endpoint that has one; all others leave it unread. */
export const receiveBody: Stage = {
  failures: (endpoint, values) => (endpoint?.body ? [largeBody(values.body_max_bytes)] : []),
  run(call) {
    const { request, caller, headers } = call
    const { endpoint } = request
    if (!endpoint?.body) return undefined
    takeEarlyBody(call)
    if (call.bodyFailure !== undefined) throw noting(call, call.bodyFailure)
    if (call.bodyTaken) return undefined
    if (hasBody(caller.body, headers)) {
      return (there) => takeBody(call, (error) => there(error && noting(call, error)))
    }
    if (!endpoint.bodyOptional) request.body = new Uint8Array()
    return undefined
  },
}

/** Reads the body to its end, which can be done once. @param there told that it is, or what is wrong with it. */
export function takeBody(call: ServedCall, there: (error?: unknown) => void): void {
  const { request, caller, headers, service } = call
  if (!hasBody(caller.body, headers)) return there()
  call.bodyTaken = true
  readBody(caller.body, service.assumptions.body_max_bytes, (error, bytes) => {
    if (error !== undefined) return there(error)
    // An empty body where none is needed is no body.
    if (bytes.length > 0 || !request.endpoint?.bodyOptional) request.body = asText(bytes)
    there()
  })
}

/** Takes the body that was received before anybody asked for it; false where there is none. */
export function takeEarlyBody({ early, request }: ServedCall): boolean {
  if (!early) return false
  early.isAskedFor = true
  request.body = early.body
  return true
}

/** As text where that means the same bytes: the journal keeps it, and one text is less to keep than a buffer is. */
function asText(bytes: Uint8Array): string | Uint8Array {
  if (bytes.length === 0 || !isAscii(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Why a body is refused that might have turned out to be none. @param assume notes what that rests on. */
export function lateRefusal(call: ServedCall, assume: Assume): ApiError | undefined {
  const { request } = call
  const isThere = request.body !== undefined && request.body.length > 0
  return isThere && mayBeEmpty(call) ? mediaTypeRefusal(call, assume) : undefined
}

/** An answer rests on the limit only where it is the answer, and not when the body was read early for a scenario. */
function noting({ assume }: ServedCall, error: unknown): unknown {
  if (error instanceof ApiError && error.type === 'PAYLOAD_TOO_LARGE_ERROR') assume('body_max_bytes')
  return error
}

const leastLimit = Math.min(...valuesOf('body_max_bytes'))

/** Reads the body as JSON. */
export const parseBody: Stage = {
  failures(endpoint, values) {
    if (!endpoint?.body) return []
    if (endpoint.malformedBody === 'A') {
      return [inShapeA(malformedHere, notValid), inShapeA(deep(values), tooDeep(values))]
    }
    const inShape = values.malformed_json_shape === 'A' ? inShapeA : inShapeB
    return [inShape(malformed, notValid), inShapeB(deep(values), tooDeep(values))]
  },
  run(call) {
    const { body } = call.request
    if (body === undefined) return
    if (body.length > leastLimit) call.assume('body_max_bytes')
    const refusal = lateRefusal(call, call.assume)
    if (refusal) throw refusal
    try {
      call.parsed = parseJson(body, call.assume, call.service.assumptions)
    } catch (error) {
      if (!(error instanceof MalformedJsonError)) throw error
      if (shapeOf(call, error) === 'A') throw validationError([violation(error.message)])
      throw new ApiError('BAD_REQUEST_ERROR', { message: sentence(error.message) })
    }
  },
}

/** The shape in which a body that cannot be read is refused. */
function shapeOf({ request, assume }: ServedCall, error: MalformedJsonError): 'A' | 'B' {
  const { malformedBody } = request.endpoint ?? {}
  if (malformedBody !== undefined) return malformedBody
  return error instanceof DeepJsonError ? 'B' : assume('malformed_json_shape')
}
