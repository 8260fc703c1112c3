// Learns the description of a provider's events from one captured delivery.
import { depthOf } from '../../contract/formats.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { maskApiKeys } from '../../secrets/mask-source.ts'
import type { WebhookDescription } from '../description-type.ts'
import type { CapturedRequest, CapturedRequests } from './captured-request.ts'
import { checkLearned } from './check-learned.ts'
import { decideTimes, type DecidedTimes } from './decide-times.ts'
import { eventFacts } from './event-facts.ts'
import { findSignature, jsonOf, type SignatureMatch } from './find-signature.ts'
import { foundIn } from './found-in.ts'
import { isSecretName, isTransport } from './header-names.ts'
import { BodyLearner } from './learn-body.ts'
import { learnHeaders } from './learn-headers.ts'
import { nearestPreset, partsOfPreset, type PresetName } from './nearest-preset.ts'
import { noMatch, type NoMatch } from './no-match.ts'
import { secretSearch } from './secret-forms.ts'
import { bodyPart, type SignedPart } from './signed-candidates.ts'
import { timeOf } from './times.ts'
import { UndecidedList, type Undecided } from './undecided.ts'

/** A description that was learned. */
export interface LearnedDescription {
  readonly description: WebhookDescription
  /** The facts that the request shows, each as a part and its value. */
  readonly found: Readonly<Record<string, string>>
  readonly undecided: readonly Undecided[]
  /** The preset that decides the rest. */
  readonly preset: PresetName
  /** The position of the request in its file, and how many other requests may be deliveries. */
  readonly position: string | undefined
  readonly others: number
}

export type { NoMatch }

/** The result of learning: a description, or the nearest candidate. */
export type Learning = LearnedDescription | NoMatch

/**
 * Learns the description of a provider's events. It takes the first request whose signature it can compute.
 *
 * @param requests the requests of a file that may be deliveries; at least one.
 * @param secret the secret of the endpoint, as the provider shows it.
 * @example
 * const learned = learnDescription(await readDelivery('/app/captured.http', 'captured.http'), secret)
 */
export function learnDescription(requests: CapturedRequests, secret: string): Learning {
  let nearest: NoMatch | undefined
  for (const request of requests) {
    const { match, ...search } = findSignature(request, secret)
    if (!match) nearest ??= noMatch(request, search)
    else {
      const learned = learnFrom(request, match, secret)
      return 'description' in learned ? { ...learned, others: requests.length - 1 } : learned
    }
  }
  return nearest ?? noMatch(requests[0], { tried: 0 })
}

function learnFrom(request: CapturedRequest, match: SignatureMatch, secret: string): Learning {
  const body = bodyOf(match.body)
  if (!body) return noMatch(request, { reason: 'the signature matches, but the body is no JSON object' })
  const undecided = new UndecidedList()
  const hasSecret = secretSearch(secret)
  const isSecret = (text: string): boolean =>
    hasSecret(text) || maskApiKeys(text) !== text || /^(?:basic|bearer) /i.test(text)
  const facts = eventFacts(request, match.signed, body, undecided)
  const signedValues = match.signed.flatMap((part) => (typeof part === 'object' ? part.text : []))
  const learned = new BodyLearner(facts, signedValues, undecided, isSecret).learn(body)
  const withTimes = headersWithTimes(request.headers, match, facts.id)
  const times = decideTimes(withTimes, match.signed, learned.times, undecided)
  const headers = learnHeaders(request.headers, { match, facts, times, undecided, isSecret })
  const signed = match.signed.map((part) => signedTemplate(part, times)).join('')
  if (match.other)
    undecided.add(
      'signing.signed',
      `may also be ${match.other.map((part) => signedTemplate(part, times)).join('')}`,
    )
  if (match.signed.some((part) => typeof part === 'object' && part.kind === 'id') && !facts.isIdSure)
    undecided.add('signing.signed', 'a value in it is taken as the id of the event; no name shows it')
  const isThin = facts.resource?.isFull !== true
  const preset = nearestPreset(signed, isThin)
  const { join, ...parts } = partsOfPreset(preset)
  const description: WebhookDescription = {
    names: facts.names,
    body: learned.template,
    headers: headers.templates,
    signing: { algorithm: match.algorithm, key: match.key, signed, join: headers.join ?? join },
    ...parts,
  }
  if (headers.join === undefined) undecided.add('signing.join', fromPreset(preset))
  for (const name of Object.keys(parts)) undecided.add(name, fromPreset(preset))
  const problem = checkLearned(description, {
    request,
    match,
    facts,
    times,
    body,
    secret,
    headers,
    undecided,
  })
  if (problem !== undefined) return noMatch(request, { reason: problem })
  const found = foundIn(description, headers, facts)
  return { description, found, undecided: undecided.all, preset, position: request.position, others: 0 }
}

const fromPreset = (preset: PresetName): string => `of the preset ${preset}: one delivery does not show it`

/** Deeper values could not be read again as a description. */
const maxBodyDepth = 60

function bodyOf(text: string): Record<string, unknown> | undefined {
  const body = jsonOf(text) === undefined ? undefined : parseExact(text, true)
  return isJsonObject(body) && depthOf(body, maxBodyDepth + 1) <= maxBodyDepth ? body : undefined
}

/**
 * Returns the headers that may have a time, without signatures and first those that had one; not the id, which may look
 * like a time.
 */
function headersWithTimes(
  headers: ReadonlyMap<string, string>,
  { hex, base64 }: SignatureMatch,
  id: string | undefined,
): Map<string, string> {
  const isSigned = (value: string): boolean => value.includes(hex) || value.includes(base64)
  const signed = [...headers].filter(([, value]) => isSigned(value))
  const others = [...headers].filter(
    ([name, value]) => !isSigned(value) && !isTransport(name) && !isSecretName(name) && value !== id,
  )
  return new Map([
    ...signed.map(([name, value]) => [name, value.replaceAll(hex, '').replaceAll(base64, '')] as const),
    ...others,
  ])
}

function signedTemplate(part: SignedPart, times: DecidedTimes): string {
  if (part === bodyPart) return '{body}'
  if (typeof part === 'string') return part
  if (part.kind === 'id' || part.kind === 'type') return `{event.${part.kind}}`
  const time = part.kind === 'time' ? timeOf(part.text) : undefined
  return time ? times.placeholderOf(time) : part.text
}
