// The request headers that decide something, picked out of all that were sent.

const knownHeaders = [
  'authorization',
  'x-service-version',
  'x-service-merchant-key',
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'idempotency-key',
  'x-sandbox-scenario',
  'origin',
  'access-control-request-method',
] as const

type KnownHeader = (typeof knownHeaders)[number]

/** Their values. A header that was sent twice is joined by ", ", as HTTP has it. */
export type KnownHeaders = { [Name in KnownHeader]?: string }

const known: ReadonlySet<string> = new Set(knownHeaders)

function isKnown(name: string): name is KnownHeader {
  return known.has(name)
}

/**
 * Picks the headers we know out of what a socket gives: names and values in turns. Node's own object keeps the first
 * of two Authorization headers; here a header that was sent twice is joined, so that none of two keys is ever picked.
 */
export function fromRawHeaders(raw: readonly string[]): KnownHeaders {
  const headers: KnownHeaders = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!isKnown(name)) continue
    const value = raw[at + 1] ?? ''
    const before = headers[name]
    headers[name] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}
