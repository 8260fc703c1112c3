// A JSON Schema as a TypeScript type.
import type { Schema } from '../../src/openapi/document-types.ts'

/**
 * For the parts of JSON Schema that our OpenAPI document uses; anything else stops the build, so that no type is wider
 * than the schema without anybody knowing.
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

/** An object of one of several kinds: each says what a field is in it, which fields it lacks, and which it must have. */
function kindsOf({
  properties,
  required = [],
  oneOf,
}: Required<Pick<Schema, 'properties' | 'oneOf'>> & Schema): string {
  const kinds = oneOf.map((kind) => {
    const own: Readonly<Record<string, Schema | false>> = kind.properties ?? {}
    return objectType({ ...properties, ...own }, [...required, ...(kind.required ?? [])])
  })
  return kinds.join(' | ')
}

/** A description as a comment of its own. */
export function docComment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\u200b/')} */\n`
}

function objectType(
  properties: Readonly<Record<string, Schema | false>>,
  required: readonly string[],
): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    if (schema === false) return `${name}?: never`
    const mark = required.includes(name) ? '' : '?'
    return `${docComment(schema.description)}${name}${mark}: ${typeOf(schema)}`
  })
  return `{\n${fields.join('\n')}\n}`
}

function wrapped(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}
