// Compares a request with a matcher of `verify`: every position in which they differ.
import type { OperationId } from '../contract/declared.generated.ts'
import { isJsonObject } from '../contract/formats.ts'
import { sameNumber } from '../json/exact-number.ts'
import { fitsGlob } from '../scenarios/glob.ts'
import { headerPairs } from '../call/incoming-request.ts'
import { readBody } from './entry.ts'
import { receivedStatus, type Call } from '../call/index.ts'
import type { Redactor } from '../secrets/redact.ts'

/** The conditions of `verify`; texts are exact values or globs, and a body is the part that must match. */
export interface RequestMatcher {
  /** Such as `updateReward`. */
  operation?: OperationId | undefined
  /** The status that the client received; `lost` if it received none. */
  status?: number | 'lost' | undefined
  /** Of the path, such as `reward_id`. */
  params?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, string>> | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
}

/** One position in which a request differs from the expectation. */
export interface Difference {
  /** Such as `body.amount` or `query.limit`. */
  at: string
  expected: unknown
  /** Omitted if there is no value. */
  actual?: unknown
}

/** Returns every position in which a request differs from a matcher; none if it matches. */
export function differencesOf(matcher: RequestMatcher, call: Call): Difference[] {
  const found: Difference[] = []
  eachDifference(matcher, call, (path, expected, actual) => {
    const at = placeName(path)
    found.push(actual === undefined ? { at, expected } : { at, expected, actual })
    return true
  })
  return found
}

/**
 * Returns every position in which a value differs from its expected part, as for bodies; none if it matches.
 * @param at the name of the value.
 */
export function differencesOfValue(expected: unknown, value: unknown, at: string): Difference[] {
  const found: Difference[] = []
  compare([at], expected, value, (path, wanted, actual) => {
    const place = placeName(path)
    found.push(
      actual === undefined ? { at: place, expected: wanted } : { at: place, expected: wanted, actual },
    )
    return true
  })
  return found
}

/**
 * Returns the distance of a request from a matcher: 0 if it matches, one per field that differs; another operation
 * counts as 1,000 fields.
 *
 * @param most ends the count: the distance is exact only below this limit.
 */
export function distanceOf(matcher: RequestMatcher, call: Call, most: number): number {
  let distance = 0
  eachDifference(matcher, call, (path, expected) => {
    distance += path[0] === 'operation' ? 1000 : partOf(expected).fields
    return distance < most
  })
  return distance
}

/** The position of a difference: the part of the request, then names of fields and indexes of lists. */
type DiffersAt = readonly (string | number)[]

/** Receives a difference; returns false if no more are needed. */
type TakeDifference = (path: DiffersAt, expected: unknown, actual: unknown) => boolean

function eachDifference(matcher: RequestMatcher, call: Call, take: TakeDifference): void {
  const { request } = call
  const { operation, status, params, query, headers, body } = matcher
  const actual = request.endpoint?.id
  if (operation !== undefined && operation !== actual && !take(['operation'], operation, actual)) return
  const received = receivedStatus(call) ?? 'lost'
  if (status !== undefined && status !== received && !take(['status'], status, received)) return
  const among = (part: string, pattern: string, name: string, values: readonly string[] = []): boolean =>
    values.some((value) => fitsGlob(pattern, value)) || take([part, name], pattern, one(values))
  if (params) {
    const { params: sent } = request
    for (const [name, pattern] of partOf(params).entries) {
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined
      if (!among('params', String(pattern), name, value === undefined ? [] : [value])) return
    }
  }
  if (query) {
    const sent = valuesByName(new URLSearchParams(request.query))
    for (const [name, pattern] of partOf(query).entries) {
      if (!among('query', String(pattern), name, sent.get(name))) return
    }
  }
  if (headers) {
    const sent = valuesByName(headerPairs(request))
    for (const [name, pattern] of partOf(headers).entries) {
      const lower = name.toLowerCase()
      if (!among('headers', String(pattern), lower, sent.get(lower))) return
    }
  }
  if (body !== undefined) compare(['body'], body, readBody(request.body) ?? undefined, take)
}

/** @returns whether more are needed. */
function compare(
  path: (string | number)[],
  expected: unknown,
  actual: unknown,
  take: TakeDifference,
): boolean {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const [name, inner] of partOf(expected).entries) {
      path.push(name)
      const value = Object.hasOwn(actual, name) ? actual[name] : undefined
      if (!compare(path, inner, value, take)) return false
      path.pop()
    }
    return true
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [place, inner] of expected.entries()) {
      path.push(place)
      if (!compare(path, inner, actual[place], take)) return false
      path.pop()
    }
    return true
  }
  return fits(expected, actual) || take(path, expected, actual)
}

function fits(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'string') return typeof actual === 'string' && fitsGlob(expected, actual)
  return sameNumber(expected, actual)
}

/** @example placeName(['body', 'lines', 0, 'sku'])   // 'body.lines[0].sku' */
function placeName([part = '', ...inner]: DiffersAt): string {
  return part + inner.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
}

function valuesByName(pairs: Iterable<readonly [string, string]>): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return values
}

/** The contents of a part of a matcher. */
interface MatcherPart {
  entries: readonly (readonly [string, unknown])[]
  /** The total number of fields, so that a missing body is not nearer than half of one. */
  fields: number
}

const leaf: MatcherPart = { entries: [], fields: 1 }

/** Computed once, as a matcher is compared with each request: listing 40,000 fields takes 40 ms, comparing them 4. */
const parts = new WeakMap<object, MatcherPart>()

function partOf(expected: unknown): MatcherPart {
  if (typeof expected !== 'object' || expected === null) return leaf
  const known = parts.get(expected)
  if (known) return known
  const entries = Object.entries(expected)
  const fields = entries.reduce((sum, [, inner]) => sum + partOf(inner).fields, 0)
  const part = { entries, fields: Math.max(1, fields) }
  parts.set(expected, part)
  return part
}

function one(values: readonly string[]): string | readonly string[] | undefined {
  return values.length > 1 ? values : values[0]
}

/** A difference with secrets hidden. */
export function hiddenDifference({ at, expected, actual }: Difference, hide: Redactor): Difference {
  // A body that is not JSON is shown as a whole.
  const shown = (value: unknown): unknown => (at === 'body' ? hide.body(value) : hide.field(at, value))
  return {
    at: hide.text(at),
    expected: shown(expected),
    ...(actual === undefined ? {} : { actual: shown(actual) }),
  }
}
