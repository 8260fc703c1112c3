// Compares a request with a matcher of `verify`: every place in which they differ.
import type { OperationId } from '../contract/declared.generated.ts'
import { isJsonObject } from '../contract/formats.ts'
import { sameNumber } from '../json/exact-number.ts'
import { fitsGlob } from '../scenarios/glob.ts'
import { headerPairs } from '../call/incoming-request.ts'
import { readBody } from './entry.ts'
import { receivedStatus, type Call } from '../call/index.ts'
import type { Redactor } from '../secrets/redact.ts'

/** What `verify` asks of a request; texts are exact values or globs, and a body is the part that must be there. */
export interface RequestMatcher {
  /** Such as `updateReward`. */
  operation?: OperationId | undefined
  /** The status that the client received; `lost` where it received none. */
  status?: number | 'lost' | undefined
  /** Of the path, such as `reward_id`. */
  params?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, string>> | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
}

/** One place in which a request is not what was asked for. */
export interface Difference {
  /** Such as `body.amount` or `query.limit`. */
  at: string
  expected: unknown
  /** Left out where there is nothing. */
  actual?: unknown
}

/** Every place in which a request differs from a matcher; none when it matches. */
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
 * How far a request is from a matcher: 0 when it matches; another operation is further away than any field.
 *
 * @param most ends the count: what is as far or further is as far as that, or more.
 */
export function distanceOf(matcher: RequestMatcher, call: Call, most: number): number {
  let distance = 0
  eachDifference(matcher, call, (path, expected) => {
    distance += path[0] === 'operation' ? 1000 : partOf(expected).fields
    return distance < most
  })
  return distance
}

/** Where something differs: the part of the request, then names of fields and places in lists. */
type DiffersAt = readonly (string | number)[]

/** Takes a difference; false when no more are asked for. */
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

/** @returns whether more is asked for. */
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

/** What a part of a matcher holds. */
interface MatcherPart {
  entries: readonly (readonly [string, unknown])[]
  /** How many fields there are in all of it, so that no body at all is not nearer than half of one. */
  fields: number
}

const leaf: MatcherPart = { entries: [], fields: 1 }

/** Found out once, as a matcher is compared with each request: listing 40,000 fields takes 40 ms, comparing them 4. */
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

/** A difference as it may be shown. */
export function hiddenDifference({ at, expected, actual }: Difference, hide: Redactor): Difference {
  // A body that is no JSON stands there as a whole.
  const shown = (value: unknown): unknown => (at === 'body' ? hide.body(value) : hide.field(at, value))
  return {
    at: hide.text(at),
    expected: shown(expected),
    ...(actual === undefined ? {} : { actual: shown(actual) }),
  }
}
