// Verifies how often, or in which order, requests were made, and returns the nearest ones if the expectation does not
// hold.
import { z } from 'zod'
import { depthOf, isJsonObject } from '../contract/formats.ts'
import {
  differencesOf,
  distanceOf,
  hiddenDifference,
  type Difference,
  type RequestMatcher,
} from './differences.ts'
import { operationId } from './filter.ts'
import { globRule, isLongGlob } from '../scenarios/glob.ts'
import type { Journal } from './journal.ts'
import { receivedStatus, type Call } from '../call/index.ts'
import { shortList } from '../input/short-list.ts'
import { deepest, type Redactor } from '../secrets/redact.ts'

/** A text or number that is compared with text, as users write numbers for `limit: 10`. */
const pattern = z
  .union([z.string(), z.number().transform(String)], { error: 'must be a text: an exact value, or a glob' })
  .refine((text) => !isLongGlob(text), globRule)
const patterns = z.record(z.string(), pattern)
const count = z.int('must be an integer').min(0, 'must not be negative')
const statusRule = 'must be a status from 100 to 599, or lost'

const matcherFields = {
  operation: operationId.optional(),
  status: z
    .union([z.int(statusRule).min(100, statusRule).max(599, statusRule), z.literal('lost')], statusRule)
    .optional(),
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
    (expected) =>
      expected.count === undefined || (expected.at_least === undefined && expected.at_most === undefined),
    { error: 'must be omitted with at_least and at_most', path: ['count'] },
  )
  .refine(({ at_least: least = 0, at_most: most = Number.POSITIVE_INFINITY }) => least <= most, {
    error: 'must not be above at_most',
    path: ['at_least'],
  })

const ordered = z.strictObject({
  in_order: shortList(z.strictObject(matcherFields)).refine(({ length }) => length > 0, 'must not be empty'),
})

/** The schema of the expectation, chosen by its kind, so that messages match. */
export function verificationSchema(input: unknown) {
  return isJsonObject(input) && 'in_order' in input ? ordered : counted
}

/** The expected number of matching requests: at least one, if no number is set. */
export interface Verification extends RequestMatcher {
  /** Exactly as many. */
  count?: number
  at_least?: number
  at_most?: number
  /** Excludes all other fields: see OrderVerification. */
  in_order?: never
}

/** Expects matching requests in this order, with any others in between. */
export interface OrderVerification {
  in_order: readonly RequestMatcher[]
}

/** A request that nearly matched. */
export interface NearMiss {
  id: string
  method: string
  path: string
  operation: string | null
  status: number | null
  /** Empty if the request matches: too many requests did. */
  differs: Difference[]
}

/** Whether it holds. */
export type Verified =
  { holds: true; count: number } | { holds: false; message: string; count: number; nearest: NearMiss[] }

const shown = 3

/**
 * Counts the requests that match, oldest to newest, and finds the nearest ones if the expectation does not hold.
 */
export function verify(
  journal: Journal,
  expected: z.output<typeof counted> | z.output<typeof ordered>,
  hide: Redactor,
): Verified {
  const calls = [...journal.calls()].toReversed()
  const incomplete = incompleteness(journal)
  const verified =
    'in_order' in expected ? verifyOrder(calls, expected.in_order, hide) : verifyCount(calls, expected, hide)
  return verified.holds ? verified : { ...verified, message: verified.message + incomplete }
}

/**
 * Returns which requests the journal lacks, as that may be why an expectation does not hold; empty if it lacks none.
 */
function incompleteness({ isOn, dropped }: Journal): string {
  if (!isOn) return '; the journal is off (--journal-size 0)'
  const [are, were] = dropped === 1 ? ['request is', 'it'] : ['requests are', 'them']
  return dropped === 0
    ? ''
    : `; ${dropped} older ${are} no longer in the journal: raise --journal-size to keep ${were}`
}

function verifyCount(
  calls: readonly Call[],
  { count: exactly, at_least: least, at_most: most, ...matcher }: z.output<typeof counted>,
  hide: Redactor,
): Verified {
  const [matching, others] = [new Nearest(matcher), new Nearest(matcher)]
  let found = 0
  for (const call of calls) {
    const distance = others.distanceOf(call)
    if (distance === 0) found += 1
    const alike = distance === 0 ? matching : others
    alike.add(call, distance)
  }
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
  return {
    holds: false,
    message: `${wanted} expected, ${found} of ${calls.length} requests matched`,
    count: found,
    nearest: (found > to ? matching : others).shown(hide),
  }
}

/** Each request is compared once for all items that are found, and at most once more for the first that is not. */
function verifyOrder(calls: readonly Call[], matchers: readonly RequestMatcher[], hide: Redactor): Verified {
  let from = 0
  for (const [place, matcher] of matchers.entries()) {
    const nearest = new Nearest(matcher)
    const next = nextMatch(calls, from, nearest)
    if (next !== undefined) {
      from = next + 1
      continue
    }
    const before = calls[from - 1]
    const early = earlyMatch(calls, from, nearest)
    const after = before ? ` after ${before.outcome.id}` : ''
    const hint = early ? `; ${early.outcome.id} matches, but came before` : ''
    return {
      holds: false,
      message: `in_order[${place}]: no request matched${after}${hint}`,
      count: place,
      nearest: nearest.shown(hide),
    }
  }
  return { holds: true, count: matchers.length }
}

function nextMatch(calls: readonly Call[], from: number, nearest: Nearest): number | undefined {
  for (const [offset, call] of calls.slice(from).entries()) {
    if (nearest.look(call) === 0) return from + offset
  }
  return undefined
}

/**
 * Returns the first match before a position. If no request came after the position, it also looks for the nearest ones
 * among those before.
 */
function earlyMatch(calls: readonly Call[], end: number, nearest: Nearest): Call | undefined {
  let early: Call | undefined
  for (const call of calls.slice(0, end)) {
    if (end < calls.length) {
      if (distanceOf(nearest.matcher, call, 1) === 0) return call
    } else if (nearest.look(call) === 0) early ??= call
  }
  return early
}

/** Collects the nearest requests: those with the fewest differences, and of equal ones the first. */
class Nearest {
  readonly matcher: RequestMatcher
  readonly #found: { call: Call; distance: number }[] = []

  constructor(matcher: RequestMatcher) {
    this.matcher = matcher
  }

  /** The distance of a request; exact if it is nearer than those found so far. */
  distanceOf(call: Call): number {
    return distanceOf(this.matcher, call, this.#found[shown - 1]?.distance ?? Number.POSITIVE_INFINITY)
  }

  add(call: Call, distance: number): void {
    const place = this.#found.findIndex((found) => found.distance > distance)
    this.#found.splice(place === -1 ? this.#found.length : place, 0, { call, distance })
    this.#found.length = Math.min(this.#found.length, shown)
  }

  /** Computes the distance of a request, and adds the request. */
  look(call: Call): number {
    const distance = this.distanceOf(call)
    this.add(call, distance)
    return distance
  }

  shown(hide: Redactor): NearMiss[] {
    return this.#found.map(({ call }) => nearMiss(call, differencesOf(this.matcher, call), hide))
  }
}

function nearMiss(call: Call, differs: Difference[], hide: Redactor): NearMiss {
  const { request, outcome } = call
  return {
    id: outcome.id,
    method: request.method,
    path: hide.text(request.path),
    operation: request.endpoint?.id ?? null,
    status: receivedStatus(call),
    differs: differs.map((one) => hiddenDifference(one, hide)),
  }
}
