// Checks Content-Type and Content-Encoding: 415 for a body that is compressed or not JSON in UTF-8.
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

/** The sandbox decompresses no body: a small one could become very large. */
const compressed: Failure = {
  ...unsupported,
  name: 'compressed_body',
  on: 'The body is compressed.',
  message: 'The request body must not be compressed.',
  // Only this refusal has the header, so that clients can distinguish it from `notJson` (RFC 9110, 12.5.3).
  headers: ['accept-encoding'],
}

/** Refuses a body whose headers declare a format that the service does not read (contract: Conventions). */
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

/** The error for a body that is not to be read, if any. @param assume records the assumptions that decide this. */
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

/** Whether a body of unknown length may turn out empty: an optional body that is empty needs no Content-Type. */
export function mayBeEmpty({ request, headers }: ServedCall): boolean {
  return (
    request.endpoint?.bodyOptional === true &&
    headers['content-type'] === undefined &&
    headers['transfer-encoding'] !== undefined
  )
}

/** The error for a body's media type; undefined if all media types are assumed to be accepted. */
export function mediaTypeRefusal({ request }: ServedCall, assume: Assume): ApiError | undefined {
  if (assume('unsupported_media_type') === 'accept') return undefined
  const message = 'The request body must be sent as Content-Type: application/json in UTF-8.'
  return errorOf(notJson, { request, assume }, { message })
}

/** Whether a Content-Type is JSON in UTF-8, the only encoding of JSON between systems (RFC 8259). */
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
