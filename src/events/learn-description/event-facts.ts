// Finds the id and the type of an event in its request, and the resource that it is about.
import { eventTypeNames, type EventType } from '../../contract/event-types.ts'
import type { WebhookDescription } from '../description-type.ts'
import type { CapturedRequest } from './captured-request.ts'
import { digestsIn } from './digests.ts'
import { namesOf, typeOfStyle, typesLike } from './event-names.ts'
import { findResources, idIn, typesByIdField, type BodyResources } from './find-resource.ts'
import { isIdField, isIdHeader, isTransport, isTypeField, isTypeHeader } from './header-names.ts'
import { eventFields } from './seen-values.ts'
import type { SignedPart } from './signed-candidates.ts'
import { timeOf } from './times.ts'
import type { UndecidedList } from './undecided.ts'

/** The facts of an event that its templates need. */
export interface EventFacts extends BodyResources {
  /** The id; undefined if the request has none. */
  readonly id: string | undefined
  /** Whether the name of a header or field shows that it is the id. */
  readonly isIdSure: boolean
  /** The name of the type at the provider; undefined if the request has none. */
  readonly typeName: string | undefined
  /** Our type. */
  readonly type: EventType
  readonly names: WebhookDescription['names']
}

/** Finds the facts of an event. */
export function eventFacts(
  { headers }: CapturedRequest,
  signed: readonly SignedPart[],
  body: Record<string, unknown>,
  undecided: UndecidedList,
): EventFacts {
  const sent = [...headers].filter(
    ([name, value]) => !isTransport(name) && digestsIn(name, value).length === 0,
  )
  const typeName = typeNameOf(sent, signed, body)
  const styled = typeName === undefined ? undefined : typeOfStyle(typeName)
  const types = styled ? [styled.type] : typesByIdField(body, eventTypeNames)
  const sentId = signedOf(signed, 'id') ?? idInHeaders(sent, body)
  const id = sentId ?? idInBody(body, findResources(body, types, undefined), undecided)
  const resources = findResources(body, types, id)
  const isIdSure =
    sent.some(([name, value]) => value === id && isIdHeader(name)) ||
    [...eventFields(body)].some(({ key, value }) => value === id && isIdField(key))
  if (styled) {
    undecided.add('names', `only ${styled.type} was seen; the others are named in the same style`)
    return { ...resources, id, isIdSure, typeName, type: styled.type, names: styled.style }
  }
  return { ...resources, id, isIdSure, typeName, ...ownNames(typeName, resources, undecided) }
}

/** Returns the names of a provider that follows no style of ours. */
function ownNames(
  typeName: string | undefined,
  { types, previous }: BodyResources,
  undecided: UndecidedList,
): Pick<EventFacts, 'type' | 'names'> {
  const like = typeName === undefined ? types : typesLike(typeName, types)
  const [only, ...more] = like.length > 0 ? like : types
  const updated = like.find((type) => type.endsWith('.updated'))
  const type = (more.length > 0 && previous !== undefined ? updated : undefined) ?? only ?? 'reward.updated'
  if (typeName === undefined) {
    undecided.add('names', 'the delivery does not have the type of the event; the names are ours')
    return { type, names: 'resource.action' }
  }
  if (like.length === 0 && types.length === eventTypeNames.length) {
    undecided.add('names', 'the name in the delivery is none of our types: map it to one of them')
    undecided.add('body', 'without our type of the event, its resource was not recognized')
    return { type, names: 'resource.action' }
  }
  const doubt = more.length > 0 ? `the name may also mean ${more.join(', ')}; ` : ''
  undecided.add(
    'names',
    `${doubt}only ${type} has a name: add those of the other types, or they are not sent`,
  )
  return { type, names: namesOf(type, typeName) }
}

const signedOf = (signed: readonly SignedPart[], kind: 'id' | 'type'): string | undefined =>
  signed.flatMap((part) => (typeof part === 'object' && part.kind === kind ? part.text : []))[0]

/** Returns the name of the type: by a style of ours anywhere, or else by the name of a field or header. */
function typeNameOf(
  sent: readonly (readonly [string, string])[],
  signed: readonly SignedPart[],
  body: Record<string, unknown>,
): string | undefined {
  const fields = [...eventFields(body)].flatMap(({ key, value }): [string, string][] =>
    typeof value === 'string' && value !== '' ? [[key, value]] : [],
  )
  const styled = [...fields, ...sent].find(([, value]) => typeOfStyle(value) !== undefined)
  if (styled) return styled[1]
  const named =
    fields.find(([key, value]) => isTypeField(key) && timeOf(value) === undefined) ??
    sent.find(([name]) => isTypeHeader(name))
  return signedOf(signed, 'type') ?? named?.[1]
}

/** Returns the id in a header: one that the body has too, or else the first. */
function idInHeaders(
  sent: readonly (readonly [string, string])[],
  body: Record<string, unknown>,
): string | undefined {
  const ids = sent.filter(([name]) => isIdHeader(name)).map(([, value]) => value)
  const inBody = [...eventFields(body)].map(({ value }) => value)
  return ids.find((id) => inBody.includes(id)) ?? ids[0]
}

/** Returns the id in the body, if it is not that of the resource. */
function idInBody(
  body: Record<string, unknown>,
  { resource }: BodyResources,
  undecided: UndecidedList,
): string | undefined {
  if (resource?.path.length === 0) return undefined
  for (const { path, key, value } of eventFields(body)) {
    if (typeof value !== 'string' || !isIdField(key)) continue
    const isOfResource =
      resource !== undefined && resource.value[key] !== value && idIn(resource.value) === value
    if (isOfResource || typeOfStyle(value) !== undefined) continue
    undecided.add(`body.${path.join('.')}`, 'taken as the id of the event; no header has it')
    return value
  }
  return undefined
}
