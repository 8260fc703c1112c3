// Reports problems of a scenario file at their positions, with "did you mean" for a mistyped name.
import type { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { ruleOf } from '../contract/violations.ts'
import { closest, didYouMean } from '../input/did-you-mean.ts'
import type { Path } from '../json/json-text.ts'
import { readBySchema } from '../input/schema-issues.ts'

/** Reports a problem at a position of the document. */
export type Report = (path: Path, message: string, at?: 'key' | 'value') => void

/** Returns a reporter for an inner part. */
export function within(path: Path, report: Report): Report {
  return (inner, message, at) => report([...path, ...inner], message, at)
}

/** Returns a message such as "unknown effect 'notfound', did you mean 'not_found'?" */
export function unknownName(kind: string, name: unknown, known: readonly string[]): string {
  const text = typeof name === 'string' ? name : JSON.stringify(name)
  const hint = didYouMean(typeof name === 'string' ? name : '', known)
  return `unknown ${kind} '${String(text).slice(0, 80)}'${hint}`
}

/** Reports unknown keys, each with a suggestion. */
export function refuseUnknownKeys(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  report: Report,
): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key)) report([key], unknownName('key', key, known), 'key')
  }
}

/** The word for the values of an effect, and the possible keys if a value is a map. */
type Naming = { noun?: string; keys?: readonly string[] } | undefined

/**
 * Parses a value by its schema; undefined if it is invalid, which was reported.
 * @param naming describes the problem with its word; without it, the words of the schema are used.
 */
export function readPart<S extends z.ZodType>(
  schema: S,
  written: unknown,
  report: Report,
  naming?: Naming,
): z.output<S> | undefined {
  const { data, issues } = readBySchema(schema, written)
  for (const issue of issues ?? []) tell(issue, report, naming)
  return data
}

/**
 * Parses an object field by field, so that problems are reported in the order in which the fields are read; undefined
 * if it is not an object.
 */
export function fieldsOf<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  written: unknown,
  report: Report,
): (<K extends keyof S & string>(name: K) => z.output<S[K]> | undefined) | undefined {
  if (!isJsonObject(written)) return void readPart(schema, written, report)
  const known = Object.keys(schema.shape)
  refuseUnknownKeys(written, known, report)
  // A mistyped field exists, so it is not reported as missing.
  const mistyped = new Set(
    Object.keys(written)
      .filter((key) => !known.includes(key))
      .map((key) => closest(key, known)),
  )
  return (name) => {
    if (written[name] === undefined && mistyped.has(name)) return undefined
    return readPart(schema.shape[name] as S[typeof name] & z.ZodType, written[name], within([name], report))
  }
}

/** Reports a problem at its own position, with a suggestion for a mistyped word. */
function tell(issue: z.core.$ZodIssue, report: Report, naming: Naming): void {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code === 'unrecognized_keys') {
    // Zod does not list the possible keys.
    for (const key of issue.keys) {
      const { noun = 'key', keys } = naming ?? {}
      report([...path, key], keys ? unknownName(noun, key, keys) : `unknown key '${key}'`, 'key')
    }
    return
  }
  if (issue.code === 'invalid_key') {
    for (const inner of issue.issues) report(path, textOf(inner, issue.path.at(-1), naming), 'key')
    return
  }
  if (issue.code === 'invalid_union') {
    // The alternative that was probably meant is the one in which an inner part is wrong.
    const meant = issue.errors.find((issues) => issues.some((inner) => inner.path.length > 0))
    if (meant) {
      for (const inner of meant) tell(inner, within(path, report), naming)
      return
    }
  }
  report(path, textOf(issue, issue.input, naming))
}

/**
 * Returns "unknown scope 'ACOUNT_READ', did you mean 'ACCOUNT_READ'?" if a word is near enough, or the expected values.
 */
function textOf(issue: z.core.$ZodIssue, input: unknown, naming: Naming): string {
  if (!naming) return issue.message
  const words = wordsOf(issue)
  const isNear = typeof input === 'string' && closest(input, words) !== undefined
  return isNear ? unknownName(naming.noun ?? 'value', input, words) : ruleOf(issue)
}

function wordsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(wordsOf) : []
}
