// Templates of events: texts with placeholders, such as {event.id} or {resource.status}.
import { isJsonObject } from '../contract/formats.ts'
import { stringify } from '../json/stringify.ts'

/** A part of a template: literal text, or a placeholder with its format, such as `event.time` and `unix`. */
export type TemplatePart = string | { readonly name: string; readonly format: string | undefined }

/** The part of a delivery that a template renders; each allows other placeholders. */
export type TemplateUse = 'body' | 'headers' | 'signed'

interface Declared {
  /** The formats behind a colon; undefined is none. */
  readonly formats: readonly (string | undefined)[]
  readonly uses: readonly TemplateUse[]
  /** Whether it takes the path of a field behind it. */
  readonly hasPath?: boolean
}

const plain = [undefined]
const times = [undefined, 'unix']

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
    signature: { formats: ['hex', 'base64'], uses: ['headers'] },
    body: { formats: plain, uses: ['signed'] },
  }),
)

/** Returns the parts of a template. Braces around anything else than a name are literal text. */
export function partsOf(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let end = 0
  for (const { 0: found, 1: name = '', 2: format, index } of template.matchAll(
    /\{([A-Za-z_][\w.]*)(?::([A-Za-z0-9_]+))?\}/g,
  )) {
    if (index > end) parts.push(template.slice(end, index))
    parts.push({ name, format })
    end = index + found.length
  }
  if (end < template.length) parts.push(template.slice(end))
  return parts
}

/** Returns why the placeholders of a template cannot be used there; undefined if they can. */
export function problemOf(template: string, use: TemplateUse): string | undefined {
  for (const part of partsOf(template)) {
    if (typeof part === 'string') continue
    const base = baseOf(part.name)
    const declared = placeholders.get(base)
    const isHere = declared?.uses.includes(use) === true
    if (isHere && declared.formats.includes(part.format)) continue
    const expected = isHere ? formsOf(base, { ...declared, hasPath: false }) : formsIn(use)
    return `must not contain ${written(part.name, part.format)}: expected ${expected.join(', ')}`
  }
  return undefined
}

/** Whether a template uses a placeholder. */
export function usesPlaceholder(template: string, name: string): boolean {
  return partsOf(template).some((part) => typeof part !== 'string' && part.name === name)
}

const formsIn = (use: TemplateUse): string[] =>
  [...placeholders].flatMap(([name, declared]) =>
    declared.uses.includes(use) ? formsOf(name, declared) : [],
  )

function formsOf(name: string, { formats, hasPath }: Declared): string[] {
  return [...formats.map((format) => written(name, format)), ...(hasPath ? [written(`${name}.FIELD`)] : [])]
}

const written = (name: string, format?: string): string =>
  `{${name}${format === undefined ? '' : `:${format}`}}`

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

/**
 * Renders a template of any JSON. A text that is one placeholder becomes its value; a value that is missing is null, so
 * that bodies of one description have equal fields.
 */
export function renderJson(template: unknown, valueOf: ValueOf): unknown {
  if (typeof template === 'string') {
    const [first, ...more] = partsOf(template)
    if (first !== undefined && typeof first !== 'string' && more.length === 0)
      return valueOf(first.name, first.format) ?? null
    return renderText(template, valueOf)
  }
  if (Array.isArray(template)) return template.map((item: unknown) => renderJson(item, valueOf))
  if (!isJsonObject(template)) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, renderJson(value, valueOf)]))
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
