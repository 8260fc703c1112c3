// Checks whether a description of events verifies a captured delivery, and finds the first part that differs.
import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '../contract/event-types.ts'
import { depthOf, isJsonObject } from '../contract/formats.ts'
import { pathName, printable } from '../input/problems.ts'
import { readBySchema } from '../input/schema-issues.ts'
import type { Path } from '../json/json-text.ts'
import type { CapturedRequest } from './captured-delivery.ts'
import { bodyFor, providerName, sentTypes, type BodyOfType } from './bodies.ts'
import type { WebhookDescription } from './description-type.ts'
import { partsOf, renderText, soleOf, usesPlaceholder, valueAt, type Placeholder } from './placeholders.ts'
import { resourceNameOf } from './resource-names.ts'
import { resourceSchema } from './resource-of.ts'
import { signatureOf } from './signature.ts'

/** Thrown for the first part of a delivery that differs. */
export class Difference extends Error {
  /** The key of the description that differs; `delivery` if no description can verify the delivery. */
  readonly key: string
  /** How many parts of the delivery agree before it. */
  agreeing = 0
  constructor(at: string, found: unknown, expected: string, key = /^\w+/.exec(at)?.[0] ?? '') {
    super(`${at} ${shown(found)}; expected ${expected}`)
    this.key = key
  }
}

const shown = (value: unknown): string =>
  value === undefined ? 'is missing' : `is ${printable(JSON.stringify(value))}`

/** The form of each placeholder; that of any other is a text. */
const forms: ReadonlyMap<string, string> = new Map([
  ['time', String.raw`\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)`],
  ['time:unix', String.raw`\d{1,11}`],
  ['time:unix_ms', String.raw`\d{1,14}`],
  ['signature:hex', '[0-9a-f]+'],
  ['signature:base64', '[A-Za-z0-9+/]+={0,2}'],
])

/** A body of a description, and the types that have it. */
interface CheckedBody extends BodyOfType {
  readonly types: readonly EventType[]
}

/**
 * Checks the headers of a delivery, then its body, then its signature. Further headers and fields may exist.
 * @returns the names of the further fields of a body of its own kind, such as `body.data.tier`.
 * @throws {Difference} of the body that agrees most.
 */
export function checkDelivery(
  description: WebhookDescription,
  delivery: CapturedRequest,
  secret: string,
): string[] {
  const body = jsonOf(delivery.body)
  let fewest: string[] | undefined
  let closest: Difference | undefined
  for (const checked of bodiesOf(description))
    try {
      checkAs(checked, description, delivery, body, secret)
      const further = checked.key === 'body' ? [] : [...furtherIn(checked.template, body, ['body'])]
      if (!fewest || further.length < fewest.length) fewest = further
    } catch (error) {
      if (!(error instanceof Difference)) throw error
      if (!closest || error.agreeing > closest.agreeing) closest = error
    }
  if (fewest) return fewest
  throw closest ?? new Difference('body', body, 'a type in names', 'names')
}

function bodiesOf(description: WebhookDescription): CheckedBody[] {
  const found = new Map<object, CheckedBody>()
  for (const type of sentTypes(description)) {
    const own = bodyFor(description, type)
    if (!own) continue
    const { types = [] } = found.get(own.template) ?? {}
    found.set(own.template, { ...own, types: [...types, type] })
  }
  return [...found.values()]
}

