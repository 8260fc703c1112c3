// Checks a learned description: it is valid, has no secret, and writes the captured delivery again.
import { isDeepStrictEqual } from 'node:util'
import { pathName } from '../../input/problems.ts'
import { sourceFromObject } from '../../input/source-file.ts'
import { DocumentError } from '../../input/problems.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { Path } from '../../json/json-text.ts'
import type { DeliveryAttempt, EventContent } from '../delivery.ts'
import { writeDelivery, writeHeaders } from '../delivery.ts'
import type { WebhookDescription } from '../description-type.ts'
import { readDescription } from '../read-description.ts'
import type { CapturedRequest } from './captured-request.ts'
import type { DecidedTimes } from './decide-times.ts'
import { namesOf } from './event-names.ts'
import type { EventFacts } from './event-facts.ts'
import type { SignatureMatch } from './find-signature.ts'
import type { LearnedHeaders } from './learn-headers.ts'
import { secretSearch } from './secret-forms.ts'
import type { UndecidedList } from './undecided.ts'

/** The capture from which a description was learned. */
export interface Capture {
  readonly request: CapturedRequest
  readonly match: SignatureMatch
  readonly facts: EventFacts
  readonly times: DecidedTimes
  readonly body: Record<string, unknown>
  readonly secret: string
  readonly headers: LearnedHeaders
  readonly undecided: UndecidedList
}

/**
 * Checks a description, and adds values of the body that it writes differently to the undecided parts.
 *
 * @returns why the description cannot be used; undefined if it can.
 */
export function checkLearned(description: WebhookDescription, capture: Capture): string | undefined {
  const { undecided, secret } = capture
  try {
    readDescription(sourceFromObject(description, 'the description'))
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const [first] = error.problems
    return `the signature matches, but a description cannot have its ${first?.path ?? ''}: ${first?.message ?? ''}`
  }
  const hasSecret = secretSearch(secret)
  if (hasSecret(JSON.stringify([description, undecided.all])))
    return 'the signature matches, but the secret is a word of the description, which would show it'
  const { type, typeName } = capture.facts
  // A name that is none of our types is undecided; it must not hide another difference.
  const named = typeName === undefined ? description : { ...description, names: namesOf(type, typeName) }
  const event = eventOf(description, capture)
  const attempt: DeliveryAttempt = { time: capture.times.attempt?.ms ?? 0, secrets: [secret] }
  const header = wrongHeader(named, event, attempt, capture)
  if (header !== undefined)
    return `the signature matches, but a description cannot write the header ${header}`
  const written: unknown = JSON.parse(writeDelivery(named, event, attempt).body)
  noteDifferences(written, capture.body, ['body'], undecided)
  return undefined
}

/** Returns the name of a header that is written differently. */
function wrongHeader(
  description: WebhookDescription,
  event: EventContent,
  attempt: DeliveryAttempt,
  { request, match, headers, undecided }: Capture,
): string | undefined {
  const written = writeHeaders(description, event, attempt, match.body)
  const signed = new Map(headers.signatures.map(({ header, sent }) => [header, sent]))
  return Object.keys(headers.templates).find((name) => {
    const isUndecided = !signed.has(name) && undecided.all.some(({ at }) => at === `headers.${name}`)
    return !isUndecided && written[name] !== (signed.get(name) ?? request.headers.get(name))
  })
}

/** Returns the captured event, as far as the description shows it. */
function eventOf(description: WebhookDescription, { facts, times, body }: Capture): EventContent {
  const { id = 'evt_1', type, resource, previous } = facts
  return {
    id,
    type,
    time: new Date(times.event?.ms ?? 0).toISOString(),
    resource: resource?.isFull ? resource.value : fieldsBy('resource', description.body, body),
    previous: previous?.isFull ? previous.value : fieldsBy('previous', description.body, body),
  }
}

/** Returns the fields of a resource from the values at their placeholders. */
function fieldsBy(name: string, template: unknown, value: unknown): Record<string, unknown> | null {
  const fields: Record<string, unknown> = {}
  const walk = (part: unknown, own: unknown): void => {
    const field = typeof part === 'string' ? /^\{(\w+)\.([^{}]+)\}$/.exec(part) : null
    if (field?.[1] === name && field[2] !== undefined) fields[field[2]] = own
    if (!isJsonObject(part) || !isJsonObject(own)) return
    for (const [key, inner] of Object.entries(part)) walk(inner, own[key])
  }
  walk(template, value)
  return Object.keys(fields).length === 0 ? null : fields
}

/** Adds values that the description writes differently, unless their position is undecided already. */
function noteDifferences(written: unknown, sent: unknown, path: Path, undecided: UndecidedList): void {
  const at = pathName(path)
  if (isDeepStrictEqual(written, sent) || undecided.all.some((one) => one.at === at)) return
  if (!isJsonObject(written) || !isJsonObject(sent))
    return undecided.add(at, 'the description writes another value than the delivery has')
  for (const key of new Set([...Object.keys(written), ...Object.keys(sent)]))
    noteDifferences(written[key], sent[key], [...path, key], undecided)
}
