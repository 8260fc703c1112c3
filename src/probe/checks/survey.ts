// Surveys a list: finds the name of its page size, and walks its pages, in both dialects, within a limit.
import { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { keywordsOf } from '../../coverage/points/limits.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { Answer } from '../read-answer.ts'
import type { ProbeContext, Step } from '../probe.ts'
import { defaultAssumptions as defaults } from '../default-context.ts'
import { call, plain } from './calls.ts'
import { pageSizeOf } from './page-size.ts'
import { isSuccess } from '../answers.ts'

/** A walk has about so many pages, and ends after `maxPages`. */
const wantedPages = 5
const maxPages = 12
/** Maximum number of rows per page, so that no answer is too large to read. */
const maxRows = 500

export type Row = Readonly<Record<string, unknown>>

/** A page of an answer. */
export interface Page {
  rows: readonly Row[]
  /** The original value, so that a wrong one can be reported. */
  more: unknown
  total: unknown
  token: unknown
  /** The requested size. */
  size: number | undefined
}

/** The results of a survey, as far as the answers show them. */
export interface Survey {
  /** Without a page size. */
  plainPage: Page | undefined
  /** The name of the page size, if the answers show it. */
  sizeName: string | undefined
  /** With a page size of 1. */
  one: Page | undefined
  /** With the maximum page size of the contract, if there is one. */
  whole: Page | undefined
  /** The pages of the walk, in order. */
  pages: readonly Page[]
  /** The answer after the last row of a walk whose last page had no more. */
  beyond?: Page | undefined
  /** Why the walk ended; nothing while it continues. */
  end?: 'said so' | 'empty' | 'repeats' | 'same cursor' | 'no cursor' | 'no page' | 'given up'
}

/** The results before the walk. */
type Known = Omit<Survey, 'pages' | 'beyond' | 'end'>

/** The number of rows that a walk found. */
export const countOf = ({ pages }: Survey): number => pages.reduce((sum, { rows }) => sum + rows.length, 0)

/** The minimum number of rows, whatever a page says. */
export const minCount = (found: Survey): number =>
  Math.max(
    countOf(found) + (found.beyond?.rows.length ?? 0),
    found.whole?.rows.length ?? 0,
    found.plainPage?.rows.length ?? 0,
  )

/** The number of rows of the list, if the walk reached its end and nothing shows that there are more. */
export function wholeCount(found: Survey): number | undefined {
  const isWhole = found.end === 'said so' || found.end === 'empty'
  return isWhole && countOf(found) === minCount(found) ? countOf(found) : undefined
}

/** A paginated list. */
export interface List {
  endpoint: Endpoint
  /** The steps, the same objects for every check, so that they are planned and sent once. */
  steps: readonly Step<'holds'>[]
  survey(context: Pick<ProbeContext, 'answer'>): Survey
  /** The field that identifies a row. */
  idOf(row: Row): string | undefined
}

/** @param idField the field that identifies rows. */
export function listOf(endpoint: Endpoint, idField: string): List {
  const pageSize = pageSizeOf(endpoint)
  if (!pageSize) throw new Error(`${endpoint.id} has no page size`)
  const { nameIn } = pageSize
  const most = keywordsOf(endpoint.query['limit']?.schema ?? z.never(), defaults)['maximum']
  const one = pageSize.asking('1', 'read')
  const whole = typeof most === 'number' ? pageSize.asking(String(most), 'read') : undefined
  const idOf = (row: Row): string | undefined => {
    const id = row[idField]
    return typeof id === 'string' ? id : undefined
  }

  /** Returns the cursor of the next page. */
  function nextCursor({ rows, token }: Page): string | undefined {
    if (endpoint.pagination === 'token') return typeof token === 'string' ? token : undefined
    const last = rows.at(-1)
    return last && idOf(last)
  }

  function survey(context: Pick<ProbeContext, 'answer'>): Survey {
    const { answer } = context
    const parts = {
      sizeName: nameIn(context),
      plainPage: pageIn(answer('plain')),
      one: pageIn(answer(one.name), 1),
      whole: whole && pageIn(answer(whole.name), Number(most)),
    }
    return { ...parts, ...walk(parts, answer) }
  }

  function walk(found: Known, answer: ProbeContext['answer']): Pick<Survey, 'pages' | 'end' | 'beyond'> {
    const pages: Page[] = []
    const size = sizeOf(found)
    const seen = new Set<string>()
    const cursors = new Set<string>()
    for (let turn = 1; turn <= maxPages; turn++) {
      const response = answer(pageStep(turn))
      if (response === undefined) return { pages }
      const page = pageIn(response, size)
      if (!page) return { pages, end: 'no page' }
      pages.push(page)
      for (const id of page.rows.map(idOf).filter((own) => own !== undefined)) {
        if (seen.has(id)) return { pages, end: 'repeats' }
        seen.add(id)
      }
      if (page.more !== true) return { pages, end: 'said so', beyond: pageIn(answer('beyond'), size) }
      if (page.rows.length === 0) return { pages, end: 'empty' }
      const cursor = nextCursor(page)
      if (cursor === undefined) return { pages, end: 'no cursor' }
      if (cursors.has(cursor)) return { pages, end: 'same cursor' }
      cursors.add(cursor)
    }
    return { pages, end: 'given up' }
  }

  const step = (
    name: string,
    query: string,
    cursorOf: (found: Survey) => string | undefined,
  ): Step<'holds'> => {
    const made = call(endpoint, name, { query: `?<size>=<rows>${query}` })
    return {
      ...made,
      request(context) {
        const found = survey(context)
        const cursor = cursorOf(found)
        if (found.sizeName === undefined || cursor === undefined) return undefined
        const after = cursor === '' ? '' : `&starting_after=${encodeURIComponent(cursor)}`
        const sizeQuery = `?${found.sizeName}=${sizeOf(found)}`
        return { ...made.request(context), path: `${plain(endpoint).path(context)}${sizeQuery}${after}` }
      },
    }
  }
  const after = '&starting_after=<cursor>'
  const pageSteps = Array.from({ length: maxPages }, (_, place) =>
    step(pageStep(place + 1), place === 0 ? '' : after, ({ pages, end }) => {
      if (end !== undefined || pages.length !== place) return undefined
      const last = pages.at(-1)
      return last ? nextCursor(last) : ''
    }),
  )
  const beyond = step('beyond', after, ({ pages, end }) => {
    const last = pages.at(-1)
    return last && end === 'said so' ? nextCursor(last) : undefined
  })
  return {
    endpoint,
    steps: [
      ...pageSize.finding,
      one,
      plain(endpoint),
      ...(whole ? [whole] : []),
      ...pageSteps,
      ...(endpoint.pagination === 'id' ? [beyond] : []),
    ],
    survey,
    idOf,
  }
}

const pageStep = (turn: number): string => `page ${turn}`

/** The page size of the walk. */
function sizeOf({ plainPage, whole }: Known): number {
  const known = Math.max(Number(plainPage?.total) || 0, plainPage?.rows.length ?? 0, whole?.rows.length ?? 0)
  return Math.min(maxRows, Math.max(1, Math.ceil(known / wantedPages)))
}

/** Returns the page in an answer; undefined if there is none. */
export function pageIn(answer: Answer | undefined, size?: number): Page | undefined {
  if (!answer || !isSuccess(answer) || !isJsonObject(answer.json)) return undefined
  const { data, has_more: more, total, next_page_token: token } = answer.json
  if (!Array.isArray(data)) return undefined
  return { rows: data.filter(isJsonObject), more, total, token, size }
}
