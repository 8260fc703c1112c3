import { describe, expect, it } from 'vitest'
import { invalid } from '../helpers/answers.ts'
import { testNow } from '../helpers/sandbox.ts'
import { answer, headers, whole, type Whole } from '../helpers/catalogue-answers.ts'
import { armed, callUnchecked, open, type Stage } from '../helpers/catalogue-stage.ts'
import { golden, worlds, type World } from '../helpers/catalogue-worlds.ts'
import { drawn } from '../setup/samples.ts'

/**
 * Built-in scenarios of pages, in both dialects of the contract: every page of a walk before, during and after, with
 * its status, headers and body.
 */

type Row = Record<string, unknown>

/** A list as a client walks it. */
interface Dialect {
  path(world: World): string
  /** The field that identifies a row. */
  id: string
  ids(world: World): string[]
  /** Customers count all matches on every page; statements carry a token instead. */
  hasTotal: boolean
  cursorRule: string
  /** The own fields of a new row of another client, in addition to its id. */
  newRow: Row
}

const customers: Dialect = {
  path: () => '/v2/customers',
  id: 'id',
  ids: (world) => world.customers,
  hasTotal: true,
  cursorRule: 'starting_after: must be the id of a customer',
  newRow: { created_at: testNow },
}

const statements: Dialect = {
  path: ({ ids }) => `/v2/customers/${ids.customer}/accounts/${ids.account}/statements`,
  id: 'statement_id',
  ids: (world) => world.statements,
  hasTotal: false,
  cursorRule: 'starting_after: must be the next_page_token of the previous page',
  newRow: { period_end_date: testNow },
}

const dialects = { customers, statements }
type List = keyof typeof dialects

/**
 * Asks for one page. What it rests on is left out, as that depends on which rows the page would hold if it had another
 * size or order; `test/http/named-assumptions.property.test.ts` holds that for pages as well.
 */
async function pageAfter(
  sandbox: Stage,
  path: string,
  limit: number,
  cursor: string | undefined,
  isChecked: boolean,
): Promise<Whole> {
  const query = cursor === undefined ? '' : `&starting_after=${encodeURIComponent(cursor)}`
  const url = `${path}?limit=${limit}${query}`
  const page = whole(isChecked ? await sandbox.call('GET', url) : await callUnchecked(sandbox, ['GET', url]))
  const { 'x-sandbox-assumptions': _restsOn, ...rest } = page.headers
  return { ...page, headers: rest }
}

interface Page {
  data: Row[]
  has_more: boolean
  next_page_token?: string
}

/** Walks a list as a client does, until there is no more or no way on; at most so many pages. */
async function walk(
  sandbox: Stage,
  world: World,
  { path, id, hasTotal }: Dialect,
  limit: number,
  { most = 60, isChecked = true }: { most?: number; isChecked?: boolean } = {},
): Promise<Whole[]> {
  const pages: Whole[] = []
  let cursor: string | undefined
  while (pages.length < most) {
    const page = await pageAfter(sandbox, path(world), limit, cursor, isChecked)
    pages.push(page)
    if (page.status !== 200) break
    const { data, has_more: more, next_page_token: token } = page.body as Page
    if (!more) break
    if (hasTotal) cursor = (data.at(-1)?.[id] as string | undefined) ?? cursor
    else if (token === undefined) break
    else cursor = token
  }
  return pages
}

/** The rows of a list as one page holds them, by their ids. */
async function rowsOf(world: World, dialect: Dialect): Promise<Map<string, Row>> {
  const page = await pageAfter(await open(world), dialect.path(world), 100, undefined, true)
  const { data } = page.body as Page
  return new Map(data.map((row) => [String(row[dialect.id]), row]))
}

/** A list cut into pieces of a size. */
const cut = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, place) =>
    ids.slice(place * size, (place + 1) * size),
  )

