// Finds the resource of an event in its body: an object with the fields of a declared resource, or only its id.
import { isDeepStrictEqual } from 'node:util'
import { eventTypes, type EventType } from '../../contract/event-types.ts'
import { fieldsIn, shapeOf } from '../../contract/schema-shape.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { Path } from '../../json/json-text.ts'
import { resourceSchema } from '../resource-of.ts'
import { resourceWords } from './event-names.ts'
import { isIdField, isPreviousField, isResourceField } from './header-names.ts'

/** An object of a body that has fields of a resource. */
export interface FoundResource {
  readonly path: Path
  readonly value: Readonly<Record<string, unknown>>
  /** A type whose resource it fits; of a part of a resource, this may be one of several. */
  readonly type: EventType
  /** Whether it has every required field of the resource. */
  readonly isFull: boolean
  /** Its fields that the resource does not have. */
  readonly more: readonly string[]
  /** Whether its key shows that it is the resource. */
  readonly isNamed: boolean
}

/** The resources of a body. */
export interface BodyResources {
  readonly resource: FoundResource | undefined
  readonly previous: FoundResource | undefined
  /** The types whose resource it can be. */
  readonly types: readonly EventType[]
}

/**
 * Finds the resource, and the one before the change.
 *
 * @param types the types that the event may have.
 * @param eventId the id of the event, which no resource has.
 */
export function findResources(
  body: Record<string, unknown>,
  types: readonly EventType[],
  eventId: string | undefined,
): BodyResources {
  const distinct = onePerCollection(types)
  const fits = [...objectsIn(body, [])].flatMap(({ path, value }) =>
    distinct.flatMap((type) => fitOf(value, path, type, distinct.length === 1) ?? []),
  )
  const isCurrent = ({ path, value }: FoundResource): boolean => !hasPrevious(path) && idIn(value) !== eventId
  const whole = fits.filter((one) => one.isFull && isCurrent(one))
  const inner = whole.filter(({ path }) => path.length > 0)
  const full = inner.find(({ isNamed }) => isNamed) ?? inner[0] ?? whole[0]
  // A whole resource decides more than some fields do, also if it is the one before the change.
  const allowed = typesOf(types, fits, full ?? fits.find(({ isFull, path }) => isFull && path.length > 0))
  const own = fits.filter(({ type }) => allowed.includes(type))
  const parts = own.filter((one) => !one.isFull && isCurrent(one))
  const paths = new Set(parts.map(({ path }) => path))
  const resource = full ?? parts.find(({ isNamed }) => isNamed) ?? (paths.size === 1 ? parts[0] : undefined)
  const previous = own.find(
    (one) =>
      one.path.length > 0 &&
      one.path !== resource?.path &&
      (hasPrevious(one.path) || (one.isFull && resource?.isFull === true && isOther(one, resource))),
  )
  return { resource, previous, types: typesOf(allowed, own, resource) }
}

/** Returns the types whose resource an object of the body can be. */
function typesOf(
  types: readonly EventType[],
  all: readonly FoundResource[],
  object: FoundResource | undefined,
): readonly EventType[] {
  if (object === undefined) return types
  const alike = all.filter(({ path, isFull }) => path === object.path && isFull === object.isFull)
  const collections = new Set(alike.map(({ type }) => eventTypes[type].collection))
  return types.filter((type) => collections.has(eventTypes[type].collection))
}

/** Whether two objects are states of one resource. */
const isOther = (one: FoundResource, resource: FoundResource): boolean =>
  idIn(one.value) === idIn(resource.value) && !isDeepStrictEqual(one.value, resource.value)

const hasPrevious = (path: Path): boolean => path.some((key) => isPreviousField(String(key)))

/** Types of one collection have the same resource. */
const onePerCollection = (types: readonly EventType[]): EventType[] =>
  [...new Map(types.toReversed().map((type) => [eventTypes[type].collection, type])).values()].toReversed()

/** Returns the id of a resource: of a statement its `statement_id`. */
export function idIn(value: Readonly<Record<string, unknown>>): string | undefined {
  const id = Object.hasOwn(value, 'statement_id') ? value['statement_id'] : value['id']
  return typeof id === 'string' ? id : undefined
}

/** Returns the objects of a body, the outer ones first; not those in lists. */
function* objectsIn(value: unknown, path: Path): Generator<{ path: Path; value: Record<string, unknown> }> {
  if (!isJsonObject(value) || path.length > 4) return
  yield { path, value }
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, [...path, key])
}

/**
 * Returns how an object fits the resource of a type; undefined if it does not.
 *
 * @param isOnly whether no other resource is possible: any object with an id is a whole order event.
 */
function fitOf(
  value: Record<string, unknown>,
  path: Path,
  type: EventType,
  isOnly: boolean,
): FoundResource | undefined {
  const schema = resourceSchema(type)
  const names = fieldsIn(schema).map(({ name }) => name)
  const key = String(path.at(-1) ?? '')
  const isNamed = isResourceField(key) || key.toLowerCase() === resourceWords(type).join('_')
  const more = Object.keys(value).filter((name) => !names.includes(name))
  const own = withoutNulls(Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))))
  const isEnough = names.length > 1 || (isOnly && more.length === 0)
  if (isEnough && schema.safeParse(own, { jitless: true }).success)
    return { path, value, type, isFull: true, more, isNamed }
  const isPart =
    more.length === 0 &&
    (idIn(value) !== undefined || hasPrevious(path)) &&
    Object.entries(value).every(([name, field]) => field === null || isFieldOf(type, name, field))
  return isPart && path.length > 0 ? { path, value, type, isFull: false, more, isNamed } : undefined
}

/** Whether a value is valid for a field of the resource of a type. */
export function isFieldOf(type: EventType, name: string, value: unknown): boolean {
  const field = shapeOf(resourceSchema(type)).fields?.get(name)
  return field !== undefined && field.schema.safeParse(value, { jitless: true }).success
}

/** Whether a field is the id of the resource by its name, such as `reward_id` or `resource_id`. */
export function isResourceIdField(type: EventType | undefined, key: string): boolean {
  const words = type === undefined ? [] : [`${resourceWords(type).join('_')}_id`]
  return !isIdField(key) && [...words, 'resource_id', 'object_id', 'entity_id'].includes(key.toLowerCase())
}

/** Returns the types that a field such as `reward_id` shows; every resource has a `customer_id`. */
export function typesByIdField(
  body: Record<string, unknown>,
  types: readonly EventType[],
): readonly EventType[] {
  const keys = new Set([...objectsIn(body, [])].flatMap(({ value }) => Object.keys(value)))
  const shown = types.filter((type) => {
    const name = resourceWords(type).join('_')
    return name !== 'customer' && keys.has(`${name}_id`)
  })
  return new Set(shown.map((type) => eventTypes[type].collection)).size === 1 ? shown : types
}

/** A service may write an absent field as null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutNulls(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  )
}
