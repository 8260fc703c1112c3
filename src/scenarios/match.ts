// Matches a call against the conditions of a rule: params, query, headers, body, key and product.
import { isJsonObject } from '../contract/formats.ts'
import { sameNumber } from '../json/exact-number.ts'
import { fitsGlob } from './glob.ts'
import type { When } from './scenario-schema.ts'

/** The parts of a call that a rule can match. */
export interface MatchedCall {
  operation: string
  params: Readonly<Record<string, string>>
  query(name: string): readonly string[]
  header(name: string): string | undefined
  /** The body as JSON, or undefined if there is none or it is invalid. */
  body: unknown
  key: { id: string; api_key: string }
  product: string
}

/** Returns the part of a call that does not match, or undefined if the call matches. */
export function misfit(when: When, call: MatchedCall): string | undefined {
  for (const [name, pattern] of Object.entries(when.params ?? {})) {
    const value = call.params[name]
    if (value === undefined || !fitsGlob(pattern, value)) return `params.${name}`
  }
  for (const [name, pattern] of Object.entries(when.query ?? {})) {
    if (!call.query(name).some((value) => fitsGlob(pattern, value))) return `query.${name}`
  }
  for (const [name, pattern] of Object.entries(when.headers ?? {})) {
    const value = call.header(name.toLowerCase())
    if (value === undefined || !fitsGlob(pattern, value)) return `headers.${name}`
  }
  if (when.key !== undefined && !fitsGlob(when.key, call.key.id) && !fitsGlob(when.key, call.key.api_key)) {
    return 'key'
  }
  if (when.product !== undefined && !fitsGlob(when.product, call.product)) return 'product'
  if (when.body !== undefined && !includes(call.body, when.body)) return 'body'
  return undefined
}

/** Whether a value has everything that a pattern has; texts of the pattern are globs. */
function includes(value: unknown, pattern: unknown): boolean {
  if (typeof pattern === 'string') return typeof value === 'string' && fitsGlob(pattern, value)
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) &&
      value.length === pattern.length &&
      pattern.every((item, at) => includes(value[at], item))
    )
  }
  if (isJsonObject(pattern)) {
    return (
      isJsonObject(value) &&
      Object.entries(pattern).every(
        ([key, inner]) => Object.hasOwn(value, key) && includes(value[key], inner),
      )
    )
  }
  return sameNumber(value, pattern)
}
