// The facts that one delivery shows, as text: the signature, and the positions of the event's values.
import { pathName } from '../../input/problems.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { Path } from '../../json/json-text.ts'
import type { WebhookDescription } from '../description-type.ts'
import { partsOf } from '../placeholders.ts'
import type { EventFacts } from './event-facts.ts'
import type { LearnedHeaders } from './learn-headers.ts'

/** Returns the facts of a learned description, each with its name. */
export function foundIn(
  { signing, body, headers = {} }: WebhookDescription,
  { signatures }: LearnedHeaders,
  { resource }: EventFacts,
): Record<string, string> {
  const templates = [
    ...Object.entries(headers).map(([name, text]) => ({ at: `headers.${name}`, text })),
    ...textsIn(body, ['body']),
  ]
  const places = (name: string): string => {
    const own = templates.filter(({ text }) =>
      partsOf(text).some((part) => typeof part !== 'string' && part.name === name),
    )
    return own.map(({ at }) => at).join(', ')
  }
  const facts: Record<string, string> = {
    signature: signatures.map(({ header, encoding }) => `headers.${header}, as ${encoding}`).join('; '),
    'signed bytes': signing.algorithm === 'none' ? '' : JSON.stringify(signing.signed),
    key: signing.algorithm === 'none' ? '' : `${signing.algorithm}, secret as ${signing.key}`,
    id: places('event.id'),
    type: places('event.type'),
    'time of the event': places('event.time'),
    'time of the attempt': places('attempt.time'),
    resource: resource?.isFull
      ? `whole: ${places('resource') || 'its fields at the top of the body'}`
      : idPlaces(places),
    previous: places('previous'),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== ''))
}

function idPlaces(places: (name: string) => string): string {
  const ids = [places('resource.id'), places('resource.statement_id')].filter((text) => text !== '')
  return ids.length === 0 ? '' : `only its id: ${ids.join(', ')}`
}

function* textsIn(value: unknown, path: Path): Generator<{ at: string; text: string }> {
  if (typeof value === 'string') yield { at: pathName(path), text: value }
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index])
  else if (isJsonObject(value))
    for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, [...path, key])
}
