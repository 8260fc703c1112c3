// What a schema found wrong, in words and with a suggestion for names and values that are not known.
import type { z } from 'zod'
import { didYouMean } from './did-you-mean.ts'
import { shapeOf } from '../contract/schema-shape.ts'
import { ruleOf } from '../contract/violations.ts'
import type { Path } from '../json/json-text.ts'
import { maxCounted } from './problems.ts'

/** Something that a schema refuses. */
export interface Issue {
  /** Within the value. */
  path: Path
  message: string
  /** Whether it is the key that is wrong, not the value. */
  at: 'key' | 'value'
}

/** What a schema made of a value, or what it refuses. */
export type Read<S extends z.ZodType> =
  { data: z.output<S>; issues?: never } | { data?: never; issues: readonly z.core.$ZodIssue[] }

/** How many items a list may have to be read as a part of what it stands in. */
const shortList = 100

/**
 * Reads a value by its schema. Zod tells everything that is wrong with every item of a list, which for a list without
 * end is work and memory without end; so long lists are read item by item, up to as many issues as anybody counts.
 */
export function readBySchema<S extends z.ZodType>(schema: S, value: unknown): Read<S> {
  const issues: z.core.$ZodIssue[] = []
  for (const { path, list, item, tooMany } of longLists(schema, value, [])) {
    if (tooMany !== undefined) {
      issues.push({ code: 'custom', path, message: tooMany })
      continue
    }
    for (const [index, one] of list.entries()) {
      const read = readBySchema(item, one)
      for (const issue of read.issues ?? []) issues.push({ ...issue, path: [...path, index, ...issue.path] })
      if (issues.length >= maxCounted) return { issues }
    }
  }
  if (issues.length > 0) return { issues }
  // Without making code of its own, which takes zod longer than reading the few values that come this way.
  const read = schema.safeParse(value, { reportInput: true, jitless: true })
  return read.success ? { data: read.data } : { issues: read.error.issues }
}

interface LongList {
  path: PropertyKey[]
  list: readonly unknown[]
  item: z.ZodType
  /** What is to be said of a list that is longer than it may be, whose items nobody needs to look at. */
  tooMany: string | undefined
}

/** The long lists in a value, as far as its schema says what their items are; not those inside of their items. */
function* longLists(schema: z.core.$ZodType, value: unknown, path: PropertyKey[]): Generator<LongList> {
  if (typeof value !== 'object' || value === null) return
  const { fields, item: ofItems, maxItems, isUnion } = shapeOf(schema)
  if (Array.isArray(value)) {
    if (ofItems === undefined) return
    if (value.length > shortList) {
      yield { path, list: value, item: ofItems, tooMany: tooMany(value.length, maxItems) }
    } else for (const [index, item] of value.entries()) yield* longLists(ofItems, item, [...path, index])
  } else if (fields && !isUnion) {
    const given: Readonly<Record<string, unknown>> = Object(value)
    for (const field of fields.values()) {
      if (Object.hasOwn(given, field.name))
        yield* longLists(field.schema, given[field.name], [...path, field.name])
    }
  }
}

const tooMany = (length: number, maxItems = Number.POSITIVE_INFINITY): string | undefined =>
  length > maxItems ? `must have at most ${maxItems} items` : undefined

/** Says what a schema found, with the nearest known name for a field or value that is not known. */
export function* describeSchemaIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
): Generator<Issue> {
  for (const issue of issues) {
    const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
    if (issue.code !== 'unrecognized_keys') {
      yield { path, message: ruleFor(issue), at: 'value' }
      continue
    }
    const known = fieldsAt(schema, path)
    for (const key of issue.keys) yield { path: [...path, key], message: unknownField(key, known), at: 'key' }
  }
}

/** What is said of a field that its object does not have. */
export function unknownField(name: string, known: readonly string[]): string {
  return `unknown field${didYouMean(name, known, known.length === 0 ? '' : undefined)}`
}

function ruleFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') {
    return issue.message.startsWith('must') ? issue.message : 'has none of the shapes it may have'
  }
  const isWord = issue.code === 'invalid_value' && typeof issue.input === 'string'
  return ruleOf(issue) + (isWord ? didYouMean(issue.input, issue.values.map(String), '') : '')
}

/** The names of the fields that a schema has at a path. */
function fieldsAt(schema: z.core.$ZodType, path: Path): string[] {
  let shape = shapeOf(schema)
  for (const part of path) {
    const inner = typeof part === 'number' ? shape.item : shape.fields?.get(String(part))?.schema
    if (inner === undefined) return []
    shape = shapeOf(inner)
  }
  return shape.isUnion ? [] : [...(shape.fields?.keys() ?? [])]
}
