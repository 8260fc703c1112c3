// A page of a list that is read as a whole, once for each call: the lists of the operations outside the contract.
import { z } from 'zod'
import { valuesOf } from '../contract/assumptions.ts'
import { documented, exampleOf } from '../contract/docs.ts'
import { idField } from '../store/references.ts'
import type { CollectionName, Row } from '../store/rows.ts'
import type { IndexPosition } from '../store/table.ts'
import { pageOf, type AnyCall, type QueryParameter } from './define.ts'
import { noteSize, startOfPage } from './paging.ts'
import { startingAfter, uncappedPageSize } from './parameters.ts'

/** The query parameters of a list that pages by id. @param example the id of a row. */
export const pageParameters = (noun: string, example: string) =>
  ({
    limit: {
      schema: uncappedPageSize,
      description: `The maximum number of ${noun} on the page.`,
      example: '10',
    } satisfies QueryParameter,
    starting_after: startingAfter(`The id of the row after which the page starts.`, example),
  }) as const

/** A query parameter that a field of the listed rows must equal. */
export const filterBy = (description: string, example: string) => ({
  schema: z.string().optional(),
  description,
  example,
})

/** The schema of a page, with its description and an example. */
export const describedPage = <S extends z.ZodType>(
  item: S,
  description: string,
): ReturnType<typeof pageOf<S>> =>
  documented(pageOf(item), {
    description,
    examples: [{ data: [exampleOf(item)], has_more: false, total: 1 }],
  })

/** The part of a collection that a page of rows needs. */
export interface List<C extends CollectionName> {
  collection: C
  /** The rows in the order of the list. */
  rows(): readonly Row<C>[]
  /** The beginning of the ids of its rows. */
  prefix: string
  /** Fields that no two rows may share, which a scenario omits when it adds a row. */
  unique?: readonly (keyof Row<C>)[]
  /** The field that dates a row, in a list that has the newest first. A scenario adds a row of now. */
  datedBy?: 'created_at' | 'posted_at'
}

/** The page inputs of a call. */
export interface PageInputs {
  limit?: number | undefined
  starting_after?: string | undefined
}

/** Returns the rows of the requested page, whether there are more, and how many there are. */
export function pageOfRows<C extends CollectionName>(
  call: Pick<AnyCall, 'tx' | 'now' | 'values' | 'assume' | 'invalid' | 'paging'>,
  { collection, rows: readRows, prefix, unique = [], datedBy }: List<C>,
  { limit, starting_after: cursor }: PageInputs,
): { data: Row<C>[]; has_more: boolean; total: number } {
  const { tx, values, assume, paging } = call
  let known: readonly Row<C>[] | undefined
  const rows = (): readonly Row<C>[] => (known ??= readRows())
  const idOf = (row: Row<C>): string => String(Reflect.get(row, idField(collection)))
  const positionOf = (row: Row<C>): IndexPosition => ({ order: '', id: idOf(row) })
  const placeOf = ({ id }: IndexPosition): number => rows().findIndex((row) => idOf(row) === id)
  const find = (id: string): IndexPosition | undefined => {
    const position = { order: '', id }
    return placeOf(position) === -1 ? undefined : position
  }
  const count = (): number => rows().length
  const noun = collection.replace(/s$/, '').replaceAll('_', ' ')
  const start = startOfPage(call, cursor, find, `starting_after: must be the id of a listed ${noun}`)
  if (start === 'nowhere') return { data: [], has_more: false, total: count() }
  const total = paging.total(count)
  const size = limit ?? values.default_page_size
  const page = paging.cut<Row<C>>({
    limit: size,
    start,
    scan(after, most) {
      const from = after === undefined ? 0 : placeOf(after) + 1
      return rows().slice(from, from + most)
    },
    total: count,
    rowAt: ({ id }) => tx.get(collection, id),
    positionOf,
    insert(like) {
      const copy = { ...like, [idField(collection)]: tx.nextId(collection, prefix) }
      for (const field of [...unique, 'updated_at'] as const) Reflect.deleteProperty(copy, field)
      if (datedBy !== undefined) Reflect.set(copy, datedBy, new Date(call.now).toISOString())
      tx.put(collection, copy)
      known = undefined
    },
    remove(row) {
      tx.deleteWithDependents(collection, idOf(row))
      known = undefined
    },
  })
  if (limit === undefined)
    noteSize('default_page_size', valuesOf('default_page_size'), { size, page, assume })
  return { data: page.rows, has_more: page.more, total }
}

/** A list without pages. */
export const listOf = <S extends z.ZodType>(item: S) => z.strictObject({ data: z.array(item) })

/** Orders rows by an instant, the newest first; rows of equal instants by ascending id. */
export function newestBy<R extends { id: string }>(
  rows: readonly R[],
  instantOf: (row: R) => string | undefined,
): R[] {
  const dated = rows.map((row) => ({ row, time: Date.parse(instantOf(row) ?? '') || 0 }))
  dated.sort((a, b) => b.time - a.time || (a.row.id < b.row.id ? -1 : 1))
  return dated.map(({ row }) => row)
}
