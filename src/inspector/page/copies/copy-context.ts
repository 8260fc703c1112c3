// Asks the control plane for what a copied test needs: the rows that the call read, and assumptions that differ.
import { isJsonObject } from '../../../json/json-object.ts'
import type { CallFixture } from '../../../explain/fixture-of-call.ts'
import type { AssumptionView } from '../../../input/resolve-assumptions.ts'
import type { ExplainedEntry } from '../../../operations/workspace-requests.ts'
import type { ContractPoint } from '../../../coverage/points/point.ts'
import type { CopyContext } from './copied-test.ts'

/** Asks `GET` of the control plane, in the workspace of the call. */
export type Ask = <T>(path: string, query?: Readonly<Record<string, string>>) => Promise<T>

/** @param isLive whether rows can be asked for: a trace has the rows of its end. */
export async function copyContext(entry: ExplainedEntry, ask: Ask, isLive: boolean): Promise<CopyContext> {
  const { points } = await ask<{ points: ContractPoint[] }>('/contract')
  const { assumptions } = await ask<{ assumptions: AssumptionView[] }>('/assumptions')
  const differing = assumptions.filter((assumption) => assumption.value !== assumption.default)
  const assume = Object.fromEntries(differing.map(({ id, value }) => [id, value]))
  const fixtures = isLive ? await fixturesOf(entry, ask) : undefined
  return { points, assume, ...(fixtures && { fixtures }) }
}

/** The rows that a call read, and the row of its key; undefined where the built-in rows do. */
async function fixturesOf(entry: ExplainedEntry, ask: Ask): Promise<CopyContext['fixtures']> {
  const { id, key_id: key } = entry
  const path = `/requests/${encodeURIComponent(id)}`
  const { fixtures, unknown } = await ask<CallFixture>(path, { format: 'fixture' })
  if (isPartOfList(entry) || unknown.some((row) => row.id === null)) return undefined
  const { schema_version: _version, ...rows } = fixtures
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

/** Whether the call read a page of several: the rows of one page give another total, and no further pages. */
function isPartOfList({ request, response: { body } }: ExplainedEntry): boolean {
  if ('starting_after' in request.query) return true
  if (!isJsonObject(body)) return false
  const { data, has_more: hasMore, total } = body
  return hasMore === true || (Array.isArray(data) && total !== undefined && Number(total) !== data.length)
}
