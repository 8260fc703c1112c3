// Loads the data for a copied test from the control plane: the rows that the call read, and changed assumptions.
import { isJsonObject } from '../../../json/json-object.ts'
import type { CallFixture } from '../../../explain/fixture-of-call.ts'
import type { AssumptionView } from '../../../input/resolve-assumptions.ts'
import type { ExplainedEntry } from '../../../operations/requests.ts'
import type { ContractPoint } from '../../../coverage/points/point.ts'
import type { CopyContext } from './copied-test.ts'
import { idFieldOf } from '../row-references.ts'
import { withWholeLists, type RowDocument } from './whole-lists.ts'

/** Asks `GET` of the control plane, in the workspace of the call. */
export type Ask = <T>(path: string, query?: Readonly<Record<string, string>>) => Promise<T>

/** @param isLive whether rows can be requested: a trace has only the final rows. */
export async function copyContext(entry: ExplainedEntry, ask: Ask, isLive: boolean): Promise<CopyContext> {
  const reason = whyNot(entry)
  if (reason !== undefined) throw new Error(reason)
  const { points } = await ask<{ points: ContractPoint[] }>('/contract')
  const { assumptions } = await ask<{ assumptions: AssumptionView[] }>('/assumptions')
  const differing = assumptions.filter((assumption) => assumption.value !== assumption.default)
  const assume = Object.fromEntries(differing.map(({ id, value }) => [id, value]))
  const fixtures = isLive ? await fixturesOf(entry, ask) : undefined
  return { points, assume, ...(fixtures && { fixtures }) }
}

/** The rows that a call read, or the whole lists that it read a part of, and the row of its key; undefined for none. */
async function fixturesOf(entry: ExplainedEntry, ask: Ask): Promise<CopyContext['fixtures']> {
  const { id, key_id: key } = entry
  const path = `/requests/${encodeURIComponent(id)}`
  const { fixtures, unknown } = await ask<CallFixture>(path, { format: 'fixture' })
  const { schema_version: _version, ...read } = fixtures
  const lists = new Set([
    ...unknown.flatMap((row) => (row.id === null ? [row.collection] : [])),
    ...listsOf(entry),
  ])
  if (lists.size > 0) await requireSmall(ask)
  const rows: RowDocument =
    lists.size === 0 ? read : withWholeLists(read, await ask<RowDocument>('/state'), lists)
  const keys =
    key === null || key === 'key_full'
      ? []
      : await ask<object>(`/state/api_keys/${encodeURIComponent(key)}`).then(
          (row) => [row],
          () => [],
        )
  const all = { ...rows, ...(keys.length > 0 && { api_keys: keys }) }
  return Object.keys(all).length > 0 ? all : undefined
}

/** How many rows a workspace may have for the page to read all of them. */
const maxRowsRead = 10_000

async function requireSmall(ask: Ask): Promise<void> {
  const { counts } = await ask<{ counts: Record<string, number> }>('/state', { counts: 'true' })
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (rows > maxRowsRead)
    throw new Error(
      `The workspace has ${rows} rows, and a page of a list is copied with ${maxRowsRead} at most: copy it in a workspace with fewer rows.`,
    )
}

/** The reason why no test can repeat a call; undefined where one can. */
function whyNot({ status, request, reads }: ExplainedEntry): string | undefined {
  if (request.body_bytes !== undefined)
    return 'The journal keeps only the beginning of the request body, so that no test can send it: copy a call with a smaller body.'
  // A page begins after the id of a row, or after a token.
  const after = request.query['starting_after']
  if (status === 200 && after !== undefined && !reads.some(({ id }) => id === after))
    return 'The page token of the call is valid in its own workspace alone: copy the call that read the first page.'
  return undefined
}

/** The collections that the call read a page of: the rows of one page give another total, and no further pages. */
function listsOf({ reads, response: { body } }: ExplainedEntry): string[] {
  if (!isJsonObject(body)) return []
  const { data, has_more: hasMore, total } = body
  if (!Array.isArray(data) || (hasMore !== true && (total === undefined || Number(total) === data.length)))
    return []
  return reads.flatMap(({ collection, id }) =>
    data.some((row) => isJsonObject(row) && row[idFieldOf(collection)] === id) ? [collection] : [],
  )
}
