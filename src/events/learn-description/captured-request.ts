// A request of a real service that was captured in a file: the one thing from which a description is learned.

/** A captured delivery. */
export interface CapturedRequest {
  /** Its position in a file of several requests, such as `entry 2 of 5`; undefined if it is the whole file. */
  readonly position: string | undefined
  /** The path or URL that it was sent to. */
  readonly target: string
  /** Headers by their names in lower case; those that were sent several times are joined, as HTTP does. */
  readonly headers: ReadonlyMap<string, string>
  /** Bodies that may have been sent, the likeliest first: an editor may have added a line break to the file. */
  readonly bodies: readonly [string, ...string[]]
  /** The `content-length` of the request, if the body in the file has another one. */
  readonly declaredLength?: number
}

/** The requests of a file that may be deliveries. */
export type CapturedRequests = readonly [CapturedRequest, ...CapturedRequest[]]

/** Maximum size of a body in bytes: the search signs it thousands of times. */
export const maxBody = 2 ** 20

/** Joins headers of one name, in lower case. */
export function headersOf(pairs: Iterable<readonly [name: string, value: string]>): Map<string, string> {
  const headers = new Map<string, string>()
  for (const [written, value] of pairs) {
    const name = written.toLowerCase()
    const earlier = headers.get(name)
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return headers
}

/** Returns why the body of a request cannot be verified; undefined if it can. */
export function problemOfBody(headers: ReadonlyMap<string, string>, body: string): string | undefined {
  if (body.trim() === '') return 'has no body; expected the body behind an empty line'
  const length = Buffer.byteLength(body)
  if (length > maxBody) return `has a body of ${length} bytes, and at most ${maxBody} can be searched`
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') return `has a body in the encoding ${encoding}: save it as it was before`
  if (/chunked/i.test(headers.get('transfer-encoding') ?? '') && /^[0-9a-f]+(?:;[^\n]*)?\r?\n/i.test(body))
    return 'has a body in chunks: save the body itself, without the lengths of the chunks'
  return undefined
}
