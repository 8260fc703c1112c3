import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { differencesOf, type Difference, type RequestMatcher } from './differences.ts'
import { operationId } from './filter.ts'
import type { Journal } from './journal.ts'
import type { ExchangeRecord } from './record.ts'
import type { Redactor } from './redact.ts'

/** A text or number that is compared with text; numbers are what people write for `limit: 10`. */
const pattern = z.union([z.string(), z.number().transform(String)], {
  error: 'must be a text: an exact value, or a glob',
})
const patterns = z.record(z.string(), pattern)
const count = z.int().min(0)

const matcherFields = {
  operation: operationId.optional(),
  status: z.int().min(100).max(599).optional(),
  params: patterns.optional(),
  query: patterns.optional(),
  headers: patterns.optional(),
  body: z.unknown().optional(),
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
    {
      error: 'must have either count, or at_least and at_most',
      path: ['count'],
    },
  )

const ordered = z.strictObject({ in_order: z.array(z.strictObject(matcherFields)).min(1) })

/** The schema of what is to be verified, chosen by which of the two it is, so that messages fit. */
export function verificationSchema(input: unknown) {
  return isJsonObject(input) && 'in_order' in input ? ordered : counted
}

/** What is to hold of the requests so far: how many there were of a kind, or that some came in an order. */
export type Verification = RequestMatcher & { count?: number; at_least?: number; at_most?: number } & {
  in_order?: never
}
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
  const records = [...journal.records()].toReversed()
  const verified =
    'in_order' in asked ? verifyOrder(records, asked.in_order, hide) : verifyCount(records, asked, hide)
  if (verified.holds || journal.dropped === 0) return verified
  const note = ` ${journal.dropped} older requests are no longer in the journal: raise --journal-size.`
  return { ...verified, message: verified.message + note }
}

function verifyCount(
  records: readonly ExchangeRecord[],
  { count: exactly, at_least: least, at_most: most, ...matcher }: z.output<typeof counted>,
  hide: Redactor,
): Verified {
  const compared = compare(records, matcher)
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
    message: `${wanted} expected, ${found} of ${records.length} requests matched`,
    count: found,
    nearest: nearestOf(nearest, hide),
  }
}

function verifyOrder(
  records: readonly ExchangeRecord[],
  matchers: readonly RequestMatcher[],
  hide: Redactor,
): Verified {
  let from = 0
  for (const [place, matcher] of matchers.entries()) {
    const later = compare(records.slice(from), matcher)
    const at = later.findIndex(({ differs }) => differs.length === 0)
    if (at !== -1) {
      from += at + 1
      continue
    }
    const before = records[from - 1]
    const early = compare(records.slice(0, from), matcher).find(({ differs }) => differs.length === 0)
    const after = before ? ` after ${before.id}` : ''
    const hint = early ? `; ${early.record.id} matches, but came before` : ''
    return {
      holds: false,
      message: `in_order[${place}]: no request matched${after}${hint}`,
      count: place,
      nearest: nearestOf(later.length > 0 ? later : compare(records, matcher), hide),
    }
  }
  return { holds: true, count: matchers.length }
}

interface Compared {
  record: ExchangeRecord
  differs: Difference[]
}

function compare(records: readonly ExchangeRecord[], matcher: RequestMatcher): Compared[] {
  return records.map((record) => ({ record, differs: differencesOf(matcher, record) }))
}

/** Those with the fewest differences; another operation is further away than any field. */
function nearestOf(compared: readonly Compared[], hide: Redactor): NearMiss[] {
  const distance = ({ differs }: Compared): number =>
    differs.length + (differs.some(({ at }) => at === 'operation') ? 1000 : 0)
  return compared
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, shown)
    .map(({ record, differs }) => ({
      id: record.id,
      method: record.method,
      path: hide.text(record.path),
      operation: record.endpoint?.id ?? null,
      status: record.status,
      differs: differs.map((one) => hidden(one, hide)),
    }))
}

function hidden({ at, expected, actual }: Difference, hide: Redactor): Difference {
  const name = at.split('.').at(-1) ?? ''
  const shownValue = (value: unknown): unknown =>
    typeof value === 'string' ? hide.named(name, value) : hide.json(value)
  return {
    at,
    expected: shownValue(expected),
    ...(actual === undefined ? {} : { actual: shownValue(actual) }),
  }
}
