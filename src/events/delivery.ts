// Writes one delivery of an event: the body and the headers of a request, by a description.
import { stringify, stringifySorted } from '../json/stringify.ts'
import { packageVersion } from '../runtime/host.ts'
import { bodyOf, providerName } from './bodies.ts'
import type { WebhookDescription } from './description-type.ts'
import type { EventType } from '../contract/event-types.ts'
import { renderJson, renderText, usesPlaceholder, valueAt, type ValueOf } from './placeholders.ts'
import { resourceNameOf } from './resource-names.ts'
import { signatureOf } from './signature.ts'

/** The content of an event. */
export interface EventContent {
  readonly id: string
  readonly type: EventType
  /** When it happened (RFC 3339), on the clock of the sandbox. */
  readonly time: string
  /** The resource after the change, as the API returns it. */
  readonly resource: unknown
  /** The resource before the change; null for a new one. */
  readonly previous: unknown
  /** The resources and texts that the body shows in addition, by their names. */
  readonly related?: Readonly<Record<string, unknown>> | undefined
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** The signed instant (ms): of the machine, as verifiers compare it with theirs. */
  readonly time: number
  /** The valid secrets of the endpoint, newest first. */
  readonly secrets: readonly string[]
}

/** A request that delivers an event. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  /** The text whose bytes are signed and sent. */
  readonly body: string
}

/** The headers of the request that sends a delivery, in process as over HTTP. */
export function requestHeaders({ headers, body }: Delivery): Record<string, string> {
  return {
    'user-agent': `partner-rewards-sandbox/${packageVersion()}`,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }
}

/**
 * Writes a delivery: renders the body, signs its bytes, and renders the headers.
 *
 * @param rewrite changes the body before it is signed.
 * @throws {RangeError} for an event that the description does not send, and for an attempt without a secret.
 * @example
 * const { headers, body } = writeDelivery(standard, event, { time: Date.now(), secrets: [secret] })
 * new Webhook(secret).verify(body, headers)
 */
export function writeDelivery(
  description: WebhookDescription,
  event: EventContent,
  attempt: DeliveryAttempt,
  rewrite: (body: string) => string = (body) => body,
): Delivery {
  const valueOf = valuesOf(description, event, attempt)
  const write = description.sort_keys ? stringifySorted : stringify
  const body = rewrite(write(renderJson(bodyOf(description, event.type), valueOf)))
  const headers = Object.entries(description.headers ?? {}).map(([header, template]) => [
    header,
    headerText(template, description, attempt.secrets, body, valueOf),
  ])
  return { headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) }, body }
}

/** Renders a header; one with a signature once for each secret, unless only the newest one signs. */
function headerText(
  template: string,
  { signing }: WebhookDescription,
  secrets: readonly string[],
  body: string,
  valueOf: ValueOf,
): string {
  if (signing.algorithm === 'none' || !usesPlaceholder(template, 'signature'))
    return renderText(template, valueOf)
  const [newest] = secrets
  if (newest === undefined) throw new RangeError('an attempt needs a secret to sign with')
  const signed = renderText(signing.signed, (name, format) =>
    name === 'body' ? body : valueOf(name, format),
  )
  const { join = 'none' } = signing
  const signers = join === 'none' ? [newest] : secrets
  return signers
    .map((secret) =>
      renderText(template, (name, format) =>
        name === 'signature'
          ? signatureOf(signed, secret, signing, format === 'hex' ? 'hex' : 'base64')
          : valueOf(name, format),
      ),
    )
    .join(join)
}

function valuesOf(description: WebhookDescription, event: EventContent, attempt: DeliveryAttempt): ValueOf {
  const type = providerName(description, event.type)
  if (type === undefined) throw new RangeError(`the description has no name for ${event.type}`)
  const own = resourceNameOf(event.type)
  return (name, format) => {
    const [first = '', ...path] = name.split('.')
    if (first === 'resource' || first === own) return valueAt(event.resource, path)
    if (first === 'previous') return valueAt(event.previous, path)
    if (name === 'event.id') return event.id
    if (name === 'event.type') return type
    if (name === 'event.time') return timeIn(format, Date.parse(event.time), event.time)
    if (name === 'attempt.time') return timeIn(format, attempt.time, new Date(attempt.time).toISOString())
    return valueAt(event.related, [first, ...path])
  }
}

/** Returns an instant (ms) since 1970 in whole seconds or milliseconds; without a format as the text. */
function timeIn(format: string | undefined, ms: number, text: string): string | number {
  if (format === 'unix') return Math.floor(ms / 1000)
  return format === 'unix_ms' ? ms : text
}
