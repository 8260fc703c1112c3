// The journal as an HTTP Archive (HAR 1.2).
import { STATUS_CODES } from 'node:http'
import { stringify } from '../json/stringify.ts'
import { packageVersion } from '../runtime/host.ts'
import type { JournalEntry } from './entry.ts'

/**
 * Returns entries as an HTTP Archive (HAR 1.2), which browsers' network panels and many tools open; oldest first.
 *
 * @param entries newest first, with the origin that each was sent to.
 */
export function harOf(entries: readonly { entry: JournalEntry; origin: string }[]): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'partner-rewards-sandbox', version: packageVersion() },
      entries: entries.toReversed().map(({ entry, origin }) => harEntry(entry, origin)),
    },
  }
}

function harEntry({ request, response, ...entry }: JournalEntry, origin: string): object {
  const query = pairs(request.query)
  const search = new URLSearchParams(
    query.map(({ name, value }): [string, string] => [name, value]),
  ).toString()
  const sent = textOf(request.body)
  const answered = textOf(response.body)
  const sentBytes = request.body_bytes ?? Buffer.byteLength(sent)
  const answeredBytes = response.body_bytes ?? Buffer.byteLength(answered)
  const typeOf = (headers: Record<string, string | string[]>): string => String(headers['content-type'] ?? '')
  return {
    startedDateTime: entry.at,
    time: entry.duration_ms,
    request: {
      method: entry.method,
      url: origin + entry.path + (search === '' ? '' : `?${search}`),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: query,
      headersSize: -1,
      bodySize: sentBytes,
      ...(sent === '' ? {} : { postData: { mimeType: typeOf(request.headers), text: sent } }),
    },
    response: {
      // The format uses 0 for a response that was not received.
      status: entry.status ?? 0,
      statusText: (entry.status && STATUS_CODES[entry.status]) || '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: { size: answeredBytes, mimeType: typeOf(response.headers), text: answered },
      redirectURL: '',
      headersSize: -1,
      bodySize: answeredBytes,
    },
    cache: {},
    timings: { send: 0, wait: entry.duration_ms, receive: 0 },
    // Custom fields start with an underscore, as the format requires.
    _id: entry.id,
    _operation: entry.operation,
    _outcome: entry.outcome,
  }
}

function pairs(values: Record<string, string | string[]>): { name: string; value: string }[] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((single) => ({ name, value: single })),
  )
}

function textOf(body: unknown): string {
  if (body === null) return ''
  return typeof body === 'string' ? body : stringify(body)
}
