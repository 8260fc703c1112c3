// The headers of a request: all as they came, and those that decide something, picked out once for calls that send
// the same.

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
  'x-sandbox-test',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
] as const

type KnownHeader = (typeof knownHeaders)[number]

/** Their values. A header that was sent twice is joined by ", ", as HTTP has it. */
export type KnownHeaders = { readonly [Name in KnownHeader]?: string }

/** What one call sent as headers, or several that sent the same. */
export interface SentHeaders {
  /** Names and values in turns, as they came. */
  readonly raw: readonly string[]
  readonly known: KnownHeaders
  /** How long all of them are together. */
  readonly size: number
}

const known: ReadonlySet<string> = new Set(knownHeaders)

function isKnown(name: string): name is KnownHeader {
  return known.has(name)
}

/** The last headers of each number of headers. */
const last: (SentHeaders | undefined)[] = []

/**
 * The headers of a call. A client sends the same ones again and again: they are then those of the call before, which
 * saves 1 µs of reading them, and the journal a dozen objects that live long enough to cost something.
 *
 * @param raw names and values in turns; a text that the call before sent, too, is replaced by that.
 */
export function sentHeaders(raw: string[]): SentHeaders {
  const before = last[raw.length]
  if (before && shareTexts(raw, before.raw)) return before
  const headers = { raw, known: pickOut(raw), size: sizeOf(raw) }
  last[raw.length] = headers
  return headers
}

/** Puts the texts of others in place of equal ones; true when that is all of them. */
function shareTexts(raw: string[], others: readonly string[]): boolean {
  let alike = true
  for (let at = 0; at < raw.length; at++) {
    const other = others[at]
    if (other !== undefined && raw[at] === other) raw[at] = other
    else alike = false
  }
  return alike
}

/**
 * Picks the headers we know out of what a socket gives. Node's own object keeps the first of two Authorization
 * headers; here a header that was sent twice is joined, so that none of two keys is ever picked.
 */
function pickOut(raw: readonly string[]): KnownHeaders {
  const headers: { [Name in KnownHeader]?: string } = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!isKnown(name)) continue
    const value = raw[at + 1] ?? ''
    const before = headers[name]
    headers[name] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}

function sizeOf(raw: readonly string[]): number {
  let size = 0
  for (const text of raw) size += text.length
  return size
}
