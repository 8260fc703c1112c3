// Templates of events: texts with placeholders, such as {event.id} or {resource.status}.
import { isJsonObject } from '../contract/formats.ts'
import type { Path } from '../json/json-text.ts'
import { stringify } from '../json/stringify.ts'
import { resourceNames } from './resource-names.ts'

/** A part of a template: literal text, or a placeholder with its format, such as `event.time` and `unix`. */
export type TemplatePart = string | Placeholder

export interface Placeholder {
  readonly name: string
  readonly format: string | undefined
  /** Whether the field is absent if there is no value: it ends with a question mark. */
  readonly isOptional: boolean
}

/** The part of a delivery that a template renders; each allows other placeholders. */
export type TemplateUse = 'body' | 'headers' | 'signed'

interface Declared {
  /** The formats behind a colon; undefined is none. */
  readonly formats: readonly (string | undefined)[]
  readonly uses: readonly TemplateUse[]
  /** Whether it takes the path of a field behind it; messages list only some of them with a path. */
  readonly hasPath?: true | 'not listed'
}

const plain = [undefined]
const times = [undefined, 'unix', 'unix_ms']

/** Every placeholder. A map, as templates may have any name, such as `constructor`. */
const placeholders: ReadonlyMap<string, Declared> = new Map(
  Object.entries<Declared>({
    'event.id': { formats: plain, uses: ['body', 'headers', 'signed'] },
    'event.type': { formats: plain, uses: ['body', 'headers', 'signed'] },
    'event.time': { formats: times, uses: ['body', 'headers', 'signed'] },
    // Not in the body: equal events have equal bodies in every run, and the time of an attempt is the machine's.
    'attempt.time': { formats: times, uses: ['headers', 'signed'] },
    // Not in headers, which cannot carry any text.
    resource: { formats: plain, uses: ['body'], hasPath: true },
    previous: { formats: plain, uses: ['body'], hasPath: true },
    merchant_key: { formats: plain, uses: ['body'] },
    ...Object.fromEntries(
      ['customer_metadata', ...resourceNames].map((name) => [
        name,
        { formats: plain, uses: ['body'], hasPath: 'not listed' },
      ]),
    ),
    signature: { formats: ['hex', 'base64'], uses: ['headers'] },
    body: { formats: plain, uses: ['signed'] },
  }),
)

/** Returns the parts of a template. Braces around anything else than a name are literal text. */
export function partsOf(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let end = 0
  for (const { 0: found, 1: name = '', 2: format, 3: mark, index } of template.matchAll(
    /\{([A-Za-z_][\w.]*)(?::([A-Za-z0-9_]+))?(\?)?\}/g,
  )) {
    if (index > end) parts.push(template.slice(end, index))
    parts.push({ name, format, isOptional: mark !== undefined })
    end = index + found.length
  }
  if (end < template.length) parts.push(template.slice(end))
  return parts
}

/**
 * Returns why the placeholders of a template cannot be used there; undefined if they can.
 * @param resources the names of resources that the event has; without them, those of every kind.
 */
export function problemOf(
  template: string,
  use: TemplateUse,
  isField = false,
  resources: ReadonlySet<string> = resourceNames,
): string | undefined {
  const parts = partsOf(template)
  for (const part of parts) {
    if (typeof part === 'string') continue
    const base = baseOf(part.name)
    const declared = resourceNames.has(base) && !resources.has(base) ? undefined : placeholders.get(base)
    const isHere = declared?.uses.includes(use) === true
    const mustNot = `must not contain ${written(part.name, part.format, part.isOptional)}`
    if (isHere && declared.formats.includes(part.format)) {
      if (!part.isOptional || (isField && parts.length === 1)) continue
      return `${mustNot}: a question mark omits a field of the body, whose whole text the placeholder must be`
    }
    const expected = isHere
      ? declared.formats.map((format) => written(base, format))
      : formsIn(use, resources)
    return `${mustNot}: expected ${expected.join(', ')}`
  }
  return undefined
}

/** Whether a template uses a placeholder. */
export function usesPlaceholder(template: string, name: string): boolean {
  return partsOf(template).some((part) => typeof part !== 'string' && part.name === name)
}

const formsIn = (use: TemplateUse, resources: ReadonlySet<string>): string[] =>
  [...placeholders].flatMap(([name, { formats, uses, hasPath }]) => {
    if (!uses.includes(use) || (resourceNames.has(name) && !resources.has(name))) return []
    const forms = formats.map((format) => written(name, format))
    return hasPath === true ? [...forms, written(`${name}.FIELD`)] : forms
  })

const written = (name: string, format?: string, isOptional = false): string =>
  `{${name}${format === undefined ? '' : `:${format}`}${isOptional ? '?' : ''}}`

/** The placeholder of a name with a path: `resource` of `resource.metadata.shop`. */
function baseOf(name: string): string {
  const [first = ''] = name.split('.')
  return placeholders.get(first)?.hasPath ? first : name
}

/** Returns the value of a placeholder, any JSON; undefined if it has none. */
export type ValueOf = (name: string, format: string | undefined) => unknown

/** Renders a text. Objects are written as JSON; null and a missing value as an empty text. */
export function renderText(template: string, valueOf: ValueOf): string {
  return partsOf(template)
    .map((part) => (typeof part === 'string' ? part : asText(valueOf(part.name, part.format))))
    .join('')
}

/** Returns the placeholder that is the whole of a template; undefined for any other template. */
export function soleOf(template: unknown): Placeholder | undefined {
  const [first, ...more] = typeof template === 'string' ? partsOf(template) : []
  return typeof first === 'object' && more.length === 0 ? first : undefined
}

/**
 * Renders a template of any JSON. A text that is one placeholder becomes its value; a value that is missing is null, so
 * that bodies of one description have equal fields. If the placeholder is optional, that and an empty list are undefined.
 */
export function renderJson(template: unknown, valueOf: ValueOf): unknown {
  const sole = soleOf(template)
  if (sole) {
    const value = valueOf(sole.name, sole.format) ?? null
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    return sole.isOptional && isEmpty ? undefined : value
  }
  if (typeof template === 'string') return renderText(template, valueOf)
  if (Array.isArray(template)) return template.map((item: unknown) => renderJson(item, valueOf))
  if (!isJsonObject(template)) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, renderJson(value, valueOf)]))
}

/** The texts of a template, each with its path and whether it is the value of a field. */
export function* textsIn(
  template: unknown,
  path: Path = [],
  isField = false,
): Generator<{ path: Path; text: string; isField: boolean }> {
  if (typeof template === 'string') yield { path, text: template, isField }
  else if (typeof template === 'object' && template !== null)
    for (const [key, inner] of Object.entries(template))
      yield* Array.isArray(template)
        ? textsIn(inner, [...path, Number(key)])
        : textsIn(inner, [...path, key], true)
}

/** Returns a value within another by the rest of a name: `status` of `resource.status`. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const key of path) found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  return found
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : stringify(value)
}
