// Verifies how often, or in which order, requests were made; names the nearest where they were not.
import { z } from 'zod'
import { depthOf, isJsonObject } from '../contract/formats.ts'
import { differencesOf, hiddenDifference, type Difference, type RequestMatcher } from './differences.ts'
import { operationId } from './filter.ts'
import { globRule, isLongGlob } from '../scenarios/glob.ts'
import type { Journal } from './journal.ts'
import type { Exchange } from '../exchange/index.ts'
import { shortList } from '../reading/short-list.ts'
import { deepest, type Redactor } from '../secrets/redact.ts'

/** A text or number that is compared with text; numbers are what people write for `limit: 10`. */
const pattern = z
  .union([z.string(), z.number().transform(String)], { error: 'must be a text: an exact value, or a glob' })
  .refine((text) => !isLongGlob(text), globRule)
const patterns = z.record(z.string(), pattern)
const count = z.int('must be an integer').min(0, 'must not be negative')
const statusRule = 'must be a status from 100 to 599'

const matcherFields = {
  operation: operationId.optional(),
  status: z.int(statusRule).min(100, statusRule).max(599, statusRule).optional(),
  params: patterns.optional(),
  query: patterns.optional(),
  headers: patterns.optional(),
  body: z
    .unknown()
    // Comparing and showing deeper values would overflow the stack.
    .refine((value) => depthOf(value, deepest + 1) <= deepest, {
      error: `must not be nested deeper than ${deepest} levels`,
      abort: true,
    })
    .refine((value) => !holdsLongGlob(value), `each text ${globRule}`)
    .optional(),
}

function holdsLongGlob(value: unknown): boolean {
  if (typeof value === 'string') return isLongGlob(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLongGlob)
}

const counted = z
  .strictObject({
    ...matcherFields,
    count: count.optional(),
    at_least: count.optional(),
    at_most: count.optional(),
  })
  .refine(
    (asked) => asked.count === undefined || (asked.at_least === undefined && asked.at_most === undefined),
    { error: 'must not stand beside at_least and at_most', path: ['count'] },
  )
  .refine(({ at_least: least = 0, at_most: most = Number.POSITIVE_INFINITY }) => least <= most, {
    error: 'must not be above at_most',
    path: ['at_least'],
  })

const ordered = z.strictObject({
  in_order: shortList(z.strictObject(matcherFields)).refine(({ length }) => length > 0, 'must not be empty'),
})

/** The schema of what is to be verified, chosen by which of the two it is, so that messages fit. */
export function verificationSchema(input: unknown) {
  return isJsonObject(input) && 'in_order' in input ? ordered : counted
}

/** How many requests of a kind there were: at least one, where nothing is said of it. */
export interface Verification extends RequestMatcher {
  /** Exactly as many. */
  count?: number
  at_least?: number
  at_most?: number
  /** Stands alone: see OrderVerification. */
  in_order?: never
}

/** That requests of these kinds came in this order, whatever came between them. */
export interface OrderVerification {
  in_order: readonly RequestMatcher[]
}

/** A request that came near to what was asked for. */
export interface NearMiss {
  id: string
  method: string
  path: string
  operation: string | null
  status: number
  /** Nothing for a request that matches where too many did. */
  differs: Difference[]
}

/** Whether it holds. */
export type Verified =
  { holds: true; count: number } | { holds: false; message: string; count: number; nearest: NearMiss[] }

const shown = 3

/** Counts the requests that match, oldest to newest, and says which came nearest when that is not what was asked. */
export function verify(
  journal: Journal,
  asked: z.output<typeof counted> | z.output<typeof ordered>,
  hide: Redactor,
): Verified {
  const exchanges = [...journal.exchanges()].toReversed()
  const verified =
    'in_order' in asked ? verifyOrder(exchanges, asked.in_order, hide) : verifyCount(exchanges, asked, hide)
  if (verified.holds) return verified
  return { ...verified, message: verified.message + incompleteness(journal) }
}

/** What else may be the reason. */
function incompleteness({ isOn, dropped }: Journal): string {
  if (!isOn) return '; the journal is off (--journal-size 0)'
  const [are, were] = dropped === 1 ? ['request is', 'it'] : ['requests are', 'them']
  return dropped === 0
    ? ''
    : `; ${dropped} older ${are} no longer in the journal: raise --journal-size to keep ${were}`
}

function verifyCount(
  exchanges: readonly Exchange[],
  { count: exactly, at_least: least, at_most: most, ...matcher }: z.output<typeof counted>,
  hide: Redactor,
): Verified {
  const compared = compare(exchanges, matcher)
  const matching = compared.filter(({ differs }) => differs.length === 0)
  const found = matching.length
  const from = exactly ?? least ?? (most === undefined ? 1 : 0)
  const to = exactly ?? most ?? Number.POSITIVE_INFINITY
  if (found >= from && found <= to) return { holds: true, count: found }
  const wanted =
    from === to
      ? `exactly ${from}`
      : to === Number.POSITIVE_INFINITY
        ? `at least ${from}`
        : from === 0
          ? `at most ${to}`
          : `${from} to ${to}`
  const nearest = found > to ? matching : compared.filter(({ differs }) => differs.length > 0)
  return {
    holds: false,
    message: `${wanted} expected, ${found} of ${exchanges.length} requests matched`,
    count: found,
    nearest: nearestOf(nearest, hide),
  }
}

function verifyOrder(
  exchanges: readonly Exchange[],
  matchers: readonly RequestMatcher[],
  hide: Redactor,
): Verified {
  let from = 0
  for (const [place, matcher] of matchers.entries()) {
    const later = compare(exchanges.slice(from), matcher)
    const at = later.findIndex(({ differs }) => differs.length === 0)
    if (at !== -1) {
      from += at + 1
      continue
    }
    const before = exchanges[from - 1]
    const early = compare(exchanges.slice(0, from), matcher).find(({ differs }) => differs.length === 0)
    const after = before ? ` after ${before.became.id}` : ''
    const hint = early ? `; ${early.exchange.became.id} matches, but came before` : ''
    return {
      holds: false,
      message: `in_order[${place}]: no request matched${after}${hint}`,
      count: place,
      nearest: nearestOf(later.length > 0 ? later : compare(exchanges, matcher), hide),
    }
  }
  return { holds: true, count: matchers.length }
}

interface Compared {
  exchange: Exchange
  differs: Difference[]
}

function compare(exchanges: readonly Exchange[], matcher: RequestMatcher): Compared[] {
  return exchanges.map((exchange) => ({ exchange, differs: differencesOf(matcher, exchange) }))
}

/** Those with the fewest differences; another operation is further away than any field. */
function nearestOf(compared: readonly Compared[], hide: Redactor): NearMiss[] {
  const distance = ({ differs }: Compared): number =>
    differs.reduce((sum, { at, expected }) => sum + (at === 'operation' ? 1000 : fieldsIn(expected)), 0)
  return compared
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, shown)
    .map(({ exchange: { received, became }, differs }) => ({
      id: became.id,
      method: received.method,
      path: hide.text(received.path),
      operation: received.endpoint?.id ?? null,
      status: became.status,
      differs: differs.map((one) => hiddenDifference(one, hide)),
    }))
}

/** How many fields a missing part of a body would have had, so that no body at all is not nearer than half of one. */
function fieldsIn(expected: unknown): number {
  if (typeof expected !== 'object' || expected === null) return 1
  return Math.max(
    1,
    Object.values(expected).reduce<number>((sum, inner) => sum + fieldsIn(inner), 0),
  )
}
