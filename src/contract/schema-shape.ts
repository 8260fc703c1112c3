// The shape of a zod schema: its fields, items, values. Only this file inspects the kind of a zod schema.
import { z } from 'zod'

/** A field of an object. */
export interface Field {
  readonly name: string
  /**
   * The schema as declared, including a wrapper such as `.optional()`: `docs` and `mayBeEmpty` look it up by identity.
   */
  readonly schema: z.ZodType
  /** Its index in the declared order. */
  readonly index: number
  readonly isOptional: boolean
}

/** The parts of a schema. An optional schema has the shape of the schema that it wraps. */
export interface Shape {
  /** The fields of an object in their declared order. */
  readonly fields?: ReadonlyMap<string, Field>
  /** The schema of a list's items, and the maximum number of items. */
  readonly item?: z.ZodType
  readonly maxItems?: number
  /** The schema is a union: an object may match an alternative other than the one with these fields. */
  readonly isUnion?: true
  /** The schema is a map whose keys the caller chooses. */
  readonly isRecord?: true
  /** The values of an enum. */
  readonly values?: readonly string[]
  /** The schema is that of true and false. */
  readonly isBoolean?: true
  /** The schema is that of true alone. */
  readonly isOnlyTrue?: true
  /** The range of a number. Null means no bound on that side. */
  readonly range?: { readonly minimum: number | null; readonly maximum: number | null }
}

const nothing: Shape = {}
const shapes = new WeakMap<z.core.$ZodType, Shape>()

/**
 * Returns the shape of a schema. It is empty for a schema that holds no fields, items or values, such as a text.
 * It is cached for each schema, because inspecting zod schemas costs more than reading a request body.
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
  if (schema instanceof z.ZodLiteral) return literalsOf(schema)
  if (schema instanceof z.ZodEnum) return { values: schema.options.map(String) }
  if (schema instanceof z.ZodBoolean) return { isBoolean: true }
  if (schema instanceof z.ZodNumber) return { range: { minimum: schema.minValue, maximum: schema.maxValue } }
  return schema instanceof z.ZodObject ? { fields: fieldsOf(schema) } : nothing
}

function literalsOf({ values }: z.ZodLiteral): Shape {
  if (values.size === 1 && values.has(true)) return { isOnlyTrue: true }
  const texts = [...values].filter((value) => typeof value === 'string')
  return texts.length === 0 ? nothing : { values: texts }
}

function listOf({ _zod: { def } }: z.ZodArray, item: z.ZodType): Shape {
  for (const { _zod } of def.checks ?? []) {
    if ('maximum' in _zod.def && typeof _zod.def.maximum === 'number')
      return { item, maxItems: _zod.def.maximum }
  }
  return { item }
}

/** Merges the first object, the first list and the first number among the alternatives. */
function unionOf(alternatives: readonly Shape[]): Shape {
  const { fields } = alternatives.find((shape) => shape.fields) ?? nothing
  const list = alternatives.find(({ item }) => item)
  const { range } = alternatives.find((shape) => shape.range) ?? nothing
  return { ...list, ...(fields && { fields }), ...(range && { range }), isUnion: true }
}

function fieldsOf({ shape }: z.ZodObject): ReadonlyMap<string, Field> {
  return new Map(
    Object.entries(shape).flatMap(([name, schema], index) =>
      schema instanceof z.ZodType ? [[name, { name, schema, index, isOptional: isOptional(schema) }]] : [],
    ),
  )
}

/** Returns the fields of an object schema; an empty list for any other schema. */
export function fieldsIn(schema: z.core.$ZodType): readonly Field[] {
  return [...(shapeOf(schema).fields?.values() ?? [])]
}

/** Returns the description of a schema, or of the one that it wraps. */
export function aboutOf(schema: z.ZodType): string | undefined {
  if (schema.description !== undefined) return schema.description
  const inner: unknown =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : undefined
  return inner instanceof z.ZodType ? aboutOf(inner) : undefined
}

/** Returns the description of a field of an object. */
export function aboutField(schema: z.ZodObject | undefined, name: string): string | undefined {
  const field = schema && shapeOf(schema).fields?.get(name)
  return field && aboutOf(field.schema)
}

/** Whether the schema is optional. */
export function isOptional(schema: z.ZodType): boolean {
  return schema instanceof z.ZodOptional
}

/** The value in place of an absent one, if the schema has one. */
export function defaultOf(schema: z.ZodType): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined
}

/** The schema without the wrapper that lets it be absent. */
export function innerOf(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
  const inner: unknown = isWrapped ? schema.unwrap() : schema
  return inner instanceof z.ZodType ? inner : schema
}
