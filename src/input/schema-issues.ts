// The issues of a schema, in words and with a suggestion for unknown names and values.
import type { z } from 'zod'
import { didYouMean } from './did-you-mean.ts'
import { shapeOf } from '../contract/schema-shape.ts'
import { ruleOf } from '../contract/violations.ts'
import type { Path } from '../json/json-text.ts'
import { maxCounted } from './problems.ts'

/** An issue of a schema. */
export interface Issue {
  /** Within the value. */
  path: Path
  message: string
  /** Whether the key is wrong, not the value. */
  at: 'key' | 'value'
}

/** The parsed value, or its issues. */
export type Read<S extends z.ZodType> =
  { data: z.output<S>; issues?: never } | { data?: never; issues: readonly z.core.$ZodIssue[] }

/** Maximum number of items for a list to be parsed with its parent. */
const shortList = 100

/**
 * Parses a value by its schema. Zod reports every issue of every item, which for a very long list is unbounded work and
 * memory; so long lists are parsed item by item, up to the limit of issues.
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
  // Without code generation, which takes zod longer than parsing the few values that come here.
  const read = schema.safeParse(value, { reportInput: true, jitless: true })
  return read.success ? { data: read.data } : { issues: read.error.issues }
}

interface LongList {
  path: PropertyKey[]
  list: readonly unknown[]
  item: z.ZodType
  /** The issue of a list that is longer than allowed, whose items are not checked. */
  tooMany: string | undefined
}

/** Returns the long lists in a value, if its schema declares their items; not those inside their items. */
function* longLists(schema: z.core.$ZodType, value: unknown, path: PropertyKey[]): Generator<LongList> {
  if (typeof value !== 'object' || value === null) return
  const { fields, item: ofItems, maxItems, isUnion } = shapeOf(schema)
  if (Array.isArray(value)) {
    if (ofItems === undefined) return
    if (value.length > shortList) {
      yield { path, list: value, item: ofItems, tooMany: tooMany(value.length, maxItems) }
    } else for (const [index, item] of value.entries()) yield* longLists(ofItems, item, [...path, index])
  } else if (fields && !isUnion) {
    const record: Readonly<Record<string, unknown>> = Object(value)
    for (const field of fields.values()) {
      if (Object.hasOwn(record, field.name))
        yield* longLists(field.schema, record[field.name], [...path, field.name])
    }
  }
}

const tooMany = (length: number, maxItems = Number.POSITIVE_INFINITY): string | undefined =>
  length > maxItems ? `must have at most ${maxItems} items` : undefined

/** Describes the issues of a schema, with the nearest known name for an unknown field or value. */
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

/** Describes an unknown field. */
export function unknownField(name: string, known: readonly string[]): string {
  return `unknown field${didYouMean(name, known, known.length === 0 ? '' : undefined)}`
}

function ruleFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') {
    return issue.message.startsWith('must') ? issue.message : 'has none of the allowed shapes'
  }
  const isWord = issue.code === 'invalid_value' && typeof issue.input === 'string'
  return ruleOf(issue) + (isWord ? didYouMean(issue.input, issue.values.map(String), '') : '')
}

/** Returns the names of the fields that a schema has at a path. */
function fieldsAt(schema: z.core.$ZodType, path: Path): string[] {
  let shape = shapeOf(schema)
  for (const part of path) {
    const inner = typeof part === 'number' ? shape.item : shape.fields?.get(String(part))?.schema
    if (inner === undefined) return []
    shape = shapeOf(inner)
  }
  return shape.isUnion ? [] : [...(shape.fields?.keys() ?? [])]
}
