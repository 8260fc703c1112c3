// What a schema found wrong, in words and with a suggestion for names and values that are not known.
import type { z } from 'zod'
import { didYouMean } from './did-you-mean.ts'
import { ruleOf } from '../contract/violations.ts'
import type { Path } from './json-text.ts'

/** Something that a schema refuses. */
export interface Issue {
  /** Within the value. */
  path: Path
  message: string
  /** Whether it is the key that is wrong, not the value. */
  at: 'key' | 'value'
}

/** Says what a schema found, with the nearest known name for a field or value that is not known. */
export function describeSchemaIssues(issues: readonly z.core.$ZodIssue[], schema: z.ZodType): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
    if (issue.code !== 'unrecognized_keys') return [{ path, message: ruleFor(issue), at: 'value' }]
    const known = fieldsAt(schema, path)
    const orNothing = known.length === 0 ? '' : undefined
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `unknown field${didYouMean(key, known, orNothing)}`,
      at: 'key',
    }))
  })
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
  let at = defOf(schema)
  for (const part of path) {
    const inner = typeof part === 'number' ? at.element : at.shape?.[part]
    if (inner === undefined) return []
    at = defOf(inner)
  }
  return Object.keys(at.shape ?? {})
}

/** What schemas are made of, as far as they have it. */
interface SchemaDef extends z.core.$ZodTypeDef {
  innerType?: z.core.$ZodType
  out?: z.core.$ZodType
  shape?: z.core.$ZodShape
  element?: z.core.$ZodType
}

/** The definition of a schema, inside the wrappers for what may be left out or has a default. */
export function defOf(schema: z.core.$ZodType): SchemaDef {
  const def: SchemaDef = schema._zod.def
  const inner = def.innerType ?? def.out
  return inner === undefined ? def : defOf(inner)
}