/** @throws {Difference} for the first part that differs from a body, or from the other parts of the description. */
function checkAs(
  { template: bodyTemplate, key, types }: CheckedBody,
  description: WebhookDescription,
  { headers, body }: CapturedRequest,
  json: object,
  secret: string,
): void {
  const { signing } = description
  const join = signing.algorithm === 'none' || signing.join === 'none' ? undefined : signing.join
  const values = new Map<string, { readonly value: unknown; readonly at: string }>()
  const namesOf = (of: readonly EventType[]): string[] =>
    of.flatMap((type) => providerName(description, type) ?? [])
  let agreeing = 0
  const differ = (at: string, found: unknown, expected: string, of?: string): Difference => {
    const difference = new Difference(at, found, expected, of ?? (at.startsWith('body') ? key : undefined))
    difference.agreeing = agreeing
    return difference
  }
  const bind = (at: string, name: string, value: unknown): void => {
    const earlier = values.get(name)
    if (earlier && !isDeepStrictEqual(earlier.value, value))
      throw differ(at, value, `the {${name}} of ${earlier.at}, which ${shown(earlier.value)}`)
    values.set(name, { value, at })
    if (name === 'event.type' && !namesOf(types).some((one) => one === value))
      throw differ(at, value, `one of ${[...new Set(namesOf(sentTypes(description)))].join(', ')}`, 'names')
    if (name.endsWith('.time')) bind(at, `${name}:unix`, String(Math.floor(Date.parse(String(value)) / 1000)))
  }
  const ownNames = new Set(types.map(resourceNameOf))
  /** The name of a value that a body has as any JSON; undefined for a text. */
  const wholeName = ({ name }: Placeholder): string | undefined => {
    const [first = '', ...path] = name.split('.')
    if (/^(?:event|attempt|signature|body)$/.test(first)) return undefined
    return ownNames.size === 1 && ownNames.has(first) ? ['resource', ...path].join('.') : name
  }
  const inHeaders = Object.entries(description.headers ?? {}).map(
    ([name, template]) => [`headers.${name}`, template, headers.get(name.toLowerCase())] as const,
  )
  for (const [at, template, value] of [...inHeaders, ...leavesOf(bodyTemplate, json, ['body'])]) {
    const isText = typeof template === 'string'
    const sole = soleOf(template)
    if (value === undefined && sole?.isOptional) continue
    const whole = sole && wholeName(sole)
    const isWritten = isText && /string|number/.test(typeof value)
    const parts = isWritten ? match(template, String(value), join) : undefined
    const isFine = whole ?? parts ?? (!isText && isDeepStrictEqual(template, value))
    if (value === undefined || !isFine)
      throw differ(at, value, isText ? `the form ${template}` : JSON.stringify(template))
    if (whole !== undefined) bind(at, whole, value)
    else for (const [name, own] of parts ?? []) if (/^event|^attempt/.test(name)) bind(at, name, own)
    agreeing += 1
  }
  const resource = values.get('resource')
  const named = values.get('event.type')?.value
  const type = types.find((one) =>
    named === undefined ? key !== 'body' : providerName(description, one) === named,
  )
  const issue = resource && type && readBySchema(resourceSchema(type), resource.value).issues?.[0]
  if (issue) {
    const path = issue.path.map(String)
    const expected = 'a whole resource, as the API returns it; {resource.id} is its id alone'
    throw differ(pathName([resource.at, ...path]), valueAt(resource.value, path), expected)
  }
  if (description.sort_keys)
    for (const [at, keys] of keysIn(json, ['body'])) {
      const index = keys.findIndex((name, place) => place > 0 && name < (keys[place - 1] ?? ''))
      const wrong = keys.slice(Math.max(0, index - 1), index + 1)
      if (index > 0) throw differ(`the order of fields in ${at}`, wrong, 'sorted fields', 'sort_keys')
    }
  if (signing.algorithm === 'none') return

  let signed = ''
  const valueOf = (name: string, format: string | undefined): unknown => {
    if (name === 'signature') return signatureOf(signed, secret, signing, format === 'hex' ? 'hex' : 'base64')
    const value = name === 'body' ? body : values.get(nameOf({ name, format }))?.value
    if (value !== undefined) return value
    throw differ(`the signed {${name}}`, undefined, 'it in a header or the body', 'signing')
  }
  signed = renderText(signing.signed, valueOf)
  for (const [at, template, value] of inHeaders) {
    const expected = renderText(template, valueOf)
    // While two secrets are valid, the provider may sign with both.
    const isOne = join !== undefined && `${join}${value}${join}`.includes(join + expected + join)
    if (value !== expected && !isOne)
      throw differ(at, value, `the signature of ${signing.signed} by this secret`, 'signing')
  }
}

/** Yields the fields of each object, without numbers, whose order JavaScript does not keep. */
function* keysIn(value: unknown, path: Path): Generator<[string, string[]]> {
  if (isJsonObject(value)) yield [pathName(path), Object.keys(value).filter((name) => !/^\d+$/.test(name))]
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value))
    yield* keysIn(inner, [...path, Array.isArray(value) ? Number(name) : name])
}

/** Yields the fields of a body that its template does not have. */
function* furtherIn(template: unknown, value: unknown, path: Path): Generator<string> {
  if (!isJsonObject(template) || !isJsonObject(value)) return
  for (const [name, inner] of Object.entries(value))
    if (Object.hasOwn(template, name)) yield* furtherIn(template[name], inner, [...path, name])
    else yield pathName([...path, name])
}

const nameOf = ({ name, format }: { readonly name: string; readonly format: string | undefined }): string =>
  format === undefined ? name : `${name}:${format}`

/** Returns the placeholders of a template and their values in a text; undefined if it has another form. */
function match(template: string, value: string, join?: string): Map<string, string> | undefined {
  const names: string[] = []
  const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const source = partsOf(template).map((part) => {
    if (typeof part === 'string') return escaped(part)
    names.push(nameOf(part))
    return `(${forms.get(nameOf(part).replace(/^(?:event|attempt)\./, '')) ?? (part.name.startsWith('event') ? '.+?' : '.*?')})`
  })
  const more = join !== undefined && usesPlaceholder(template, 'signature') ? `(?:${escaped(join)}.*)?` : ''
  const groups = new RegExp(`^${source.join('')}${more}$`, 's').exec(value)
  return groups ? new Map(names.map((name, index) => [name, groups[index + 1] ?? ''])) : undefined
}

/** Returns the parts of a template, each with the value at its position. */
function* leavesOf(template: unknown, value: unknown, path: Path): Generator<[string, unknown, unknown]> {
  if (typeof template !== 'object' || template === null) return yield [pathName(path), template, value]
  for (const [name, inner] of Object.entries(template)) {
    const own: unknown = new Map(Object.entries(Object(value))).get(name)
    yield* leavesOf(inner, own, [...path, Array.isArray(template) ? Number(name) : name])
  }
}

/** @throws {Difference} for a body that is no JSON object, or so deep that comparing it could overflow the stack. */
function jsonOf(text: string): object {
  try {
    const body: unknown = JSON.parse(text)
    if (isJsonObject(body) && depthOf(body, 65) < 65) return body
  } catch {}
  throw new Difference('body', text, 'a JSON object, at most 64 deep', 'delivery')
}
