// Receives the request body and reads it as JSON: 413 beyond the limit of bytes, 400 where it is malformed.
import { isAscii } from 'node:buffer'
import { valuesOf, type Assume, type Assumptions } from '../../contract/assumptions.ts'
import { ApiError, validationError } from '../../contract/errors.ts'
import { DeepJsonError, MalformedJsonError, notValid, parseJson, tooDeep } from '../body/parse-json.ts'
import { hasBody, largeBody, readBody } from '../body/read-body.ts'
import type { OpenExchange } from '../open-exchange.ts'
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
  run(exchange) {
    const { received, caller, headers } = exchange
    const { endpoint } = received
    if (!endpoint?.body) return undefined
    takeEarlyBody(exchange)
    if (exchange.bodyFailure !== undefined) throw noting(exchange, exchange.bodyFailure)
    if (exchange.bodyTaken) return undefined
    if (hasBody(caller.body, headers)) {
      return (there) => takeBody(exchange, (error) => there(error && noting(exchange, error)))
    }
    if (!endpoint.bodyOptional) received.body = new Uint8Array()
    return undefined
  },
}

/** Reads the body to its end, which can be done once. @param there told that it is, or what is wrong with it. */
export function takeBody(exchange: OpenExchange, there: (error?: unknown) => void): void {
  const { received, caller, headers, service } = exchange
  if (!hasBody(caller.body, headers)) return there()
  exchange.bodyTaken = true
  readBody(caller.body, service.assumptions.body_max_bytes, (error, bytes) => {
    if (error !== undefined) return there(error)
    // An empty body where none is needed is no body.
    if (bytes.length > 0 || !received.endpoint?.bodyOptional) received.body = asText(bytes)
    there()
  })
}

/** Takes the body that was received before anybody asked for it; false where there is none. */
export function takeEarlyBody({ early, received }: OpenExchange): boolean {
  if (!early) return false
  early.isAskedFor = true
  received.body = early.body
  return true
}

/** As text where that means the same bytes: the journal keeps it, and one text is less to keep than a buffer is. */
function asText(bytes: Uint8Array): string | Uint8Array {
  if (bytes.length === 0 || !isAscii(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Why a body is refused that might have turned out to be none. @param assume notes what that rests on. */
export function lateRefusal(exchange: OpenExchange, assume: Assume): ApiError | undefined {
  const { received } = exchange
  const isThere = received.body !== undefined && received.body.length > 0
  return isThere && mayBeEmpty(exchange) ? mediaTypeRefusal(exchange, assume) : undefined
}

/** An answer rests on the limit only where it is the answer, and not when the body was read early for a scenario. */
function noting({ assume }: OpenExchange, error: unknown): unknown {
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
  run(exchange) {
    const { body } = exchange.received
    if (body === undefined) return
    if (body.length > leastLimit) exchange.assume('body_max_bytes')
    const refusal = lateRefusal(exchange, exchange.assume)
    if (refusal) throw refusal
    try {
      exchange.parsed = parseJson(body, exchange.assume, exchange.service.assumptions)
    } catch (error) {
      if (!(error instanceof MalformedJsonError)) throw error
      if (shapeOf(exchange, error) === 'A') throw validationError([violation(error.message)])
      throw new ApiError('BAD_REQUEST_ERROR', { message: sentence(error.message) })
    }
  },
}

/** The shape in which a body that cannot be read is refused. */
function shapeOf({ received, assume }: OpenExchange, error: MalformedJsonError): 'A' | 'B' {
  const { malformedBody } = received.endpoint ?? {}
  if (malformedBody !== undefined) return malformedBody
  return error instanceof DeepJsonError ? 'B' : assume('malformed_json_shape')
}
