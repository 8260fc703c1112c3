// The faults of scenarios in one attempt: a wrong signature, an old timestamp, a type or fields that the receiver does
// not know.
import { createHash } from 'node:crypto'
import { eventTypeNames, type AttemptFault, type EventType } from '../contract/event-types.ts'
import { withUnknownFields } from '../scenarios/effects/unknown-fields.ts'
import type { EventRow } from '../store/rows.ts'
import {
  providerName,
  writeDelivery,
  type Delivery,
  type DeliveryAttempt,
  type EventContent,
} from './delivery.ts'
import type { WebhookDescription } from './description-type.ts'
import { usesPlaceholder } from './placeholders.ts'
import { resourceSchema } from './resource-of.ts'
import { secretOf } from './signature.ts'

/** How long before the machine's time a stale attempt was signed (ms). */
const staleness = 10 * 60_000

/** The faults that are in every attempt of an event; a retry has none of the others. */
const lasting: readonly AttemptFault[] = ['unknown_type', 'unknown_fields']

/** Returns the faults of the next attempt of an event. */
export function lastingFaults({ deliveries }: Pick<EventRow, 'deliveries'>): AttemptFault[] {
  return lasting.filter((fault) => deliveries.some(({ faults }) => faults?.includes(fault)))
}

/** Returns why a description has nothing that a fault could change; undefined if it has. */
export function whyWithout(
  fault: AttemptFault,
  { headers = {}, body, signing }: WebhookDescription,
): string | undefined {
  const signed = signing.algorithm === 'none' ? [] : [signing.signed]
  const texts = [...Object.values(headers), ...signed]
  const uses = (text: string, name: string): boolean => usesPlaceholder(text, name)
  if (fault === 'bad_signature' && signing.algorithm === 'none') return 'the description has no signature'
  if (fault === 'stale_timestamp' && !texts.some((text) => uses(text, 'attempt.time')))
    return 'the description has no {attempt.time}'
  if (fault === 'unknown_type' && ![...texts, ...textsIn(body)].some((text) => uses(text, 'event.type')))
    return 'the description has no {event.type}'
  return undefined
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Writes a delivery with its faults. @throws {RangeError} like `writeDelivery`. */
export function writeFaultyDelivery(
  description: WebhookDescription,
  event: EventContent,
  attempt: DeliveryAttempt,
  faults: readonly AttemptFault[],
): Delivery {
  const has = (fault: AttemptFault): boolean => faults.includes(fault)
  const schema = resourceSchema(event.type)
  const withMore = (value: unknown): unknown =>
    has('unknown_fields') ? withUnknownFields(value, schema) : value
  const { signing } = description
  const isForged = has('bad_signature') && signing.algorithm !== 'none'
  return writeDelivery(
    {
      ...description,
      ...(has('unknown_type') && { names: { [event.type]: unknownName(description, event.type) } }),
      ...(has('unknown_fields') && { body: objectOf(withUnknownFields(description.body, undefined)) }),
    },
    { ...event, resource: withMore(event.resource), previous: withMore(event.previous) },
    {
      time: attempt.time - (has('stale_timestamp') ? staleness : 0),
      secrets: isForged
        ? attempt.secrets.slice(0, 1).map((secret) => otherSecret(secret, signing))
        : attempt.secrets,
    },
  )
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

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
