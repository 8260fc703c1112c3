import type { KnownHeaders } from './exchange.ts'

/** The headers that decide something; the names are those of `KnownHeaders`. */
const names = {
  authorization: true,
  'x-service-version': true,
  'x-service-merchant-key': true,
  'content-type': true,
  'content-encoding': true,
  'content-length': true,
  'transfer-encoding': true,
  'idempotency-key': true,
  'x-sandbox-scenario': true,
  origin: true,
  'access-control-request-method': true,
} satisfies Record<keyof KnownHeaders, true>

function isKnown(name: string): name is keyof KnownHeaders {
  return Object.hasOwn(names, name)
}

/** The headers of a call in process, as a socket gives them; a copy, as its caller may change them for the next. */
export function rawHeadersOf(headers: Headers): string[] {
  const raw: string[] = []
  for (const [name, value] of headers) raw.push(name, value)
  return raw
}

/**
 * Picks the headers we know out of what a socket gives: names and values in turns. Node's own object keeps the first
 * of two Authorization headers; here a header that was sent twice is joined, so that none of two keys is ever picked.
 */
export function fromRawHeaders(raw: readonly string[]): KnownHeaders {
  const known: KnownHeaders = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!isKnown(name)) continue
    const value = raw[at + 1] ?? ''
    const before = known[name]
    known[name] = before === undefined ? value : `${before}, ${value}`
  }
  return known
}
