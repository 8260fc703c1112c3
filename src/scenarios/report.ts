// What is wrong with a scenario file, told at its place, with "did you mean" for a mistyped name.
import type { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { ruleOf } from '../contract/violations.ts'
import { closest, didYouMean } from '../input/did-you-mean.ts'
import type { Path } from '../json/json-text.ts'
import { readBySchema } from '../input/schema-issues.ts'

/** Tells what is wrong at a place of the document. */
export type Report = (path: Path, message: string, at?: 'key' | 'value') => void

/** What is inside a part that is reported on. */
export function within(path: Path, report: Report): Report {
  return (inner, message, at) => report([...path, ...inner], message, at)
}

/** "unknown effect 'notfound', did you mean 'not_found'?" */
export function unknownName(kind: string, name: unknown, known: readonly string[]): string {
  const text = typeof name === 'string' ? name : JSON.stringify(name)
  const hint = didYouMean(typeof name === 'string' ? name : '', known)
  return `unknown ${kind} '${String(text).slice(0, 80)}'${hint}`
}

/** Reports keys that nothing reads, each with what it may have been meant to be. */
export function refuseUnknownKeys(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  report: Report,
): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key)) report([key], unknownName('key', key, known), 'key')
  }
}

/** How the words of a value are called, and the keys that it can have where it is a map. */
type Naming = { noun?: string; keys?: readonly string[] } | undefined

/**
 * Reads a value by its schema; undefined when it is none, which was reported.
 * @param naming says what is wrong in words that go by it; left out, the words of the schema are said as they are.
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
 * Reads an object field by field, so that what is wrong is told in the order in which somebody asks for the fields;
 * undefined when it is no object.
 */
export function fieldsOf<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  written: unknown,
  report: Report,
): (<K extends keyof S & string>(name: K) => z.output<S[K]> | undefined) | undefined {
  if (!isJsonObject(written)) return void readPart(schema, written, report)
  const known = Object.keys(schema.shape)
  refuseUnknownKeys(written, known, report)
  // What was mistyped is there, and nobody need be told that it is not.
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

/** Says what is wrong with a value at its own place, with what a mistyped word may have been meant to be. */
function tell(issue: z.core.$ZodIssue, report: Report, naming: Naming): void {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code === 'unrecognized_keys') {
    // Zod does not say which keys there are.
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
    // The alternative that was meant is the one in which something inside is wrong.
    const meant = issue.errors.find((issues) => issues.some((inner) => inner.path.length > 0))
    if (meant) {
      for (const inner of meant) tell(inner, within(path, report), naming)
      return
    }
  }
  report(path, textOf(issue, issue.input, naming))
}

/** "unknown scope 'ACOUNT_READ', did you mean 'ACCOUNT_READ'?" where a word is near enough, or else the rule. */
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
