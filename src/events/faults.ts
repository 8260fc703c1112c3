// The faults of scenarios in one attempt: a wrong signature, an old timestamp, a type, fields or bytes that the receiver
// does not expect.
import { createHash } from 'node:crypto'
import { eventTypeNames, type AttemptFault, type EventType } from '../contract/event-types.ts'
import { isJsonObject } from '../json/json-object.ts'
import { withUnknownFields } from '../scenarios/effects/unknown-fields.ts'
import type { EventRow } from '../store/rows.ts'
import { bodyOf, providerName } from './bodies.ts'
import { writeDelivery, type Delivery, type DeliveryAttempt } from './delivery.ts'
import type { WebhookDescription } from './description-type.ts'
import { textsIn, usesPlaceholder } from './placeholders.ts'
import { resourceSchema } from './resource-of.ts'
import { secretOf } from './signature.ts'

/** How far from the machine's time an attempt with a wrong timestamp is signed (ms). */
const timestampError = 10 * 60_000

/** The faults of the body, which are in every attempt of an event; a retry has none of the others. */
export const contentFaults: readonly AttemptFault[] = [
  'unknown_type',
  'unknown_fields',
  'same_json_other_bytes',
  'large',
]

/** Returns the faults of the next attempt of an event. */
export function lastingFaults({ deliveries }: Pick<EventRow, 'deliveries'>): AttemptFault[] {
  return contentFaults.filter((fault) => deliveries.some(({ faults }) => faults?.includes(fault)))
}

const ofSignature: readonly AttemptFault[] = ['bad_signature', 'no_signature', 'malformed_signature']
const ofTimestamp: readonly AttemptFault[] = ['stale_timestamp', 'future_timestamp']

/** Returns why a description has nothing that a fault could change; undefined if it has. */
export function whyWithout(
  fault: AttemptFault,
  { headers = {}, body, bodies, signing }: WebhookDescription,
): string | undefined {
  const signed = signing.algorithm === 'none' ? [] : [signing.signed]
  const texts = [...Object.values(headers), ...signed]
  const uses = (text: string, name: string): boolean => usesPlaceholder(text, name)
  if (ofSignature.includes(fault) && signing.algorithm === 'none') return 'the description has no signature'
  if (ofTimestamp.includes(fault) && !texts.some((text) => uses(text, 'attempt.time')))
    return 'the description has no {attempt.time}'
  if (fault !== 'unknown_type') return undefined
  const all = [...texts, ...Array.from(textsIn([body, bodies]), ({ text }) => text)]
  return all.some((text) => uses(text, 'event.type')) ? undefined : 'the description has no {event.type}'
}

/**
 * Writes a delivery of an event with its faults.
 * @param faults those of the attempt; by default those of every attempt of the event.
 * @throws {RangeError} like `writeDelivery`.
 */
export function deliveryOf(
  description: WebhookDescription,
  event: EventRow,
  attempt: DeliveryAttempt,
  faults: readonly AttemptFault[] = lastingFaults(event),
): Delivery {
  const has = (fault: AttemptFault): boolean => faults.includes(fault)
  const { id, type, time, related } = event
  const schema = resourceSchema(type)
  const withMore = (value: unknown): unknown =>
    has('unknown_fields') ? withUnknownFields(value, schema) : value
  const { signing } = description
  const body = bodyOf(description, type)
  const isForged = has('bad_signature') && signing.algorithm !== 'none'
  const late = has('stale_timestamp') ? -timestampError : 0
  return writeDelivery(
    {
      ...description,
      ...(has('unknown_type') && { names: { [type]: unknownName(description, type) } }),
      bodies: {},
      body: {
        ...(has('unknown_fields') ? withUnknownInTemplate(body) : body),
        ...(has('large') && { sandbox_large_text: largeText }),
      },
      headers: headersWith(faults, description.headers),
    },
    { id, type, time, related, resource: withMore(event.data), previous: withMore(event.previous) },
    {
      time: attempt.time + (has('future_timestamp') ? timestampError : late),
      secrets: isForged
        ? attempt.secrets.slice(0, 1).map((secret) => otherSecret(secret, signing))
        : attempt.secrets,
    },
    has('same_json_other_bytes') ? inOtherBytes : undefined,
  )
}

/** 300 kB with characters of two, three and four bytes, so that chunks of a connection end within characters. */
const largeText = 'é€漢🎁'.repeat(25_000)

/** Returns the templates of headers without a signature, or with a text that is no signature. */
function headersWith(
  faults: readonly AttemptFault[],
  headers: WebhookDescription['headers'] = {},
): WebhookDescription['headers'] {
  const isOmitted = faults.includes('no_signature')
  if (!isOmitted && !faults.includes('malformed_signature')) return headers
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, template]) => {
      if (!usesPlaceholder(template, 'signature')) return [[name, template]]
      return isOmitted ? [] : [[name, template.replaceAll(/\{signature(:\w+)?\}/g, 'malformed')]]
    }),
  )
}

/**
 * Returns JSON that has the same value and other bytes, which no serializer writes.
 * @example inOtherBytes('{"a":"é/"}')   // '{"a" : "\\u00e9\\/"}'
 */
export function inOtherBytes(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|[:,]/g, (token) => {
    if (token === ':') return ' : '
    if (token === ',') return ' ,\n'
    return token
      .replaceAll('/', '\\/')
      .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  })
}

/** Adds an unknown field to each object of a template. */
function withUnknownInTemplate(template: object): object {
  const inner = Object.entries(template).map(([name, value]: [string, unknown]) => [
    name,
    isJsonObject(value) ? withUnknownInTemplate(value) : value,
  ])
  return Object(withUnknownFields(Object.fromEntries(inner), undefined))
}

/** Returns a secret that no endpoint has; the same for the same secret. */
function otherSecret(
  secret: string,
  { key }: Exclude<WebhookDescription['signing'], { algorithm: 'none' }>,
): string {
  return secretOf(createHash('sha256').update(`other ${secret}`).digest(), key)
}

/**
 * Returns a name in the style of the provider that it does not have: its last word is `unknown`.
 * @example unknownName(standard, 'reward.updated')   // 'reward.unknown'
 */
export function unknownName(description: WebhookDescription, type: EventType): string {
  const names = eventTypeNames.map((each) => providerName(description, each))
  const name = providerName(description, type) ?? type
  const [last = ''] = /[A-Z]?[a-z0-9]+$|[A-Z0-9]+$/.exec(name) ?? []
  const word = inStyleOf(last, 'unknown')
  const base = last === '' ? `${name}.unknown` : name.slice(0, -last.length) + word
  let unknown = base
  for (let count = 2; names.includes(unknown); count += 1) unknown = base + String(count)
  return unknown
}

function inStyleOf(example: string, word: string): string {
  if (example === example.toUpperCase()) return word.toUpperCase()
  return /^[A-Z]/.test(example) ? word.slice(0, 1).toUpperCase() + word.slice(1) : word
}
