// Loads earlier calls of the journal page by page, as all bodies together may be many megabytes.
import type { JournalEntry } from '../../journal/entry.ts'
import { maxCalls } from './recent-calls.ts'
import type { ControlRequest, Source, StreamedEntry } from './source.ts'

/** The number of calls per request. */
const atOnce = 500

/**
 * @param requested the workspace and a filter, as `GET /requests` takes it.
 * @param found takes each part, newest first, and each part is older than the one before.
 */
export async function earlierCalls(
  source: Pick<Source, 'ask'>,
  requested: ControlRequest,
  found: (calls: StreamedEntry[]) => void,
): Promise<void> {
  let before: string | undefined
  for (let count = 0; count < maxCalls; count += atOnce) {
    const calls = await someCalls(source, requested, before)
    found(calls)
    before = calls.at(-1)?.id
    if (calls.length < atOnce || requested.signal?.aborted) return
  }
}

/** The newest of them. @param before the id of one that all are older than. */
export async function someCalls(
  source: Pick<Source, 'ask'>,
  requested: ControlRequest,
  before?: string,
): Promise<StreamedEntry[]> {
  const query = { ...requested.query, before, limit: atOnce }
  const { requests } = await source.ask<{ requests: JournalEntry[] }>('GET', '/requests', {
    ...requested,
    query,
  })
  return requests.map(({ request: _request, response: _response, ...entry }) => entry)
}
