// What a schema is made of: fields, items, values. The only file that asks zod which kind of schema it has.
import { z } from 'zod'

/** A field of an object. */
export interface Field {
  readonly name: string
  /** As declared, so that `docs` and `mayBeEmpty` know it. */
  readonly schema: z.ZodType
  /** Its index in the declared order. */
  readonly index: number
  readonly isOptional: boolean
}

/** What a schema is made of; an optional one has the shape of what it wraps. */
export interface Shape {
  /** The fields of an object in their declared order. */
  readonly fields?: ReadonlyMap<string, Field>
  /** The schema of the items of a list, and how many it may have. */
  readonly item?: z.ZodType
  readonly maxItems?: number
  /** It has alternatives, of which an object may be another than the one with these fields. */
  readonly isUnion?: true
  /** A map with names of the caller's own. */
  readonly isRecord?: true
  /** The values of an enum. */
  readonly values?: readonly string[]
  /** The range of a number, where it has a bound. */
  readonly range?: { readonly minimum: number | null; readonly maximum: number | null }
}

const nothing: Shape = {}
const shapes = new WeakMap<z.core.$ZodType, Shape>()

/**
 * The shape of a schema: empty for a text, a record and whatever else holds no schemas. It is computed once for each
 * schema, as asking zod costs more than reading a body.
 *
 * @example [...(shapeOf(reward).fields?.keys() ?? [])]   // ['id', 'customer_id', …]
 */
export function shapeOf(schema: z.core.$ZodType): Shape {
  let shape = shapes.get(schema)
  if (!shape) shapes.set(schema, (shape = read(schema)))
  return shape
}

function read(schema: unknown): Shape {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return read(schema.unwrap())
  if (schema instanceof z.ZodPipe) return read(schema.out)
  if (schema instanceof z.ZodUnion) return unionOf(schema.options.map(read))
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType)
    return listOf(schema, schema.element)
  if (schema instanceof z.ZodRecord) return { isRecord: true }
  if (schema instanceof z.ZodEnum) return { values: schema.options.map(String) }
  if (schema instanceof z.ZodNumber) return { range: { minimum: schema.minValue, maximum: schema.maxValue } }
  return schema instanceof z.ZodObject ? { fields: fieldsOf(schema) } : nothing
}

function listOf({ _zod: { def } }: z.ZodArray, item: z.ZodType): Shape {
  for (const { _zod } of def.checks ?? []) {
    if ('maximum' in _zod.def && typeof _zod.def.maximum === 'number')
      return { item, maxItems: _zod.def.maximum }
  }
  return { item }
}

/** The first object and the first list among the alternatives: a value is at most one of them. */
function unionOf(alternatives: readonly Shape[]): Shape {
  const { fields } = alternatives.find((shape) => shape.fields) ?? nothing
  const list = alternatives.find(({ item }) => item)
  return { ...list, ...(fields && { fields }), isUnion: true }
}

function fieldsOf({ shape }: z.ZodObject): ReadonlyMap<string, Field> {
  return new Map(
    Object.entries(shape).flatMap(([name, schema], index) =>
      schema instanceof z.ZodType ? [[name, { name, schema, index, isOptional: isOptional(schema) }]] : [],
    ),
  )
}

/** The fields of an object; none for any other schema. */
export function fieldsIn(schema: z.core.$ZodType): readonly Field[] {
  return [...(shapeOf(schema).fields?.values() ?? [])]
}

/** Whether a schema may be absent. */
export function isOptional(schema: z.ZodType): boolean {
  return schema instanceof z.ZodOptional
}

/** The schema without the wrapper that lets it be absent. */
export function innerOf(schema: z.ZodType): z.ZodType {
  const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodType ? inner : schema
}
