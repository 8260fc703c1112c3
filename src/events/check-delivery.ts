// Checks whether a description of events verifies a captured delivery, and finds the first part that differs.
import { isDeepStrictEqual } from 'node:util'
import { eventTypeNames } from '../contract/event-types.ts'
import { depthOf, isJsonObject } from '../contract/formats.ts'
import { pathName, printable } from '../input/problems.ts'
import { readBySchema } from '../input/schema-issues.ts'
import type { Path } from '../json/json-text.ts'
import type { CapturedRequest } from './captured-delivery.ts'
import { providerName } from './delivery.ts'
import type { WebhookDescription } from './description-type.ts'
import { partsOf, renderText, usesPlaceholder, valueAt } from './placeholders.ts'
import { resourceSchema } from './resource-of.ts'
import { signatureOf } from './signature.ts'

/** Thrown for the first part of a delivery that differs. */
export class Difference extends Error {
  /** The key of the description that differs; `delivery` if no description can verify the delivery. */
  readonly key: string
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
  ['signature:hex', '[0-9a-f]+'],
  ['signature:base64', '[A-Za-z0-9+/]+={0,2}'],
])

/**
 * Checks the headers of a delivery, then its body, then its signature. Further headers and fields may exist.
 * @throws {Difference}
 */
export function checkDelivery(
  description: WebhookDescription,
  { headers, body }: CapturedRequest,
  secret: string,
): void {
  const { signing } = description
  const join = signing.algorithm === 'none' || signing.join === 'none' ? undefined : signing.join
  const values = new Map<string, { readonly value: unknown; readonly at: string }>()
  const bind = (at: string, name: string, value: unknown): void => {
    const earlier = values.get(name)
    if (earlier && !isDeepStrictEqual(earlier.value, value))
      throw new Difference(at, value, `the {${name}} of ${earlier.at}, which ${shown(earlier.value)}`)
    values.set(name, { value, at })
    const known = eventTypeNames.flatMap((type) => providerName(description, type) ?? [])
    if (name === 'event.type' && !known.some((one) => one === value))
      throw new Difference(at, value, `one of ${known.join(', ')}`, 'names')
    if (name.endsWith('.time')) bind(at, `${name}:unix`, String(Math.floor(Date.parse(String(value)) / 1000)))
  }
  const inHeaders = Object.entries(description.headers ?? {}).map(([name, template]) => {
    return [`headers.${name}`, template, headers.get(name.toLowerCase())] as const
  })
  for (const [at, template, value] of [...inHeaders, ...leavesOf(description.body, jsonOf(body), ['body'])]) {
    const isText = typeof template === 'string'
    const whole = isText ? /^\{((?:resource|previous)[\w.]*)\}$/.exec(template)?.[1] : undefined
    const parts =
      isText && /string|number/.test(typeof value) ? match(template, String(value), join) : undefined
    const isFine = whole ?? parts ?? (!isText && isDeepStrictEqual(template, value))
    if (value === undefined || !isFine)
      throw new Difference(at, value, isText ? `the form ${template}` : JSON.stringify(template))
    if (whole !== undefined) bind(at, whole, value)
    else for (const [name, own] of parts ?? []) if (/^event|^attempt/.test(name)) bind(at, name, own)
  }
  const resource = values.get('resource')
  const type = eventTypeNames.find(
    (one) => providerName(description, one) === values.get('event.type')?.value,
  )
  const issue = resource && type && readBySchema(resourceSchema(type), resource.value).issues?.[0]
  if (issue) {
    const path = issue.path.map(String)
    const expected = 'a whole resource, as the API returns it; {resource.id} is its id alone'
    throw new Difference(pathName([resource.at, ...path]), valueAt(resource.value, path), expected)
  }
  if (signing.algorithm === 'none') return

  let signed = ''
  const valueOf = (name: string, format: string | undefined): unknown => {
    if (name === 'signature') return signatureOf(signed, secret, signing, format === 'hex' ? 'hex' : 'base64')
    const value = name === 'body' ? body : values.get(nameOf({ name, format }))?.value
    if (value !== undefined) return value
    throw new Difference(`the signed {${name}}`, undefined, 'it in a header or the body', 'signing')
  }
  signed = renderText(signing.signed, valueOf)
  for (const [at, template, value] of inHeaders) {
    const expected = renderText(template, valueOf)
    // While two secrets are valid, the provider may sign with both.
    const isOne = join !== undefined && `${join}${value}${join}`.includes(join + expected + join)
    if (value !== expected && !isOne)
      throw new Difference(at, value, `the signature of ${signing.signed} by this secret`, 'signing')
  }
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
