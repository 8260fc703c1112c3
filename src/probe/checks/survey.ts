// Surveys a list: finds out what its page size is called, and walks its pages, in both dialects, within a bound.
import { valuesOf } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { resolveAssumptions } from '../../reading/resolve-assumptions.ts'
import { keywordsOf } from '../../coverage/points/limits.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { Answer } from '../asker.ts'
import type { Given, Step } from '../probe.ts'
import { isSuccess, pathOf, plainRead } from './plain-read.ts'

/** A walk is cut so that it has about so many pages, and is given up after `mostPages`. */
const wantedPages = 5
const mostPages = 12
/** Rows of a page, so that no answer is too large to be read. */
const mostRows = 500

export type Row = Readonly<Record<string, unknown>>

/** A page as it was answered. */
export interface Page {
  rows: readonly Row[]
  /** As it stands there, so that what is wrong can be seen. */
  more: unknown
  total: unknown
  token: unknown
  /** The size that was asked for, and the cursor. */
  size?: number
  cursor?: string
}

/** What a survey found, as far as the answers go. */
export interface Survey {
  /** Without a page size. */
  plain?: Page
  /** What the page size is called, where the answers tell. */
  sizeName?: string
  /** With a page size of 1. */
  one?: Page
  /** As many rows as a page may have, where the contract sets an upper bound. */
  whole?: Page
  /** The pages of the walk, each after the one before. */
  pages: readonly Page[]
  /** What was answered after the last row of a walk that said that there is no more. */
  beyond?: Page
  /** Why the walk ended; nothing while it goes on. */
  end?: 'said so' | 'empty' | 'repeats' | 'same cursor' | 'no cursor' | 'no page' | 'given up'
}

/** How many rows a walk found. */
export const countOf = ({ pages }: Survey): number => pages.reduce((sum, { rows }) => sum + rows.length, 0)

/** How many rows there are for sure, whatever a page says of it. */
export const leastCount = (found: Survey): number =>
  Math.max(
    countOf(found) + (found.beyond?.rows.length ?? 0),
    found.whole?.rows.length ?? 0,
    found.plain?.rows.length ?? 0,
  )

/** How many rows the list has, where the walk came to its end and nothing shows that there are more. */
export function wholeCount(found: Survey): number | undefined {
  const isWhole = found.end === 'said so' || found.end === 'empty'
  return isWhole && countOf(found) === leastCount(found) ? countOf(found) : undefined
}

/** A list that is given page by page. */
export interface List {
  endpoint: Endpoint
  /** The steps, the same objects for every check, so that they are planned and sent once. */
  steps: readonly Step<'holds'>[]
  survey(given: Pick<Given, 'answer'>): Survey
  /** What tells a row from others. */
  idOf(row: Row): string | undefined
}

