// Checks of paginated lists: edges, page size, cursors, totals, in both dialects.
import { pointOf, pointsOf } from '../../coverage/points/index.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { listStatements } from '../../endpoints/statements.ts'
import { searchCustomers } from '../../endpoints/customers.ts'
import { cannotTell, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { need } from '../target.ts'
import { broken, holds, type Check } from './check.ts'
import { defaultContext } from '../default-context.ts'
import { needsOf } from './calls.ts'
import { exactSearch, unknownIdentifier, emptySearch, otherCase, searches } from './searches.ts'
import { countOf, minCount, listOf, pageIn, wholeCount, type List, type Page, type Survey } from './survey.ts'
import { decidedBy } from './undecided.ts'

/** A point of coverage: its id and its words. */
function coveragePoint(
  endpoint: Endpoint,
  name: string,
): Pick<Check, 'id' | 'operation' | 'sentence' | 'section'> {
  const draft = pointsOf(endpoint, defaultContext).drafts.find((point) => point.name === name)
  if (!draft) throw new Error(`${endpoint.id} has no point ${name}`)
  return pointOf(endpoint, draft)
}

type Read = (found: Survey, context: ProbeContext) => Reading<'holds'>

/** The required has_more of a page, after which there are more rows or none. */
function says({ more, rows }: Page, expected: boolean, because: string): Reading<'holds'> {
  if (more === expected) return holds
  // A value that is not a boolean has a check of its own.
  if (typeof more !== 'boolean') return cannotTell('has_more is neither true nor false')
  return broken(`a page of ${rows.length} has has_more ${more}, though ${because}`, `has_more ${expected}`)
}

/** Returns all readings, or the first that is broken, or one that cannot be decided. */
function all(readings: readonly Reading<'holds'>[], otherwise: Reading<'holds'>): Reading<'holds'> {
  return (
    readings.find(({ is }) => is === 'other') ??
    readings.find(({ is }) => is === 'cannot_tell') ??
    readings[0] ??
    otherwise
  )
}

function pageChecks(list: List, rowsName: string, extra: readonly Step<'holds'>[] = []): Check[] {
  const { endpoint, idOf } = list
  const steps = [...list.steps, ...extra]
  const needs = needsOf(endpoint)
  const check = (point: Pick<Check, 'id' | 'operation' | 'sentence' | 'section'>, read: Read): Check => ({
    ...point,
    needs,
    steps,
    read: (context) => read(list.survey(context), context),
  })
  const own = (name: string, sentence: string, read: Read): Check =>
    check({ id: `${endpoint.id}/${name}`, operation: endpoint.id, sentence, section: endpoint.section }, read)

  const tooFew = (found: Survey, count: number): Reading<'holds'> => {
    if (!found.plainPage) return cannotTell('the list was not answered with a page')
    const more = count - minCount(found)
    if (more > 0) return cannotTell(`the list has ${minCount(found)} ${rowsName}`, `${more} more ${rowsName}`)
    return found.sizeName === undefined
      ? cannotTell('the answers do not show the page-size parameter')
      : cannotTell(`the walk ended after ${found.pages.length} pages, as ${ends[found.end ?? 'no page']}`)
  }
  /** The pages of the walk that are followed by more rows, according to other answers. */
  const followed = (found: Survey): Page[] => {
    let count = 0
    return found.pages.filter(({ rows }) => (count += rows.length) < minCount(found))
  }

  return [
    check(coveragePoint(endpoint, 'page/first'), (found) => {
      const firsts = [found.plainPage, found.one, found.whole, found.pages[0]].filter(
        (page) => page !== undefined,
      )
      return all(
        firsts
          .filter(({ rows }) => rows.length < minCount(found))
          .map((page) => says(page, true, `${minCount(found)} ${rowsName} were seen`)),
        tooFew(found, 2),
      )
    }),
    check(coveragePoint(endpoint, 'page/middle'), (found) => {
      const { pages, end } = found
      if (end === 'repeats' && pages.length > 1) {
        return broken(`page ${pages.length} has ${rowsName} of a page before`, `${rowsName} after the cursor`)
      }
      const middles = followed(found).filter((page) => page !== pages[0])
      return all(
        middles.map((page) => says(page, true, `${minCount(found)} ${rowsName} were seen`)),
        tooFew(found, 3),
      )
    }),
    check(coveragePoint(endpoint, 'page/last'), (found) => {
      const { pages, end } = found
      const last = pages.at(end === 'empty' ? -2 : -1)
      if (!last || pages.length < 2 || wholeCount(found) === undefined) return tooFew(found, 2)
      return says(last, false, 'no more came after it')
    }),
    check(coveragePoint(endpoint, 'page/only'), (found, context) => {
      const count = wholeCount(found)
      const single = pageIn(context.answer(exactSearch.name))
      const onlies = [
        ...[found.whole, found.plainPage].filter((page) => page?.rows.length === count),
        ...(single?.rows.length === 1 ? [single] : []),
      ].filter((page) => page !== undefined && page.rows.length > 0)
      const takes =
        endpoint.pagination === 'id' ? 'ids.partner_customer_id of one' : 'an account of fewer statements'
      return all(
        onlies.flatMap((page) =>
          page ? [says(page, false, `it holds all ${rowsName} that there are`)] : [],
        ),
        cannotTell(`no page held all ${rowsName}`, takes),
      )
    }),
    check(coveragePoint(endpoint, 'page/empty'), (found, context) => {
      const empty = [found.plainPage, pageIn(context.answer(emptySearch.name))].find(
        (page) => page?.rows.length === 0,
      )
      if (!empty) return cannotTell('no page was empty', `a list without ${rowsName}`)
      return says(empty, false, 'it is empty')
    }),
    { ...coveragePoint(endpoint, 'page/default_size'), ...decidedBy('default_page_size') },
    own('page/size', `The page size limits how many ${rowsName} a page has.`, (found) => {
      const { one, whole, pages, plainPage, sizeName } = found
      for (const page of [one, whole, ...pages]) {
        if (page?.size !== undefined && page.rows.length > page.size) {
          return broken(
            `${sizeName}=${page.size} was answered with ${page.rows.length} ${rowsName}`,
            `at most ${page.size}`,
          )
        }
      }
      return one && plainPage && plainPage.rows.length > 1 ? holds : tooFew(found, 2)
    }),
    own('page/walk', `A walk over all pages has each of the ${rowsName} once, and ends.`, (found) => {
      const { pages, end, plainPage, whole } = found
      if (end === 'repeats')
        return broken(`page ${pages.length} has ${rowsName} from an earlier page`, 'each of them once')
      if (end === 'same cursor')
        return broken(`page ${pages.length} returns the cursor of an earlier page`, 'a cursor that leads on')
      if (pages.length < 2 || end !== 'said so' || wholeCount(found) === undefined) return tooFew(found, 2)
      const walked = new Set(pages.flatMap(({ rows }) => rows.map(idOf)))
      const missed = [plainPage, whole]
        .flatMap((page) => page?.rows ?? [])
        .find((row) => !walked.has(idOf(row)))
      return missed
        ? broken(`the walk omitted one of the ${rowsName} that a larger page has`, 'all of them')
        : holds
    }),
  ]
}

const ends: Record<NonNullable<Survey['end']>, string> = {
  'said so': 'has_more was false',
  empty: 'a page was empty',
  repeats: 'rows came again',
  'same cursor': 'a cursor came again',
  'no cursor': 'no cursor was given',
  'no page': 'no page was answered',
  'given up': 'it would take too many requests',
}

const customers = listOf(searchCustomers, 'id')
const statements = listOf(listStatements, 'statement_id')

const ofSearch = { operation: searchCustomers.id, section: searchCustomers.section }

const customerChecks: readonly Check[] = [
  ...pageChecks(customers, 'customers', searches),
  {
    ...ofSearch,
    id: 'searchCustomers/total',
    sentence: 'total is how many customers the search finds, over all pages.',
    needs: [],
    steps: [...customers.steps, ...searches],
    read: readTotal,
  },
  {
    ...ofSearch,
    id: 'searchCustomers/match',
    sentence:
      'partner_customer_id is compared byte for byte: it finds the customer who has it, and no customer with other casing.',
    needs: ['ids.partner_customer_id'],
    steps: searches,
    read: readMatch,
  },
]

function readTotal(context: ProbeContext): Reading<'holds'> {
  const found = customers.survey(context)
  const count = wholeCount(found)
  const pages = [found.plainPage, found.one, ...found.pages].filter((page) => page !== undefined)
  const totals = pages.flatMap(({ total }) => (typeof total === 'number' ? [total] : []))
  for (const name of ['exact', 'unknown identifier']) {
    const page = pageIn(context.answer(name))
    if (page && typeof page.total === 'number' && page.rows.length !== page.total && page.more === false) {
      return broken(`total is ${page.total} where ${page.rows.length} were found`, String(page.rows.length))
    }
  }
  const lacking = pages.find(({ total, rows }) => typeof total === 'number' && total < rows.length)
  if (lacking)
    return broken(`total is ${String(lacking.total)} on a page of ${lacking.rows.length}`, `at least that`)
  if (totals.length === 0 || found.end === 'empty' || found.end === 'repeats')
    return cannotTell('no walk came to its end')
  if (count === undefined) {
    return countOf(found) > Math.max(...totals)
      ? broken(`total is ${Math.max(...totals)}, and ${countOf(found)} customers were seen`, 'at least that')
      : cannotTell('no walk came to its end', 'fewer customers, or larger pages')
  }
  if (totals.every((total) => total === count)) return holds
  const [least, most] = [Math.min(...totals), Math.max(...totals)]
  return least <= count && count <= most
    ? cannotTell(`the customers changed meanwhile: total was ${least} to ${most}`)
    : broken(`total is ${totals[0]}, and all pages together have ${count} customers`, String(count))
}

function readMatch(context: ProbeContext): Reading<'holds'> {
  const wanted = need(context.target, 'ids.partner_customer_id')
  const [exact, other, none] = ['exact', 'other case', 'unknown identifier'].map((name) =>
    pageIn(context.answer(name)),
  )
  const requested = [
    [exact, wanted],
    [other, otherCase(context.target)],
    [none, unknownIdentifier],
  ] as const
  for (const [page, text] of requested) {
    const wrong = page?.rows.find(({ partner_customer_id: has }) => typeof has === 'string' && has !== text)
    if (wrong) return broken('the search found a customer with another partner_customer_id', 'that one only')
  }
  const ids = new Set(exact?.rows.map(customers.idOf))
  if (other?.rows.some((row) => ids.has(customers.idOf(row))))
    return broken('the customer was found with other casing', 'no customer')
  if (!exact || !none) return cannotTell('a search was not answered with a page')
  if (exact.rows.length === 0)
    return cannotTell('no customer has ids.partner_customer_id', 'one that a customer has')
  const cased = context.answer('other case')
  if (cased && cased.status >= 400 && cased.status < 500)
    return broken(`other casing was answered ${cased.status}`, 'an empty page')
  return other ? holds : cannotTell('ids.partner_customer_id has no letters', 'one with letters')
}

const statementChecks: readonly Check[] = [
  ...pageChecks(statements, 'statements'),
  {
    id: 'listStatements/page/token',
    operation: listStatements.id,
    sentence: 'next_page_token is there when has_more is true, and only then.',
    section: listStatements.section,
    needs: needsOf(listStatements),
    steps: statements.steps,
    read(context) {
      const { plainPage, one, whole, pages } = statements.survey(context)
      const seen = [plainPage, one, whole, ...pages].filter((page) => page !== undefined)
      for (const { more, token } of seen) {
        const has = token !== undefined && token !== null
        if (more === true && (typeof token !== 'string' || token === ''))
          return broken('has_more is true without next_page_token', 'a token')
        if (more === false && has) return broken('has_more is false with next_page_token', 'no token')
      }
      if (seen.some(({ more }) => more === true) && seen.some(({ more }) => more === false)) return holds
      return cannotTell('no page showed both', '2 statements')
    },
  },
]

export const pagedChecks: readonly Check[] = [...customerChecks, ...statementChecks]

/** The walk over the statements, whose rows other checks use too. */
export const statementList = statements
