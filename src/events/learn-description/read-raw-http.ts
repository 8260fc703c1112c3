// Reads a captured request as raw HTTP: request line, headers, an empty line, body.
import { DocumentError } from '../../input/problems.ts'
import { headersOf, problemOfBody, type CapturedRequest } from './captured-request.ts'

/**
 * Reads raw HTTP, with CRLF or LF. Empty lines and comments before the request line, as editors write them, are ignored.
 *
 * @param name the name of the file in messages.
 * @throws {DocumentError} with the line that is no HTTP.
 * @example
 * readRawHttp('POST /webhooks HTTP/1.1\nx-signature: sha256=…\n\n{"id":"evt_1"}', 'captured.http')
 */
export function readRawHttp(text: string, name: string): CapturedRequest {
  const refuse = (line: number, message: string): DocumentError =>
    new DocumentError([{ source: name, line, path: '', message }])
  const blank = /^(?:(?:#.*|\/\/.*)?\r?\n)*/.exec(text)?.[0] ?? ''
  const first = blank.split('\n').length
  const content = text.slice(blank.length)
  const end = /\r?\n\r?\n/.exec(content)
  const head = (end ? content.slice(0, end.index) : content).split(/\r?\n/)
  const [requestLine = '', ...lines] = head
  const [, method, target = ''] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(requestLine) ?? []
  if (method === undefined)
    throw refuse(first, 'must begin with a request line, such as POST /webhooks HTTP/1.1')
  const pairs = lines.map((line, index): [string, string] => {
    const [, header, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (header === undefined || value === undefined)
      throw refuse(
        first + 1 + index,
        'must be a header, such as webhook-id: evt_1, or an empty line before the body',
      )
    return [header, value]
  })
  if (pairs.length === 0) throw refuse(first + 1, 'has no headers; expected them after the request line')
  const headers = headersOf(pairs)
  const rest = end ? content.slice(end.index + end[0].length) : ''
  const problem = problemOfBody(headers, rest)
  if (problem !== undefined) throw refuse(first + head.length, problem)
  return { position: undefined, target, headers, ...bodiesOf(rest, headers.get('content-length')) }
}

/** A body may end with a line break of the editor, unless its length says otherwise. */
function bodiesOf(
  rest: string,
  length: string | undefined,
): Pick<CapturedRequest, 'bodies' | 'declaredLength'> {
  const declared = length !== undefined && /^\d{1,9}$/.test(length) ? Number(length) : undefined
  const bodies = [rest, rest.replace(/\r?\n$/, ''), rest.trim()]
  const exact = bodies.find((body) => Buffer.byteLength(body) === declared)
  if (exact !== undefined) return { bodies: [exact] }
  const [first = rest, ...others] = new Set(bodies)
  return { bodies: [first, ...others], ...(declared === undefined ? {} : { declaredLength: declared }) }
}
