// Learns the templates of the headers: those of the signature, and others of the provider.
import { partsOf } from '../placeholders.ts'
import type { DecidedTimes } from './decide-times.ts'
import { digestsIn } from './digests.ts'
import type { EventFacts } from './event-facts.ts'
import type { SignatureMatch } from './find-signature.ts'
import { isIdHeader, isSecretName, isShort, isTransport, isTypeHeader } from './header-names.ts'
import { unitOf } from './join-of.ts'
import { copied } from './learn-body.ts'
import { replaceTokens } from './replace-tokens.ts'
import { timesIn } from './times.ts'
import type { UndecidedList } from './undecided.ts'

/** The learned headers. */
export interface LearnedHeaders {
  readonly templates: Record<string, string>
  /** The headers with the signature, its encoding, and the part for one secret as it was sent. */
  readonly signatures: readonly { header: string; encoding: 'hex' | 'base64'; sent: string }[]
  /** The text between the signatures of two secrets, if the request has two. */
  readonly join: string | undefined
}

/** The knowledge that templates of headers need. */
export interface HeaderContext {
  readonly match: SignatureMatch
  readonly facts: EventFacts
  readonly times: DecidedTimes
  readonly undecided: UndecidedList
  /** Whether a text must not be in the description. */
  readonly isSecret: (text: string) => boolean
}

/** Headers that a description must not have: the sandbox sets them. */
const reserved = ['content-type', 'content-length', 'host', 'connection', 'transfer-encoding']

/** Learns the templates of all headers that belong to the provider. */
export function learnHeaders(headers: ReadonlyMap<string, string>, context: HeaderContext): LearnedHeaders {
  const { match, undecided } = context
  const templates: Record<string, string> = {}
  const signatures: { header: string; encoding: 'hex' | 'base64'; sent: string }[] = []
  const joins: string[] = []
  const isSigned = (value: string): boolean => value.includes(match.hex) || value.includes(match.base64)
  const signed = [...headers].filter(([, value]) => isSigned(value)).map(([name]) => name)
  for (const [name, value] of headers) {
    if (reserved.includes(name)) continue
    const encoding = value.includes(match.hex) ? 'hex' : value.includes(match.base64) ? 'base64' : undefined
    if (encoding === undefined) {
      const template = otherHeader(name, value, signed, context)
      if (template !== undefined) templates[name] = template
      continue
    }
    const unit = unitOf(name, value, match[encoding], [match.hex, match.base64])
    if (unit.isShortened)
      undecided.add(
        `headers.${name}`,
        'other signatures in it were removed: a description has one, repeated as a whole for a second secret',
      )
    if (unit.join !== undefined) joins.push(unit.join)
    signatures.push({ header: name, encoding, sent: unit.text })
    templates[name] = templateOf(unit.text, context)
    // Labels such as `v1=` are constant; a value behind one, such as the id of a key, may vary.
    const literal = literalOf(templates[name]).replaceAll(/[\w-]+[=,: ]*(?=\0)/g, '')
    if (/=\s*"?\w|\d{3,}/.test(literal)) undecided.add(`headers.${name}`, partCopied)
  }
  const [join, ...others] = new Set(joins)
  if (others.length > 0)
    undecided.add('signing.join', 'the signatures of two secrets are joined in different ways')
  return { templates, signatures, join }
}

/** Replaces the signature, the id, the type and the times in a text. */
function templateOf(text: string, { match, facts, times }: HeaderContext): string {
  const placeholders = [
    [match.hex, '{signature:hex}'],
    [match.base64, '{signature:base64}'],
  ] as const
  let rest = text
  let template = ''
  while (rest !== '') {
    const found = placeholders
      .map(([value, placeholder]) => ({ value, placeholder, at: rest.indexOf(value) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)[0]
    const literal = found ? rest.slice(0, found.at) : rest
    template += replaceTokens(literal, [
      [facts.id, '{event.id}'],
      [facts.typeName, '{event.type}'],
      ...timesIn(literal).map(({ time }) => [time.text, times.placeholderOf(time)] as const),
    ])
    if (!found) break
    template += found.placeholder
    rest = rest.slice(found.at + found.value.length)
  }
  return template
}

/** Returns the template of a header without the signature; undefined if it is omitted. */
function otherHeader(
  name: string,
  value: string,
  signed: readonly string[],
  context: HeaderContext,
): string | undefined {
  const { facts, undecided, isSecret } = context
  const at = `headers.${name}`
  const omit = (why: string): undefined => void undecided.add(at, `omitted: ${why}`)
  if (isSecretName(name) || isSecret(value))
    return isTransport(name) ? undefined : omit('its name or value looks secret')
  if (isTransport(name) && value !== facts.id)
    return /^x-(?:request|correlation)-id$/.test(name) ? omit('it belongs to the transport') : undefined
  if (digestsIn(name, value).length > 0) return omit('it looks like another signature')
  const written = templateOf(value, context)
  const isId = isIdHeader(name) && written === value && value !== facts.id
  const template = isId && facts.id !== undefined ? '{event.id}' : written
  if (!/^[\x20-\x7e]*$/.test(template)) return omit('it has other characters than printable ASCII')
  const isTemplate = template !== value
  if (partsOf(value).some((part) => typeof part !== 'string'))
    return omit('a description would take its braces as a placeholder')
  if (!isTemplate) {
    if (!name.startsWith('x-') && !isOfProvider(name, signed))
      return omit('it is not known to be of the provider')
    undecided.add(at, copied)
    return template
  }
  noteDoubts(at, name, value, written, context)
  return template
}

/** Headers of a provider begin with the same word, such as `webhook-`. */
function isOfProvider(name: string, signatureHeaders: readonly string[]): boolean {
  const [first = ''] = name.split('-')
  return signatureHeaders.some((header) => header.startsWith(`${first}-`))
}

function noteDoubts(
  at: string,
  name: string,
  value: string,
  written: string,
  { facts, undecided }: HeaderContext,
): void {
  if (written === value) undecided.add(at, 'is another id than that of the event: a description has one id')
  for (const { time } of timesIn(value)) {
    if (time.format === null && time.text !== facts.id)
      undecided.add(at, `is a time as ${time.form}; the sandbox writes it like 2026-11-21T12:00:00.000Z`)
  }
  if (/\w/.test(literalOf(written))) undecided.add(at, partCopied)
  const isDoubtfulId = !facts.isIdSure || (isShort(facts.id) && !isIdHeader(name))
  if (written.includes('{event.id}') && isDoubtfulId)
    undecided.add(at, 'taken as the id of the event; its name does not show it')
  if (written.includes('{event.type}') && typeof facts.names === 'object' && !isTypeHeader(name))
    undecided.add(at, 'taken as the type of the event; its name does not show it')
}

const partCopied = 'a part of it is copied, and may vary'

/** The text of a template without its placeholders. */
const literalOf = (template: string): string =>
  partsOf(template)
    .map((part) => (typeof part === 'string' ? part : '\0'))
    .join('')
