// Serializes results to JSON by their schema, without the fields whose scope the key lacks; remembers the text of rows.
import type { z } from 'zod'
import { docs, mayBeEmpty } from '../contract/docs.ts'
import { fieldsIn, innerOf, isOptional, shapeOf, type Field } from '../contract/schema-shape.ts'
import { stringify } from '../json/stringify.ts'
import type { OmittingScope, Scope } from '../contract/scopes.ts'

/**
 * Turns what a handler returned into JSON text by the declared result schema: exactly the declared fields, in their
 * declared order, without those whose scope the key lacks (contract: Authentication 6). What a row holds beside the
 * contract's fields is thus never served.
 *
 * Rows are immutable, so the text of a resource is kept with the row, once per set of omitted fields; a page is
 * then little more than a join.
 *
 * @param writing told in `sawEmpty` whether an optional field had no value.
 * @example serialize(reward, row, { scopes: ['ORDER_WRITE'], keep: true, nulls: false, sawEmpty: false })   // '{"id":"rwd_1",…}'
 */
export function serialize(schema: z.ZodType, value: unknown, writing: Writing): string {
  return writerOf(schema)(value, writing)
}

/** How one answer is written. */
export interface Writing {
  readonly scopes: readonly Scope[]
  /** Whether to keep the text of rows. */
  readonly keep: boolean
  /** Whether an optional field without a value is null, and not left out. */
  readonly nulls: boolean
  /** Some optional field had no value. */
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

/** Text that JSON writes as it is. */
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
    // Joined, not added up: a sum is a rope, which is walked again each time it becomes part of a page.
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

/** The scopes that decide which fields of a schema are shown, however deep they stand. */
function omittingScopes(schema: z.ZodType): OmittingScope[] {
  const { item } = shapeOf(schema)
  if (item) return omittingScopes(item)
  const found = fieldsIn(schema).flatMap(({ schema: field }) => {
    const own = docs.get(field)?.['x-requires-scope']
    return own === undefined ? omittingScopes(field) : [own, ...omittingScopes(field)]
  })
  return [...new Set(found)]
}

/** What was written of a value, and whether an optional field of it had no value. */
interface Written {
  text: string
  sawEmpty: boolean
}

/** Keeps the text with the value it was made of, one for each combination of scopes that matter. */
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
