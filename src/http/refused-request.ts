// A request that is refused before it reaches the app: reads from its bytes what its client meant, and what is wrong.
import { errorRow, type ErrorType } from '../contract/errors.ts'
import type { OutcomeName } from '../contract/outcomes.ts'
import { methodsOf, methodsOfContract, routesOf } from '../endpoints/routes.ts'

/** A request that never reaches the app, as far as it was read. */
export interface RefusedRequest {
  /** `-` if the bytes name none. */
  method: string
  /** Empty if the bytes name none. */
  target: string
  /** Names and values in alternation. */
  headers: readonly string[]
  /** The port that it was sent to. */
  port: number | undefined
}

/** The reason for refusing a request before it reaches the app. */
export interface HeaderProblem {
  type: ErrorType
  message: string
  /** Its outcome, if it is not `invalid`. */
  outcome?: OutcomeName
}

/** The error of the parser of Node. */
export type ParseError = Error & {
  code?: string
  /** The bytes in which it stopped. */
  rawPacket?: Buffer
  /** How many of them it has read. */
  bytesParsed?: number
}

/** Problems with one explanation each, by the code of the parser. */
const messages: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'The request target must begin with a slash and be percent-encoded.',
  HPE_INVALID_CONSTANT: 'The request line must be METHOD TARGET HTTP/1.1.',
  HPE_INVALID_VERSION: 'The version of HTTP must be 1.0 or 1.1.',
  HPE_INVALID_HEADER_TOKEN:
    'A header line is not "name: value", or has a character that headers must not have.',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length must be one number.',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Content-Length must be sent only once, and not with Transfer-Encoding.',
  HPE_INVALID_TRANSFER_ENCODING:
    'Transfer-Encoding must end in chunked, and must not be sent with Content-Length.',
  HPE_INVALID_CHUNK_SIZE: 'The size of a chunk must be a hexadecimal number that ends in CR LF.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The extensions of the chunks are too large.',
  HPE_INVALID_EOF_STATE: 'The connection ended within the request.',
  HPE_CR_EXPECTED: 'A line must end in CR LF.',
  HPE_LF_EXPECTED: 'A line must end in CR LF.',
  HPE_STRICT: 'A line must end in CR LF.',
}

/** Problems of the line that the parser stopped in, which then begins with a method. */
const ofRequestLine = new Set(['HPE_INVALID_URL', 'HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION'])

/** A line with a method and a target. */
const requestLine = /^([!#-'*+.^-z|~\w-]+) (\S+)/

/** The same with a version, as no other line of a request has it. */
const wholeRequestLine = new RegExp(`${requestLine.source} HTTP/\\d\\.\\d\\r?$`, 'gm')

/** Returns the request, as far as the bytes show it, and the reason for its refusal. */
export function readRefused(
  { code = '', rawPacket, bytesParsed = 0 }: ParseError,
  port: number | undefined,
): { request: RefusedRequest; problem: HeaderProblem } {
  const bytes = rawPacket?.toString('latin1') ?? ''
  const lineEnd = bytes.indexOf('\n', bytesParsed)
  const read = lineEnd === -1 ? bytes : bytes.slice(0, lineEnd)
  const [, method = '-', target = ''] = requestLineOf(code, read) ?? []
  const request = { method, target: Buffer.from(target, 'latin1').toString(), headers: [], port }
  return { request, problem: problemOf(code, bytes, method) }
}

/** @param read the bytes until the end of the line that the parser stopped in; earlier requests may precede it. */
function requestLineOf(code: string, read: string): readonly string[] | undefined {
  const line = read.slice(read.lastIndexOf('\n') + 1)
  if (ofRequestLine.has(code)) return requestLine.exec(line) ?? undefined
  const searched = code === 'HPE_INVALID_METHOD' ? line : read
  return [...searched.matchAll(wholeRequestLine)].at(-1)
}

/** @param method `-` if no request line was read. */
function problemOf(code: string, bytes: string, method: string): HeaderProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return ofType('HEADERS_TOO_LARGE_ERROR')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ofType('REQUEST_TIMEOUT_ERROR')
  // The first bytes of each TLS connection: a handshake, and the major version.
  if (bytes.startsWith('\x16\x03'))
    return invalid('This port speaks http, not https: use http:// in the URL.')
  if (bytes.startsWith('PRI * HTTP/2.0')) return invalid('This port speaks HTTP/1.1, not HTTP/2.')
  if (code === 'HPE_INVALID_METHOD' && method !== '-') {
    const known = methodsOf(routesOf())
      .split(', ')
      .find((name) => name === method.toUpperCase())
    const message = known
      ? `Methods are case-sensitive: ${known}, not ${method}.`
      : `Unknown method: the API has ${methodsOfContract}.`
    return { ...invalid(message), outcome: 'unmatched' }
  }
  return invalid(messages[code] ?? 'This is not an HTTP request.')
}

function ofType(type: HeaderProblem['type']): HeaderProblem {
  return { type, message: errorRow(type).message }
}

function invalid(message: string): HeaderProblem {
  return { type: 'BAD_REQUEST_ERROR', message }
}
