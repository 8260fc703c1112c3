// Serializes results to JSON by their schema, omits fields whose scope the key lacks, and caches the text of rows.
import type { z } from 'zod'
import { docs, mayBeEmpty } from '../contract/docs.ts'
import { fieldsIn, innerOf, isOptional, shapeOf, type Field } from '../contract/schema-shape.ts'
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
 * @param writing receives in `sawEmpty` whether an optional field had no value.
 * @example
 * serialize(reward, row, { scopes: ['ORDER_WRITE'], keep: true, nulls: false, sawEmpty: false })
 * // '{"id":"rwd_1",…}'
 */
export function serialize(schema: z.ZodType, value: unknown, writing: Writing): string {
  return writerOf(schema)(value, writing)
}

/** The options and the result flag for serializing one answer. */
export interface Writing {
  readonly scopes: readonly Scope[]
  /** Whether to cache the text of rows. */
  readonly keep: boolean
  /** Whether an optional field without a value is null instead of absent. */
  readonly nulls: boolean
  /** Set when an optional field had no value. */
  sawEmpty: boolean
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
  if (isOptional(schema)) return writerOf(innerOf(schema))
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
    isOpen: mayBeEmpty(schema),
  }))
  return (value, writing) => {
    const from = value as Readonly<Record<string, unknown>>
    // Join instead of concatenating: a concatenated rope is walked again for each page that contains it.
    const parts: string[] = []
    for (const { name, label, write, needs, isOpen } of fields) {
      if (needs !== undefined && !writing.scopes.includes(needs)) continue
      const held = from[name]
      if (held !== undefined) parts.push(label + write(held, writing))
      else if (isOpen) {
        writing.sawEmpty = true
        if (writing.nulls) parts.push(`${label}null`)
      }
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

/** The cached text of a value, and whether an optional field of it had no value. */
interface Written {
  text: string
  sawEmpty: boolean
}

/** Caches the text by value, one for each combination of the relevant scopes. */
function remembering(write: Writer, matter: readonly OmittingScope[]): Writer {
  const texts = new WeakMap<object, (Written | undefined)[]>()
  return (value, writing) => {
    if (!writing.keep || typeof value !== 'object' || value === null) return write(value, writing)
    let variant = writing.nulls ? 1 : 0
    for (const [bit, scope] of matter.entries()) if (writing.scopes.includes(scope)) variant |= 2 << bit
    let known = texts.get(value)
    if (!known) texts.set(value, (known = []))
    const written = (known[variant] ??= writtenBy(write, value, writing))
    writing.sawEmpty ||= written.sawEmpty
    return written.text
  }
}

function writtenBy(write: Writer, value: object, writing: Writing): Written {
  const own = { ...writing, sawEmpty: false }
  const text = write(value, own)
  return { text, sawEmpty: own.sawEmpty }
}
