// Generates a TypeScript type from a JSON Schema.
import type { Schema } from '../../src/openapi/document-types.ts'

/**
 * Supports the parts of JSON Schema that our OpenAPI document uses. Any other part stops the build, so that no type is
 * wider than its schema unnoticed.
 *
 * @example typeOf({ type: 'array', items: { $ref: '#/components/schemas/Reward' } })   // 'Reward[]'
 */
export function typeOf(schema: Schema): string {
  const { $ref, enum: values, properties, additionalProperties } = schema
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? ''
  if ('const' in schema) return JSON.stringify(schema.const)
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  if (properties && schema.oneOf) return kindsOf({ ...schema, properties, oneOf: schema.oneOf })
  if (properties && Object.keys(properties).length > 0) return objectType(properties, schema.required ?? [])
  if (schema.type === 'object') {
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties)}>`
      : 'Record<string, unknown>'
  }
  if (schema.type === 'array' && schema.items) return `${wrapped(typeOf(schema.items))}[]`
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (Object.keys(schema).length === 0) return 'unknown'
  throw new Error(`no type for the schema ${JSON.stringify(schema)}`)
}

/**
 * Returns the type of an object of one of several kinds. Each kind overrides types of fields, excludes fields and
 * requires others.
 */
function kindsOf({
  properties,
  required = [],
  oneOf,
}: Required<Pick<Schema, 'properties' | 'oneOf'>> & Schema): string {
  const kinds = oneOf.map((kind) => {
    return objectType({ ...properties, ...kind.properties }, [...required, ...(kind.required ?? [])])
  })
  return kinds.join(' | ')
}

/** Returns a description as a docstring. */
export function docComment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\u200b/')} */\n`
}

function objectType(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
    if (isNever(schema)) return `${key}?: never`
    const mark = required.includes(name) ? '' : '?'
    return `${docComment(schema.description)}${key}${mark}: ${typeOf(schema)}`
  })
  return `{\n${fields.join('\n')}\n}`
}

/** Whether no value matches a schema: it is written as an object, as many generators know no boolean schemas. */
function isNever({ not }: Schema): boolean {
  return typeof not === 'object' && not !== null && Object.keys(not).length === 0
}

function wrapped(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}
