// The journal as an HTTP Archive (HAR 1.2).
import { STATUS_CODES } from 'node:http'
import type { Call } from '../call/index.ts'
import { stringify } from '../json/stringify.ts'
import { packageVersion } from '../runtime/host.ts'
import type { JournalEntry } from './entry.ts'

/** The facts of a call that its entry does not have: it is written on the sandbox clock, with hidden secrets. */
export interface Transfer {
  /** The origin of the request URL. */
  origin: string
  /** When the request arrived, in ms on the clock of the machine. */
  machine_time: number
  /** The sizes of the bodies in bytes. */
  request_bytes: number
  response_bytes: number
}

/** Returns the facts of a call that a HAR has in addition to its entry. */
export function transferOf({ request, outcome }: Call): Transfer {
  const isHead = request.method === 'HEAD'
  return {
    origin: request.origin,
    machine_time: outcome.machineTime,
    request_bytes: request.bodyBytes ?? Buffer.byteLength(request.body ?? ''),
    response_bytes: isHead ? 0 : (outcome.bodyBytes ?? Buffer.byteLength(outcome.body ?? '')),
  }
}

/**
 * Returns entries as an HTTP Archive (HAR 1.2), which browsers' network panels and many tools open; oldest first.
 *
 * @param entries newest first.
 */
export function harOf(entries: readonly { entry: JournalEntry; transfer: Transfer }[]): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'partner-rewards-sandbox', version: packageVersion() },
      // No call belongs to a page; some viewers need the list.
      pages: [],
      entries: entries.toReversed().map(({ entry, transfer }) => harEntry(entry, transfer)),
    },
  }
}

function harEntry({ request, response, ...entry }: JournalEntry, transfer: Transfer): object {
  const query = pairs(request.query)
  const search = new URLSearchParams(
    query.map(({ name, value }): [string, string] => [name, value]),
  ).toString()
  const sent = textOf(request.body)
  const answered = textOf(response.body)
  const typeOf = (headers: Record<string, string | string[]>): string => String(headers['content-type'] ?? '')
  return {
    // The sandbox clock may be frozen: then viewers, which sort by time, would have no order.
    startedDateTime: new Date(transfer.machine_time).toISOString(),
    time: entry.duration_ms,
    request: {
      method: entry.method,
      url: transfer.origin + entry.path + (search === '' ? '' : `?${search}`),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: query,
      headersSize: -1,
      bodySize: transfer.request_bytes,
      ...(sent === '' ? {} : { postData: { mimeType: typeOf(request.headers), text: sent } }),
    },
    response: {
      // The format uses 0 for a response that was not received.
      status: entry.status ?? 0,
      statusText: (entry.status && STATUS_CODES[entry.status]) || '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: { size: transfer.response_bytes, mimeType: typeOf(response.headers), text: answered },
      redirectURL: '',
      headersSize: -1,
      bodySize: transfer.response_bytes,
    },
    cache: {},
    timings: { send: 0, wait: entry.duration_ms, receive: 0 },
    // Custom fields start with an underscore, as the format requires.
    _id: entry.id,
    _sandbox_time: entry.at,
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
