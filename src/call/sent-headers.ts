// The headers of a request: all as they arrived, and the known ones, extracted once for calls with equal headers.

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

/** Their values. A repeated header is joined by ", ", as HTTP defines it. */
export type KnownHeaders = { readonly [Name in KnownHeader]?: string }

/** The headers of one call, or of several calls with equal ones. */
export interface SentHeaders {
  /** Names and values in alternation, as they arrived. */
  readonly raw: readonly string[]
  readonly known: KnownHeaders
  /** Their total length. */
  readonly size: number
}

const known: ReadonlySet<string> = new Set(knownHeaders)

function isKnown(name: string): name is KnownHeader {
  return known.has(name)
}

/** The last headers for each number of headers. */
const last: (SentHeaders | undefined)[] = []

/**
 * Returns the headers of a call. A client sends the same ones repeatedly: they are then shared with the previous call,
 * which saves 1 µs of parsing, and a dozen long-lived objects in the journal.
 *
 * @param raw names and values in alternation; a text equal to that of the previous call is replaced by it.
 */
export function sentHeaders(raw: string[]): SentHeaders {
  const before = last[raw.length]
  if (before && shareTexts(raw, before.raw)) return before
  const headers = { raw, known: pickOut(raw), size: sizeOf(raw) }
  last[raw.length] = headers
  return headers
}

/** Replaces equal texts by shared ones; true if all are shared. */
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
 * Extracts the known headers from those of a socket. Node's own object has only the first of two Authorization
 * headers; here repeated headers are joined, so that neither of two keys is used.
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
