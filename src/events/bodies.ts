// The templates of bodies that a description has: one for all types, and those of types and kinds.
import { eventTypeNames, eventTypes, type EventType } from '../contract/event-types.ts'
import type { WebhookDescription } from './description-type.ts'

type Bodies = Pick<WebhookDescription, 'body' | 'bodies'>

/** A body, and where the description has it, such as `bodies.REWARD`. */
export interface BodyOfType {
  readonly template: object
  readonly key: string
}

/** Returns the body of a type: its own, that of its kind, or the one of all types; undefined without any. */
export function bodyFor({ body, bodies = {} }: Bodies, type: EventType): BodyOfType | undefined {
  for (const name of [type, eventTypes[type].kind]) {
    const template = bodies[name]
    if (template) return { template, key: `bodies.${name}` }
  }
  return body && { template: body, key: 'body' }
}

/** Returns the template of the body of a type. @throws {RangeError} if the description has none. */
export function bodyOf(description: Bodies, type: EventType): object {
  const found = bodyFor(description, type)
  if (!found) throw new RangeError(`the description has no body for ${type}`)
  return found.template
}

/** Returns the name of a type at the provider; undefined if it sends no such event. */
export function providerName(
  { names }: Pick<WebhookDescription, 'names'>,
  type: EventType,
): string | undefined {
  if (names === 'resource.action') return type
  if (names === 'RESOURCE_ACTION') return type.replace('.', '_').toUpperCase()
  return Object.hasOwn(names, type) ? names[type] : undefined
}

/** The types that a description sends. */
export const sentTypes = (description: Pick<WebhookDescription, 'names'>): EventType[] =>
  eventTypeNames.filter((type) => providerName(description, type) !== undefined)
