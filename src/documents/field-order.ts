// A value with its fields in the order of its schema, however deep; the value itself where they are already. Two rows
// that say the same thus have the same text, whoever wrote them. Free-form parts stay as they were given.
//
// @example
// inFieldOrder(reward, { status: 'PENDING', id: 'rwd_1' })   // { id: 'rwd_1', status: 'PENDING' }
import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'

/** The fields of an object with their places and the order of what is inside them. */
type Fields = ReadonlyMap<string, { place: number; inner: Order | undefined }>

/** The order of an object or of the items of a list; what has none of its own is left as it is. */
type Order = { fields: Fields } | { items: Order }

const known = new WeakMap<z.ZodType, { order: Order | undefined }>()

export function inFieldOrder<T>(schema: z.ZodType, value: T): T {
  let compiled = known.get(schema)
  if (!compiled) known.set(schema, (compiled = { order: orderOf(schema) }))
  // Nothing is added to the value or taken from it, so its type is still what it was.
  return ordered(value, compiled.order) as T
}

function orderOf(schema: unknown): Order | undefined {
  if (schema instanceof z.ZodOptional) return orderOf(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.map(orderOf).find((order) => order !== undefined)
  if (schema instanceof z.ZodArray) {
    const items = orderOf(schema.element)
    return items && { items }
  }
  if (!(schema instanceof z.ZodObject)) return undefined
  const fields = Object.entries(schema.shape)
  return { fields: new Map(fields.map(([name, field], place) => [name, { place, inner: orderOf(field) }])) }
}

function ordered(value: unknown, order: Order | undefined): unknown {
  if (order === undefined) return value
  if ('items' in order) return Array.isArray(value) ? orderedItems(value, order.items) : value
  return isJsonObject(value) ? orderedFields(value, order.fields) : value
}

function orderedItems(items: readonly unknown[], order: Order): readonly unknown[] {
  const made = items.map((item) => ordered(item, order))
  return made.some((item, place) => item !== items[place]) ? made : items
}

function orderedFields(
  value: Readonly<Record<string, unknown>>,
  fields: Fields,
): Readonly<Record<string, unknown>> {
  let inOrder = true
  let last = -1
  for (const name in value) {
    const field = fields.get(name)
    if (field === undefined) continue
    if (field.place < last || (field.inner && ordered(value[name], field.inner) !== value[name])) {
      inOrder = false
      break
    }
    last = field.place
  }
  if (inOrder) return value
  const made: Record<string, unknown> = {}
  for (const [name, { inner }] of fields) {
    if (Object.hasOwn(value, name)) made[name] = ordered(value[name], inner)
  }
  return made
}
