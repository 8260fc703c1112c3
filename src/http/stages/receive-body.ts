import type { Assume } from '../../contract/assumptions.ts'
import { ApiError, validationError } from '../../contract/errors.ts'
import type { OpenExchange } from '../open-exchange.ts'
import { mayBeEmpty, mediaTypeRefusal } from './check-headers.ts'
import { MalformedJsonError, parseJson } from '../body/parse-json.ts'
import { hasBody, readBody } from '../body/read-body.ts'

/** Takes in the body of an endpoint that has one; all others leave it unread. */
export function receiveBody(exchange: OpenExchange): Promise<void> | undefined {
  const { received, caller } = exchange
  const { endpoint, headers } = received
  if (!endpoint?.body) return undefined
  if (exchange.bodyFailure !== undefined) refuse(exchange, exchange.bodyFailure)
  if (exchange.bodyTaken) return undefined
  if (hasBody(caller.body, headers)) {
    return takeBody(exchange).catch((error: unknown) => refuse(exchange, error))
  }
  if (!endpoint.bodyOptional) received.body = new Uint8Array()
  return undefined
}

/** Reads the body to its end, which can be done once. @throws {ApiError} for one that is too large or cut off. */
export async function takeBody(exchange: OpenExchange): Promise<void> {
  const { received, caller, service } = exchange
  if (!hasBody(caller.body, received.headers)) return
  exchange.bodyTaken = true
  const bytes = await readBody(caller.body, service.assumptions.body_max_bytes)
  // An empty body where none is needed is no body.
  if (bytes.length > 0 || !received.endpoint?.bodyOptional) received.body = bytes
}

/** Why a body is refused that might have turned out to be none. @param assume notes what that rests on. */
export function lateRefusal({ received, service }: OpenExchange, assume: Assume): ApiError | undefined {
  const isThere = received.body !== undefined && received.body.length > 0
  return isThere && mayBeEmpty(received) ? mediaTypeRefusal(service, assume) : undefined
}

/** An answer rests on the limit only where it is the answer, and not when the body was read early for a scenario. */
function refuse({ assume }: OpenExchange, error: unknown): never {
  if (error instanceof ApiError && error.type === 'PAYLOAD_TOO_LARGE_ERROR') assume('body_max_bytes')
  throw error
}

/** Reads the body as JSON. */
export function parseBody(exchange: OpenExchange): void {
  const { body } = exchange.received
  if (body === undefined) return
  const refusal = lateRefusal(exchange, exchange.assume)
  if (refusal) throw refusal
  try {
    exchange.parsed = parseJson(body, exchange.assume, exchange.service.assumptions)
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error
    if (exchange.assume('malformed_json_shape') === 'B') {
      throw new ApiError('BAD_REQUEST_ERROR', { message: `The request body ${error.message}.` })
    }
    throw validationError([`body ${error.message}`])
  }
}
