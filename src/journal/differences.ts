// Compares a request with a matcher of `verify`: every place in which they differ.
import type { OperationId } from '../contract/declared.generated.ts'
import { isJsonObject } from '../contract/formats.ts'
import { sameNumber } from '../json/exact-number.ts'
import { fitsGlob } from '../scenarios/glob.ts'
import { headerValues } from '../exchange/received.ts'
import { readBody } from './entry.ts'
import type { Exchange } from '../exchange/index.ts'
import type { Redactor } from '../secrets/redact.ts'

/** What `verify` asks of a request; texts are exact values or globs, and a body is the part that must be there. */
export interface RequestMatcher {
  /** Such as `updateReward`. */
  operation?: OperationId | undefined
  /** The status of the answer. */
  status?: number | undefined
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
export function differencesOf(matcher: RequestMatcher, { received, became }: Exchange): Difference[] {
  const found: Difference[] = []
  const { operation, status, params, query, headers, body } = matcher
  const actual = received.endpoint?.id
  if (operation !== undefined && operation !== actual) found.push(difference('operation', operation, actual))
  if (status !== undefined && status !== became.status)
    found.push(difference('status', status, became.status))
  for (const [name, pattern] of Object.entries(params ?? {})) {
    const value = Object.hasOwn(received.params, name) ? received.params[name] : undefined
    if (value === undefined || !fitsGlob(pattern, value))
      found.push(difference(`params.${name}`, pattern, value))
  }
  const sent = new URLSearchParams(received.query)
  for (const [name, pattern] of Object.entries(query ?? {})) {
    const values = sent.getAll(name)
    if (!values.some((value) => fitsGlob(pattern, value)))
      found.push(difference(`query.${name}`, pattern, one(values)))
  }
  for (const [name, pattern] of Object.entries(headers ?? {})) {
    const values = headerValues(received, name.toLowerCase())
    if (!values.some((value) => fitsGlob(pattern, value)))
      found.push(difference(`headers.${name.toLowerCase()}`, pattern, one(values)))
  }
  if (body !== undefined) compare('body', body, readBody(received.body) ?? undefined, found)
  return found
}

function compare(at: string, expected: unknown, actual: unknown, found: Difference[]): void {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const [name, inner] of Object.entries(expected)) {
      compare(`${at}.${name}`, inner, Object.hasOwn(actual, name) ? actual[name] : undefined, found)
    }
  } else if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [place, inner] of expected.entries()) compare(`${at}[${place}]`, inner, actual[place], found)
  } else if (!fits(expected, actual)) {
    found.push(difference(at, expected, actual))
  }
}

function fits(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'string') return typeof actual === 'string' && fitsGlob(expected, actual)
  return sameNumber(expected, actual)
}

function difference(at: string, expected: unknown, actual: unknown): Difference {
  return actual === undefined ? { at, expected } : { at, expected, actual }
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
