// Digests of the rows that an observation read: they detect other rows, and reveal no id.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { merchantKeyHeader } from '../contract/credentials.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { findRoute } from '../endpoints/routes.ts'
import { jsonOf } from './read-answer.ts'
import type { Exchange } from './request-sender.ts'
import type { Sent } from './prepare.ts'
import type { Target } from './target.ts'

/** A list of rows, of which a page may show any part. */
export interface RowList {
  /** The number of rows, if the answers show it. */
  total?: number
  /** The number of ids that were shown. */
  shown: number
  /** The smallest of their digests, in ascending order. */
  rows: string
}

/** Which rows were read. */
export interface RowsRead {
  /** Digests of the ids of the target that requests used, by kind. */
  named?: Record<string, string>
  /** By operation, with a digest of the owner of the rows. */
  lists?: Record<string, RowList>
}

const rowList: z.ZodType<RowList> = z.object({
  total: z.int().exactOptional(),
  shown: z.int(),
  rows: z.string().regex(/^[0-9a-f]{8}( [0-9a-f]{8})*$/, 'must be digests, by spaces'),
})

/** In the form of a file. */
export const rowsRead: z.ZodType<RowsRead> = z.object({
  named: z.record(z.string(), z.string()).exactOptional(),
  lists: z.record(z.string(), rowList).exactOptional(),
})

/** Maximum number of digests of a list: the smallest ones, so that equal lists have the same in any order. */
const maxDigests = 16
const digestsOf = ({ rows }: RowList): string[] => rows.split(' ')

/**
 * Returns the rows that some calls read. Rows that a run may use up are omitted, and so are those that it creates: no
 * list has those, and each run has others.
 */
export function rowsOf(exchanges: readonly Exchange[], { host, ids }: Target): RowsRead | undefined {
  const digest = (text: string): string =>
    createHash('sha256').update(`${host}\n${text}`).digest('hex').slice(0, 8)
  const named = Object.entries(ids).flatMap(([kind, id]) =>
    id !== undefined && exchanges.some(({ request }) => names(request, id))
      ? [[kind, digest(id)] as const]
      : [],
  )
  const shown = new Map<string, { ids: Set<string>; total?: number }>()
  for (const exchange of exchanges) {
    const list = listOf(exchange)
    if (!list) continue
    const key = `${list.operation}/${digest(list.whose)}`
    const known = shown.get(key) ?? { ids: new Set<string>() }
    for (const id of list.ids) known.ids.add(id)
    if (list.total !== undefined) known.total = list.total
    shown.set(key, known)
  }
  if (named.length === 0 && shown.size === 0) return undefined
  const lists = [...shown].map(([key, { ids: own, total }]): [string, RowList] => {
    const rows = [...own].map(digest).toSorted().slice(0, maxDigests)
    return [key, { ...(total === undefined ? {} : { total }), shown: own.size, rows: rows.join(' ') }]
  })
  return {
    ...(named.length === 0 ? {} : { named: Object.fromEntries(named) }),
    ...(lists.length === 0 ? {} : { lists: Object.fromEntries(lists) }),
  }
}

function names({ path, body = '' }: Sent, id: string): boolean {
  const parts = path.split(/[/?&=]/)
  return parts.includes(id) || parts.includes(encodeURIComponent(id)) || body.includes(JSON.stringify(id))
}

interface ShownList {
  operation: string
  whose: string
  ids: string[]
  total?: number
}

/**
 * Returns a page of a list; undefined for any other answer, and if a filter, whose meaning may change, selected its
 * rows.
 */
function listOf({ request, answer }: Exchange): ShownList | undefined {
  if ('notCalled' in answer || answer.status >= 300 || !isJsonObject(answer.json)) return undefined
  const { data, total } = answer.json
  const [pathname = '', query = ''] = request.path.split('?')
  const endpoint = findRoute(pathname)?.byMethod.get(request.method)
  const selected = endpoint && selectionOf(endpoint, request, new URLSearchParams(query))
  if (!Array.isArray(data) || selected === undefined) return undefined
  const ids = data.flatMap((row: unknown) => {
    const id: unknown = isJsonObject(row) ? (row['id'] ?? row['statement_id']) : undefined
    return typeof id === 'string' ? [id] : []
  })
  if (ids.length === 0) return undefined
  return {
    operation: endpoint?.id ?? '',
    whose: [pathname, selected, request.headers[merchantKeyHeader]].join('\n'),
    ids,
    ...(Number.isSafeInteger(total) ? { total: Number(total) } : {}),
  }
}

/** Returns the owner whose rows the fields of a request select; undefined if it filters them in another way. */
function selectionOf(endpoint: Endpoint, { body }: Sent, query: URLSearchParams): string | undefined {
  const filters = Object.entries(endpoint.query).filter(
    ([name, { nameFrom }]) => nameFrom === undefined && name !== 'starting_after',
  )
  if (filters.some(([name]) => query.has(name))) return undefined
  const sent = fieldsOf(body)
  const known = Object.keys(sent).filter((name) => name !== 'starting_after' && name !== 'limit')
  if (known.some((name) => !name.endsWith('_id'))) return undefined
  return JSON.stringify(known.toSorted().map((name) => [name, sent[name]]))
}

function fieldsOf(body: string | undefined): Record<string, unknown> {
  const sent = jsonOf(body)
  return isJsonObject(sent) ? sent : {}
}

/**
 * Whether two observations read rows of different accounts, or of one whose rows have changed. A page depends on order,
 * size and cursor; so a list differs only if a complete one is not part of the other, if its number of rows differs,
 * or, if that is unknown, if they have nothing in common.
 */
export function areOther(before: RowsRead, now: RowsRead): boolean {
  const named = Object.entries(before.named ?? {})
  if (named.some(([kind, digest]) => (now.named?.[kind] ?? digest) !== digest)) return true
  return Object.entries(before.lists ?? {}).some(([key, list]) => {
    const own = now.lists?.[key]
    return own !== undefined && isOtherList(list, own)
  })
}

function isOtherList(before: RowList, now: RowList): boolean {
  // Above the greatest stored digest of a full list, nothing is known.
  const ends = [before, now].map((list) => {
    const rows = digestsOf(list)
    return list.shown > rows.length ? (rows.at(-1) ?? '') : '~'
  })
  const isSaid = (row: string): boolean => ends.every((end) => row <= end)
  const [a, b] = [before, now].map((list) => digestsOf(list).filter(isSaid))
  const common = (a ?? []).filter((row) => b?.includes(row)).length
  if (common === a?.length || common === b?.length) return false
  if ([before, now].every(({ total, shown }) => total === shown)) return true
  if (before.total !== undefined && now.total !== undefined) return before.total !== now.total
  return common === 0
}
