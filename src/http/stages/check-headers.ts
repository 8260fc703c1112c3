import type { Assume } from '../../contract/assumptions.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Received } from '../../exchange/received.ts'
import type { OpenExchange } from '../open-exchange.ts'
import { hasBody } from '../body/read-body.ts'

/** What the headers say of the body must be something the service reads (contract: Conventions). */
export function checkHeaders(exchange: OpenExchange): void {
  const refusal = refusalOf(exchange, exchange.assume)
  if (refusal) throw refusal
}

/** Why a body is not read at all, if so. @param assume notes what that rests on. */
export function refusalOf({ received, caller, service }: OpenExchange, assume: Assume): ApiError | undefined {
  const { endpoint, headers } = received
  if (!endpoint?.body || !hasBody(caller.body, headers)) return undefined
  const encoding = headers['content-encoding']
  // Nothing is decompressed: a small body could become a very large one.
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return unsupported(
      assume('unsupported_media_type') === 400 ? 400 : 415,
      'The request body must not be compressed.',
      // Sent with this refusal only, as it tells clients which of the two they met (RFC 9110, 12.5.3).
      { 'accept-encoding': 'identity' },
    )
  }
  if (isJson(headers['content-type']) || mayBeEmpty(received)) return undefined
  return mediaTypeRefusal(service, assume)
}

/** A body of unknown length may turn out to be none, and none needs no type where none is needed. */
export function mayBeEmpty({ endpoint, headers }: Received): boolean {
  return (
    endpoint?.bodyOptional === true &&
    headers['content-type'] === undefined &&
    headers['transfer-encoding'] !== undefined
  )
}

/** Refuses a body for its media type, unless that is assumed not to matter. */
export function mediaTypeRefusal(service: OpenExchange['service'], assume: Assume): ApiError | undefined {
  if (service.assumptions.unsupported_media_type === 'accept') {
    assume('unsupported_media_type')
    return undefined
  }
  return unsupported(
    assume('unsupported_media_type') === 400 ? 400 : 415,
    'The request body must be sent as Content-Type: application/json in UTF-8.',
  )
}

function unsupported(status: number, message: string, headers: Record<string, string> = {}): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE_ERROR', { status, message, headers })
}

/** JSON in UTF-8, which is the only encoding that JSON has between systems (RFC 8259). */
export function isJson(contentType: string | undefined, wanted = 'application/json'): boolean {
  if (contentType === wanted) return true
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  return (
    type.trim() === wanted &&
    parameters.every((parameter) => {
      const [name = '', value = ''] = parameter.trim().split('=')
      return name !== 'charset' || /^"?utf-?8"?$/.test(value)
    })
  )
}