interface Expected {
  /** The ids on each page. */
  pages: string[][]
  /** The total on each page, where the list has one; the number of rows if left out. */
  totals?: number[]
  /** Whether the last page says that there is more. */
  endsWithMore?: boolean
  /** Whether pages that have more lack their token. */
  lacksToken?: boolean
}

/** The whole answers of a walk. */
function answersOf(
  dialect: Dialect,
  rows: ReadonlyMap<string, Row>,
  { pages, totals, endsWithMore = false, lacksToken = false }: Expected,
): Whole[] {
  return pages.map((ids, place) => {
    const more = place < pages.length - 1 || endsWithMore
    const data = ids.map((id) => rows.get(id) ?? { unknown: id })
    const rest = dialect.hasTotal
      ? { has_more: more, total: totals?.[place] ?? rows.size }
      : {
          has_more: more,
          ...(more && !lacksToken ? { next_page_token: expect.stringMatching(/^[\w-]+$/) } : {}),
        }
    return answer(200, { data, ...rest })
  })
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** The effect of a scenario on a walk through a list with these ids; omitted if it does not apply to the list. */
interface PageCase {
  name: string
  list: List
  limit: number
  during(ids: string[]): Expected
  isChecked?: boolean
  most?: number
  /** The ids that are left afterwards; a new row stands as `new`. All of them if left out. */
  left?(ids: string[]): string[]
}

const both = (one: Omit<PageCase, 'list'>): PageCase[] => [
  { ...one, list: 'customers' },
  { ...one, list: 'statements' },
]

const cases: PageCase[] = [
  ...both({ name: 'empty', limit: 2, during: () => ({ pages: [[]], totals: [0] }) }),
  ...both({ name: 'one-per-page', limit: 2, during: (ids) => ({ pages: cut(ids, 1) }) }),
  ...both({
    name: 'empty-page-with-more',
    limit: 2,
    during: (ids) => ({ pages: [[], ...cut(ids, 2)] }),
  }),
  ...both({
    name: 'insert-while-walking',
    limit: 2,
    during: (ids) => {
      const pages = cut(ids, 2)
      return { pages, totals: [ids.length, ...times(pages.length - 1, ids.length + 1)] }
    },
    left: (ids) => ['new', ...ids],
  }),
  ...both({
    name: 'delete-while-walking',
    limit: 2,
    during: (ids) => {
      const rest = cut(ids.slice(3), 2)
      const pages = [ids.slice(0, 2), ...(rest.length === 0 ? [[]] : rest)]
      return { pages, totals: [ids.length, ...times(pages.length - 1, ids.length - 1)] }
    },
    left: (ids) => ids.toSpliced(2, 1),
  }),
  ...both({
    name: 'repeated-item',
    limit: 2,
    during: (ids) => ({
      pages: cut(ids, 2).map((page, place) => (place === 0 ? page : [ids[place * 2 - 1] ?? '', ...page])),
    }),
  }),
  {
    name: 'missing-cursor',
    list: 'statements',
    limit: 2,
    // Off contract: where there is more, there is a token.
    isChecked: false,
    during: (ids) => ({ pages: [ids.slice(0, 2)], endsWithMore: true, lacksToken: true }),
  },
  {
    name: 'repeated-cursor',
    list: 'statements',
    limit: 2,
    most: 5,
    during: (ids) => ({
      pages: [ids.slice(0, 2), ...times(4, ids.slice(2, 4))],
      endsWithMore: true,
    }),
  },
  {
    name: 'wrong-total',
    list: 'customers',
    limit: 2,
    during: (ids) => {
      const pages = cut(ids, 2)
      return { pages, totals: times(pages.length, ids.length + 1) }
    },
  },
]

/** Page sizes that depend on how long the list is: for a limit, the size of all pages but perhaps the last. */
const sizes: Record<string, Record<number, [name: string, limit: number, size: number][]>> = {
  customers: {
    26: [
      ['exact-multiple', 4, 2],
      ['short-last-page', 4, 4],
      ['short-last-page', 26, 25],
    ],
    3: [
      ['exact-multiple', 4, 3],
      ['short-last-page', 4, 2],
    ],
  },
  statements: {
    27: [
      ['exact-multiple', 4, 3],
      ['short-last-page', 2, 2],
      ['short-last-page', 27, 26],
    ],
    5: [
      ['exact-multiple', 4, 1],
      ['short-last-page', 2, 2],
      ['short-last-page', 5, 4],
    ],
  },
}

function casesOf(world: World): PageCase[] {
  const sized = (['customers', 'statements'] as const).flatMap((list) =>
    (sizes[list]?.[dialects[list].ids(world).length] ?? []).map(([name, limit, size]): PageCase => ({
      name,
      list,
      limit,
      during: (ids) => ({ pages: cut(ids, size) }),
    })),
  )
  return [...cases, ...sized]
}

describe.each(drawn(worlds))('on %s', (_title, world) => {
  it.each(casesOf(world))(
    'pagination-$name: a walk through $list by $limit, before, during and afterwards',
    async ({ name, list, limit, during, isChecked = true, most = 60, left }) => {
      const dialect = dialects[list]
      const ids = dialect.ids(world)
      const rows = await rowsOf(world, dialect)
      expect([...rows.keys()]).toEqual(ids)

      const sandbox = await open(world)
      const plain = answersOf(dialect, rows, { pages: cut(ids, limit) })
      expect(await walk(sandbox, world, dialect, limit)).toEqual(plain)

      await sandbox.scenarios.activate(`pagination-${name}`)
      const walked = await walk(sandbox, world, dialect, limit, { most, isChecked })
      expect(walked).toEqual(answersOf(dialect, rows, during(ids)))

      await sandbox.scenarios.deactivate()
      const remaining = left?.(ids) ?? ids
      const rowsNow = new Map(remaining.map((id) => [id, id === 'new' ? newRow() : (rows.get(id) ?? {})]))
      expect(await walk(sandbox, world, dialect, limit)).toEqual(
        answersOf(dialect, rowsNow, { pages: cut(remaining, limit) }),
      )

      /** A row like the last one of the first page, as another client adds it. */
      function newRow(): Row {
        const { partner_customer_id: _taken, ...like } = rows.get(ids[1] ?? '') ?? {}
        return { ...like, [dialect.id]: expect.stringMatching(/^(cus|stm)_[0-9a-z]{12}$/), ...dialect.newRow }
      }
    },
  )

  it.each(['customers', 'statements'] as const)(
    'pagination-expired-cursor: the second page of %s is refused once, before, during and afterwards',
    async (list) => {
      const dialect = dialects[list]
      const ids = dialect.ids(world)
      const plain = answersOf(dialect, await rowsOf(world, dialect), { pages: cut(ids, 2) })
      const sandbox = await open(world)
      expect(await walk(sandbox, world, dialect, 2)).toEqual(plain)
      await sandbox.scenarios.activate('pagination-expired-cursor')
      const refused: Whole = {
        status: 400,
        headers: headers(),
        body: invalid(dialect.path(world), dialect.cursorRule),
      }
      expect(await walk(sandbox, world, dialect, 2)).toEqual([plain[0], refused])
      // Once: the walk that starts again gets through, while the scenario is still active.
      expect(await walk(sandbox, world, dialect, 2)).toEqual(plain)
      await sandbox.scenarios.deactivate()
      expect(await walk(sandbox, world, dialect, 2)).toEqual(plain)
    },
  )

  it.each(['empty', 'one-per-page', 'wrong-total', 'repeated-item'])(
    'pagination-%s: lists without pages answer as ever',
    async (name) => {
      const sandbox = await armed(world, `pagination-${name}`, 'listPaymentMethods')
      expect(await sandbox.ask('listPaymentMethods')).toEqual(golden(world, 'listPaymentMethods'))
    },
  )
})
