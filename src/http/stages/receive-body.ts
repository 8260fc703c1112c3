// Receives the request body and parses it as JSON: 413 beyond the limit of bytes, 400 if it is malformed.
import { isAscii } from 'node:buffer'
import type { Assume } from '../../contract/assumptions.ts'
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
  restsOn: ['malformed_json_shape'],
}

/** The same for an endpoint that declares the shape of the error, so that no assumption decides it. */
const malformedHere: BodyFailure = { ...malformed, restsOn: [] }

const deep: BodyFailure = { name: 'deep_body', on: `The body ${tooDeep}.` }

/** A failure of the body in shape B. */
const inShapeB = (failure: BodyFailure, problem: string): Failure => ({
  ...failure,
  type: 'BAD_REQUEST_ERROR',
  example: () => sentence(problem),
})
/** A failure of the body in shape A, as a violation. */
const inShapeA = (failure: BodyFailure, problem: string): Failure => ({
  ...failure,
  type: 'VALIDATION_ERROR',
  details: [violation(problem)],
})

function sentence(problem: string): string {
  return `The request body ${problem}.`
}

function violation(problem: string): string {
  return `body: ${problem}`
}

/** Receives the body if the endpoint declares one. All other bodies stay unread. */
export const receiveBody: Stage = {
  failures: (endpoint) => (endpoint?.body ? [largeBody] : []),
  run(call) {
    if (!call.request.endpoint?.body) return undefined
    return receive(call)?.then(() => requireBody(call)) ?? requireBody(call)
  },
}

/** Receives the body to its end, unless it was received before; undefined if there is nothing to wait for. */
export function receive(call: ServedCall): Promise<void> | undefined {
  return call.retryState.received || !hasBody(call.client.body) ? undefined : receiveNow(call)
}

async function receiveNow({ request, client, service, retryState }: ServedCall): Promise<void> {
  try {
    const bytes = await readBody(client.body, service.maxBody)
    // An empty body counts as no body if the endpoint does not require one.
    const isNone = bytes.length === 0 && request.endpoint?.bodyOptional === true
    retryState.received = { content: isNone ? undefined : asText(bytes) }
  } catch (failure) {
    retryState.received = { failure }
  }
}

/** Adds the received body, if any, to the request. The stages of the body answer a failure of receiving it. */
export function readReceived(call: ServedCall): void {
  const { received } = call.retryState
  if (!received) return
  call.retryState.isBodyRead = true
  if ('content' in received) call.request = call.request.withBody(received.content)
}

function requireBody(call: ServedCall): void {
  const { request, retryState } = call
  const { received } = retryState
  readReceived(call)
  if (received && 'failure' in received) throw received.failure
  if (!received && !request.endpoint?.bodyOptional) call.request = request.withBody(new Uint8Array())
}

/** Converts an ASCII body to a string: the journal stores it, and a string takes less memory than a buffer. */
function asText(bytes: Uint8Array): string | Uint8Array {
  if (bytes.length === 0 || !isAscii(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/**
 * The error for the media type of a body that could have been empty (`mayBeEmpty`), but is not.
 * @param assume records the assumption that decides this.
 */
export function lateRefusal(call: ServedCall, assume: Assume): ApiError | undefined {
  const { request } = call
  const isThere = request.body !== undefined && request.body.length > 0
  return isThere && mayBeEmpty(call) ? mediaTypeRefusal(call, assume) : undefined
}

/** Parses the body as JSON. */
export const parseBody: Stage = {
  failures(endpoint, values) {
    if (!endpoint?.body) return []
    if (endpoint.malformedBody === 'A') {
      return [inShapeA(malformedHere, notValid), inShapeA(deep, tooDeep)]
    }
    const inShape = values.malformed_json_shape === 'A' ? inShapeA : inShapeB
    return [inShape(malformed, notValid), inShapeB(deep, tooDeep)]
  },
  run(call) {
    const { body } = call.request
    if (body === undefined) return
    const refusal = lateRefusal(call, call.assume)
    if (refusal) throw refusal
    try {
      call.parsed = parseJson(body)
    } catch (error) {
      if (!(error instanceof MalformedJsonError)) throw error
      if (shapeOf(call, error) === 'A') throw validationError([violation(error.message)])
      throw new ApiError('BAD_REQUEST_ERROR', { message: sentence(error.message) })
    }
  },
}

/** The shape of the error for a body that cannot be parsed. */
function shapeOf({ request, assume }: ServedCall, error: MalformedJsonError): 'A' | 'B' {
  const { malformedBody } = request.endpoint ?? {}
  if (malformedBody !== undefined) return malformedBody
  return error instanceof DeepJsonError ? 'B' : assume('malformed_json_shape')
}
