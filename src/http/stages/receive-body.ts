import { ApiError, validationError } from '../../contract/errors.ts'
import type { Exchange } from '../exchange.ts'
import { mayBeEmpty, refuseMediaType } from './check-headers.ts'
import { MalformedJsonError, parseJson } from '../parse-json.ts'
import { hasBody, readBody } from '../read-body.ts'

/** Takes in the body of an endpoint that has one; all others leave it unread. */
export function receiveBody(exchange: Exchange): Promise<void> | undefined {
  const { endpoint, incoming } = exchange
  if (!endpoint?.body) return undefined
  if (hasBody(incoming.body, incoming.headers)) return receive(exchange, endpoint.bodyOptional)
  if (!endpoint.bodyOptional) exchange.bytes = new Uint8Array()
  return undefined
}

async function receive(exchange: Exchange, optional: boolean): Promise<void> {
  const { incoming, service, assume } = exchange
  exchange.received = true
  try {
    const bytes = await readBody(incoming.body, service.assumptions.body_max_bytes)
    // An empty body where none is needed is no body.
    if (bytes.length > 0 && mayBeEmpty(exchange)) refuseMediaType(exchange)
    if (bytes.length > 0 || !optional) exchange.bytes = bytes
  } catch (error) {
    if (error instanceof ApiError && error.type === 'PAYLOAD_TOO_LARGE_ERROR') assume('body_max_bytes')
    throw error
  }
}

/** Reads the body as JSON. */
export function parseBody(exchange: Exchange): void {
  if (exchange.bytes === undefined) return
  try {
    exchange.parsed = parseJson(exchange.bytes, exchange.assume, exchange.service.assumptions)
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error
    if (exchange.assume('malformed_json_shape') === 'B') {
      throw new ApiError('BAD_REQUEST_ERROR', { message: `The request body ${error.message}.` })
    }
    throw validationError([`body ${error.message}`])
  }
}