/** @param idField the field that tells rows apart. */
export function listOf(endpoint: Endpoint, idField: string): List {
  const { nameFrom, schema } = sizeParameter(endpoint)
  const names = valuesOf(nameFrom)
  const most = keywordsOf(schema, usual)['maximum']
  const largest = typeof most === 'number' ? most : undefined
  const idOf = (row: Row): string | undefined => {
    const id = row[idField]
    return typeof id === 'string' ? id : undefined
  }

  /** The cursor of the page after this one. */
  function nextCursor({ rows, token }: Page): string | undefined {
    if (endpoint.pagination === 'token') return typeof token === 'string' ? token : undefined
    const last = rows.at(-1)
    return last && idOf(last)
  }

  function survey({ answer }: Pick<Given, 'answer'>): Survey {
    const plain = pageIn(answer('plain'))
    const sizeName = plain && nameOf(plain, answer)
    const one = sizeName && pageIn(answer(`${sizeName}=1`), { size: 1 })
    const whole = largest === undefined ? undefined : pageIn(answer('whole'), { size: largest })
    const found: Survey = {
      ...(plain ? { plain } : {}),
      ...(sizeName === undefined ? {} : { sizeName }),
      ...(one ? { one } : {}),
      ...(whole ? { whole } : {}),
      pages: [],
    }
    return { ...found, ...walk(found, answer) }
  }

  function walk(found: Survey, answer: Given['answer']): Pick<Survey, 'pages' | 'end' | 'beyond'> {
    const pages: Page[] = []
    const size = sizeOf(found)
    const seen = new Set<string>()
    const cursors = new Set<string>()
    let cursor: string | undefined
    for (let turn = 1; turn <= mostPages; turn++) {
      const given = answer(pageStep(turn))
      if (given === undefined) return { pages }
      const page = pageIn(given, { size, ...(cursor === undefined ? {} : { cursor }) })
      if (!page) return { pages, end: 'no page' }
      pages.push(page)
      const ids = page.rows.map(idOf)
      const repeats = ids.some((id) => id !== undefined && seen.has(id)) || new Set(ids).size < ids.length
      if (repeats) return { pages, end: 'repeats' }
      for (const id of ids) if (id !== undefined) seen.add(id)
      if (page.more !== true) {
        const beyond = pageIn(answer('beyond'), { size })
        return { pages, end: 'said so', ...(beyond ? { beyond } : {}) }
      }
      if (page.rows.length === 0) return { pages, end: 'empty' }
      cursor = nextCursor(page)
      if (cursor === undefined) return { pages, end: 'no cursor' }
      if (cursors.has(cursor)) return { pages, end: 'same cursor' }
      cursors.add(cursor)
    }
    return { pages, end: 'given up' }
  }

  /**
   * The name under which a size changes the page; where none does, the one that refuses a size of 0. Under any other
   * name it is a parameter that the service does not know, which it ignores or refuses.
   */
  function nameOf(plain: Page, answer: Given['answer']): string | undefined {
    const accepted = names.flatMap((name) => {
      const page = pageIn(answer(`${name}=1`))
      return page ? [{ name, page }] : []
    })
    if (accepted.length < 2) return accepted[0]?.name
    const telling = accepted.filter(({ page }) => !isSame(page, plain))
    if (telling.length === 1) return telling[0]?.name
    const refusing = accepted.filter(({ name }) => answer(`${name}=0`)?.status === 400)
    return refusing.length === 1 ? refusing[0]?.name : undefined
  }

  const isSame = (a: Page, b: Page): boolean =>
    a.rows.length === b.rows.length && a.rows.every((row, place) => idOf(row) === idOf(b.rows[place] ?? {}))

  const step = (name: string, query: string, request: Step<'holds'>['request']): Step<'holds'> => ({
    name,
    risk: 'read',
    method: 'GET',
    path: ({ target }) => `${pathOf(endpoint, target)}?${query}`,
    request,
  })
  const asking =
    (query: (found: Survey) => string | undefined): Step<'holds'>['request'] =>
    (given) => {
      const asked = query(survey(given))
      return asked === undefined ? undefined : { path: `${pathOf(endpoint, given.target)}?${asked}` }
    }

  const steps: Step<'holds'>[] = [
    plainRead(endpoint),
    ...names.map((name) => step(`${name}=1`, `${name}=1`, () => ({}))),
    ...names.map((name) =>
      step(`${name}=0`, `${name}=0`, (given) => {
        const { plain, sizeName } = survey(given)
        return plain && sizeName === undefined && pageIn(given.answer(`${name}=1`)) ? {} : undefined
      }),
    ),
    ...(largest === undefined
      ? []
      : [
          step(
            'whole',
            `<size>=${largest}`,
            asking(({ sizeName }) => sizeName && `${sizeName}=${largest}`),
          ),
        ]),
    ...Array.from({ length: mostPages }, (_, place) =>
      step(
        pageStep(place + 1),
        place === 0 ? '<size>=<rows>' : '<size>=<rows>&starting_after=<cursor>',
        asking((found) => {
          const { sizeName, pages, end } = found
          const last = pages.at(-1)
          if (sizeName === undefined || end !== undefined || pages.length !== place) return undefined
          const first = `${sizeName}=${sizeOf(found)}`
          if (!last) return first
          const cursor = nextCursor(last)
          return cursor && `${first}&starting_after=${encodeURIComponent(cursor)}`
        }),
      ),
    ),
  ]
  if (endpoint.pagination === 'id') {
    steps.push(
      step(
        'beyond',
        '<size>=<rows>&starting_after=<cursor>',
        asking((found) => {
          const { sizeName, pages, end } = found
          const last = pages.at(-1)
          const cursor = last && end === 'said so' ? nextCursor(last) : undefined
          return cursor && `${sizeName}=${sizeOf(found)}&starting_after=${encodeURIComponent(cursor)}`
        }),
      ),
    )
  }
  return { endpoint, steps, survey, idOf }
}

const pageStep = (turn: number): string => `page ${turn}`

/** Names and limits of parameters do not depend on which assumptions are in force. */
const usual = resolveAssumptions()

function sizeParameter({ id, query }: Endpoint) {
  const size = Object.values(query).find(({ nameFrom }) => nameFrom?.endsWith('_page_size_parameter'))
  if (size?.nameFrom === undefined) throw new Error(`${id} has no page size`)
  return { ...size, nameFrom: size.nameFrom }
}

/** How many rows a page of the walk is asked for. */
function sizeOf({ plain, whole }: Survey): number {
  const known = Math.max(Number(plain?.total) || 0, plain?.rows.length ?? 0, whole?.rows.length ?? 0)
  return Math.min(mostRows, Math.max(1, Math.ceil(known / wantedPages)))
}

/** The page that an answer is; undefined for one that is none. */
export function pageIn(
  answer: Answer | undefined,
  asked: Pick<Page, 'size' | 'cursor'> = {},
): Page | undefined {
  if (!answer || !isSuccess(answer) || !isJsonObject(answer.json)) return undefined
  const { data, has_more: more, total, next_page_token: token } = answer.json
  if (!Array.isArray(data)) return undefined
  return { rows: data.filter(isJsonObject), more, total, token, ...asked }
}
