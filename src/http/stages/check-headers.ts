// Content-Type and Content-Encoding: 415 for a body that is compressed or not JSON in UTF-8.
import type { Assume } from '../../contract/assumptions.ts'
import type { ApiError } from '../../contract/errors.ts'
import { hasBody } from '../body/read-body.ts'
import type { ServedCall } from '../served-call.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'

const unsupported: Pick<Failure, 'type' | 'status'> = {
  type: 'UNSUPPORTED_MEDIA_TYPE_ERROR',
  status: (assume) => (assume('unsupported_media_type') === 400 ? 400 : 415),
}

const notJson: Failure = { ...unsupported, on: 'The body is not application/json in UTF-8.' }

/** Nothing is decompressed: a small body could become a very large one. */
const compressed: Failure = {
  ...unsupported,
  name: 'compressed_body',
  on: 'The body is compressed.',
  message: 'The request body must not be compressed.',
  // Sent with this refusal only, as it tells clients which of the two they met (RFC 9110, 12.5.3).
  headers: ['accept-encoding'],
}

/** What the headers say of the body must be something the service reads (contract: Conventions). */
export const checkHeaders: Stage = {
  failures(endpoint, values) {
    if (!endpoint?.body) return []
    return values.unsupported_media_type === 'accept' ? [compressed] : [notJson, compressed]
  },
  run(call) {
    const refusal = refusalOf(call, call.assume)
    if (refusal) throw refusal
  },
}

/** Why a body is not read at all, if so. @param assume notes what that rests on. */
export function refusalOf(call: ServedCall, assume: Assume): ApiError | undefined {
  const { request, client, headers } = call
  const { endpoint } = request
  if (!endpoint?.body || !hasBody(client.body)) return undefined
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return errorOf(compressed, { request, assume })
  }
  if (isJson(headers['content-type']) || mayBeEmpty(call)) return undefined
  return mediaTypeRefusal(call, assume)
}

/** A body of unknown length may turn out to be none, and none needs no type where none is needed. */
export function mayBeEmpty({ request, headers }: ServedCall): boolean {
  return (
    request.endpoint?.bodyOptional === true &&
    headers['content-type'] === undefined &&
    headers['transfer-encoding'] !== undefined
  )
}

/** Refuses a body for its media type, unless that is assumed not to matter. */
export function mediaTypeRefusal({ request }: ServedCall, assume: Assume): ApiError | undefined {
  if (assume('unsupported_media_type') === 'accept') return undefined
  const message = 'The request body must be sent as Content-Type: application/json in UTF-8.'
  return errorOf(notJson, { request, assume }, { message })
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
