import fc from 'fast-check'
import type { OpenApiDocument } from '../../src/openapi/index.ts'
import type { Schema } from '../../src/openapi/document-types.ts'

/** A value that is broken in one place, and how. */
export interface Broken {
  how: string
  value: unknown
}

/**
 * Values that a schema allows, and others: derived from the schema alone, as a reader of the document could do. A
 * validator decides which a value is.
 */
export class SchemaValues {
  readonly #schemas: Readonly<Record<string, Schema>>

  constructor({ components }: OpenApiDocument) {
    this.#schemas = components.schemas
  }

  /** Values that are meant to be valid. */
  valid(schema: Schema): fc.Arbitrary<unknown> {
    const { type, enum: values, anyOf } = this.#whole(schema)
    if (values !== undefined) return fc.constantFrom(...values)
    const whole = this.#whole(schema)
    const types = typesOf(whole)
    const choices = types.map((one) => this.#validOf(one, whole))
    if (choices.length === 0 && Array.isArray(anyOf)) {
      return fc.oneof(...(anyOf as Schema[]).map((one) => this.valid(one)))
    }
    if (choices.length === 0) throw new Error(`no value is known for ${JSON.stringify({ type, schema })}`)
    return fc.oneof(...choices)
  }

  #validOf(type: string, schema: Schema): fc.Arbitrary<unknown> {
    if (type === 'null') return fc.constant(null)
    if (type === 'integer') return integers(schema)
    if (type === 'boolean') return fc.boolean()
    if (type === 'object') return this.#objects(schema)
    return texts(schema)
  }

  #objects({ properties = {}, required = [], anyOf }: Schema): fc.Arbitrary<unknown> {
    const fields = Object.entries(properties)
    if (fields.length === 0)
      return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    const anyRequired = Array.isArray(anyOf) ? (anyOf as Schema[]).map((one) => one.required ?? []) : [[]]
    return fc.constantFrom(...anyRequired).chain((more) =>
      fc.record(Object.fromEntries(fields.map(([name, field]) => [name, this.valid(field)])), {
        requiredKeys: [...required, ...more],
        noNullPrototype: true,
      }),
    )
  }

  /** Copies of a valid value, each broken in one place. */
  broken(schema: Schema, value: unknown): Broken[] {
    const whole = this.#whole(schema)
    const own = wrongFor(whole).map(({ how, value: wrong }) => ({ how, value: wrong }))
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !whole.properties) return own
    const fields = value as Readonly<Record<string, unknown>>
    const removed = Object.keys(fields).map((name) => {
      const { [name]: _gone, ...rest } = fields
      return { how: `${name} is left out`, value: rest }
    })
    const inner = Object.entries(whole.properties).flatMap(([name, field]) =>
      this.broken(field, fields[name]).map((one) => ({
        how: `${name}: ${one.how}`,
        value: { ...fields, [name]: one.value },
      })),
    )
    return [
      ...own,
      ...removed,
      { how: 'a field that nobody declares', value: { ...fields, undeclared: 1 } },
      ...inner,
    ]
  }

  #whole(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema
    return this.#schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}
  }
}

/** The JSON types that a schema allows. */
function typesOf({ type, properties }: Schema): string[] {
  const types: unknown = type ?? (properties ? 'object' : [])
  return [types].flat().map(String)
}

function integers({ minimum = -1e6, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum), Number(maximum)]
  return fc.oneof(
    fc.integer({ min: Math.max(min, -1000), max: Math.min(max, Math.max(min, 1000)) }),
    fc.maxSafeInteger().map((value) => Math.min(max, Math.max(min, value))),
    fc.constantFrom(min, max),
  )
}

function texts({ pattern, format, anyOf, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<unknown> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  const formats = Array.isArray(anyOf) ? (anyOf as Schema[]).map((one) => one['format']) : [format]
  if (formats.some((one) => one !== undefined)) {
    return fc.constantFrom(...formats).chain((one) => instants(one === 'date'))
  }
  return fc.string({ unit: 'grapheme', minLength: Number(minLength), maxLength: Number(maxLength) })
}

function instants(isDate: boolean): fc.Arbitrary<string> {
  return fc
    .date({ noInvalidDate: true, min: new Date('1971-01-01'), max: new Date('2200-01-01') })
    .map((date) => (isDate ? date.toISOString().slice(0, 10) : date.toISOString()))
}

/** Wrong values for any value: other types, and values just outside of the limits. */
function wrongFor(schema: Schema): Broken[] {
  const others: unknown[] = ['', 'x', 0, 1.5, true, null, [], {}]
  const wrong = others.map((value) => ({ how: `it is ${JSON.stringify(value)}`, value }))
  const { minimum, maximum, minLength, maxLength, pattern, enum: values } = schema
  const add = (how: string, value: unknown): void => void wrong.push({ how, value })
  if (minimum !== undefined) add('below the minimum', Number(minimum) - 1)
  if (maximum !== undefined) add('above the maximum', Number(maximum) + 1)
  if (minLength !== undefined) add('too short', 'x'.repeat(Number(minLength) - 1))
  if (maxLength !== undefined) add('too long', 'x'.repeat(Number(maxLength) + 1))
  if (pattern !== undefined) {
    for (const text of ['ä', '\n', 'usd', 'USDX', '4', ' ']) add(`it is ${JSON.stringify(text)}`, text)
  }
  if (values !== undefined) add('a value that is not listed', `${String(values[0])}_`)
  if (schema['format'] !== undefined || schema['anyOf'] !== undefined) {
    for (const text of ['2026-02-30', '2026-13-01', '2026-11-22T25:00:00Z', '2026-11-22T10:00:00', '2026']) {
      add(`it is ${text}`, text)
    }
  }
  return wrong
}
