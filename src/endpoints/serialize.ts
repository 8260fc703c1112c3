// Serializes results to JSON by their schema, omits fields whose scope the key lacks, and caches the text of rows.
import type { z } from 'zod'
import { docs } from '../contract/docs.ts'
import { defaultOf, fieldsIn, innerOf, shapeOf, type Field } from '../contract/schema-shape.ts'
import { stringify } from '../json/stringify.ts'
import type { OmittingScope, Scope } from '../contract/scopes.ts'

/**
 * Serializes a handler's result as JSON text by the declared result schema: exactly the declared fields, in their
 * declared order, without fields whose scope the key lacks (contract: Authentication 6). So an answer never contains
 * fields of a row that the contract does not have.
 *
 * Rows are immutable, so the text of a resource is cached by row, once for each set of omitted fields. A page then
 * costs little more than a join.
 *
 * An optional field without a value is absent, unless its schema has a default.
 *
 * @example
 * serialize(reward, row, { scopes: ['ORDER_WRITE'], keep: true })
 * // '{"id":"rwd_1",…}'
 */
export function serialize(schema: z.ZodType, value: unknown, writing: Writing): string {
  return writerOf(schema)(value, writing)
}

/** The options for serializing one answer. */
export interface Writing {
  readonly scopes: readonly Scope[]
  /** Whether to cache the text of rows. */
  readonly keep: boolean
}

type Writer = (value: unknown, writing: Writing) => string

const writers = new WeakMap<z.ZodType, Writer>()

function writerOf(schema: z.ZodType): Writer {
  let writer = writers.get(schema)
  if (!writer) {
    writer = makeWriter(schema)
    writers.set(schema, writer)
  }
  return writer
}

function makeWriter(schema: z.ZodType): Writer {
  const inner = innerOf(schema)
  if (inner !== schema) return writerOf(inner)
  const { fields, item } = shapeOf(schema)
  if (item) return arrayWriter(writerOf(item))
  if (!fields) return writeValue
  const write = objectWriter(fields.values())
  return docs.get(schema)?.id === undefined ? write : remembering(write, omittingScopes(schema))
}

/** Matches text that JSON does not escape. */
const plain = /^[ !#-[\]-~]*$/

function writeValue(value: unknown): string {
  return typeof value === 'string' && plain.test(value) ? `"${value}"` : stringify(value)
}

function arrayWriter(write: Writer): Writer {
  return (value, writing) =>
    Array.isArray(value) ? `[${value.map((item) => write(item, writing)).join(',')}]` : 'null'
}

function objectWriter(declared: Iterable<Field>): Writer {
  const fields = Array.from(declared, ({ name, schema }) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    write: writerOf(schema),
    needs: docs.get(schema)?.['x-requires-scope'],
    empty: defaultOf(schema),
  }))
  return (value, writing) => {
    const from = value as Readonly<Record<string, unknown>>
    // Join instead of concatenating: a concatenated rope is walked again for each page that contains it.
    const parts: string[] = []
    for (const { name, label, write, needs, empty } of fields) {
      if (needs !== undefined && !writing.scopes.includes(needs)) continue
      const own = from[name]
      const held = own === undefined ? empty : own
      if (held !== undefined) parts.push(label + write(held, writing))
    }
    return `{${parts.join(',')}}`
  }
}

/** Returns the scopes that decide which fields of a schema are shown, at any depth. */
function omittingScopes(schema: z.ZodType): OmittingScope[] {
  const { item } = shapeOf(schema)
  if (item) return omittingScopes(item)
  const found = fieldsIn(schema).flatMap(({ schema: field }) => {
    const own = docs.get(field)?.['x-requires-scope']
    return own === undefined ? omittingScopes(field) : [own, ...omittingScopes(field)]
  })
  return [...new Set(found)]
}

/** Caches the text by value, one for each combination of the relevant scopes. */
function remembering(write: Writer, matter: readonly OmittingScope[]): Writer {
  const texts = new WeakMap<object, (string | undefined)[]>()
  return (value, writing) => {
    if (!writing.keep || typeof value !== 'object' || value === null) return write(value, writing)
    let variant = 0
    for (const [bit, scope] of matter.entries()) if (writing.scopes.includes(scope)) variant |= 1 << bit
    let known = texts.get(value)
    if (!known) texts.set(value, (known = []))
    return (known[variant] ??= write(value, writing))
  }
}
