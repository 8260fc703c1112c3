// Judges a value by its declaration, loosened to what the contract promises: fields that are new, or may be absent.
import type { z } from 'zod'
import type { AssumptionId } from '../contract/assumptions.ts'
import { docs } from '../contract/docs.ts'
import { currencyCode, isJsonObject, partnerCustomerId, timestamp } from '../contract/formats.ts'
import { fieldsIn, innerOf, shapeOf, type Field } from '../contract/schema-shape.ts'

/** One thing in an answer that the contract does not allow. */
export interface Violation {
  /** The part of the answer that it is in. */
  part: 'status' | 'version' | 'body' | 'error'
  /** What was seen, such as `data[0].amount is a string`. */
  what: string
  /** What the contract has in its place, such as `an integer`. */
  expected: string
  /** For a field: its place without the numbers of items, such as `data.card.exp_month`. */
  field?: string
}

/** What a field of a resource must be, in words; undefined where the contract says nothing of it. */
export function expectationOf(resource: z.ZodType, { name, schema }: Field): string | undefined {
  const format = formats[`${docs.get(resource)?.id ?? ''}.${name}`]
  return format?.expected ?? mismatch(innerOf(schema), undefined, { ...whole, listsAll: true })
}

/** Whether a field of a resource is always there by the contract. */
export function isPromised(resource: z.ZodType, { name, isOptional }: Field): boolean {
  return !isOptional && (name === 'id' || !restsOn(resource, leavesFieldsOpen))
}

const leavesFieldsOpen: readonly AssumptionId[] = [
  'customer_fields',
  'intent_fields',
  'payment_method_fields',
  'statement_fields',
]

export function restsOn(schema: z.ZodType, ids: readonly AssumptionId[]): boolean {
  return [docs.get(schema)?.['x-assumption']]
    .flat()
    .some((id) => id !== undefined && ids.includes(id as AssumptionId))
}

interface Place {
  /** As messages name it, such as `data[0].amount`; empty for the whole body. */
  at: string
  /** The same without numbers of items. */
  field: string
  /**
   * Whether the contract lists every value of an enum. It does for the versions that it names as released: another
   * value comes with a new version (Versioning 7). Under `latest`, or a version that was released since, one may be
   * there that the contract does not know yet. Unknown fields need no version at all (Versioning 6).
   */
  listsAll: boolean
  /** Whether an assumption leaves open which fields are there, however deep they stand. */
  isOpen: boolean
}

export const whole: Omit<Place, 'listsAll'> = { at: '', field: '', isOpen: false }

/** What of a value does not fit its declaration; a field that may be absent may be null (`empty_optional_fields`). */
export function* judgeValue(declared: z.ZodType, value: unknown, place: Place): Generator<Violation> {
  const schema = innerOf(declared)
  const expected = mismatch(schema, value, place)
  if (expected !== undefined) {
    const { at, field } = place
    yield { part: 'body', what: `${at === '' ? 'the body' : at} is ${shown(value)}`, expected, field }
    return
  }
  const { item: ofItems } = shapeOf(schema)
  if (ofItems && Array.isArray(value)) {
    for (const [number, item] of value.entries())
      yield* judgeValue(ofItems, item, { ...place, at: `${place.at}[${number}]` })
  } else if (isJsonObject(value)) yield* judgeFields(schema, value, place)
}

function* judgeFields(
  schema: z.ZodType,
  value: Readonly<Record<string, unknown>>,
  { at, field, listsAll, isOpen: isOpenAbove }: Place,
): Generator<Violation> {
  const about = docs.get(schema)
  const isOpen = isOpenAbove || restsOn(schema, leavesFieldsOpen)
  for (const { name, schema: declared, isOptional } of fieldsIn(schema)) {
    const inner: Place = {
      at: at === '' ? name : `${at}.${name}`,
      field: field === '' ? name : `${field}.${name}`,
      listsAll,
      isOpen,
    }
    const own = value[name] ?? undefined
    if (own !== undefined) {
      yield* judgeValue(declared, own, inner)
      const format = formats[`${about?.id ?? ''}.${name}`]
      if (format && typeof own === 'string' && !format.fits(own)) {
        yield {
          part: 'body',
          what: `${inner.at} is ${shown(own)}`,
          expected: format.expected,
          field: inner.field,
        }
      }
    } else if (!isOptional && (name === 'id' || !isOpen)) {
      const what = `${inner.at} is ${value[name] === null ? 'null' : 'missing'}`
      yield { part: 'body', what, expected: 'always present', field: inner.field }
    }
  }
  const kinds = about?.['oneOf']
  if (Array.isArray(kinds) && !fitsAKind(kinds.filter(isJsonObject), value)) {
    const names = Object.keys(value).filter((name) => value[name] !== null)
    const what = `${at === '' ? 'the body' : at} has ${names.join(', ')}`
    // No field of it is wrong by itself.
    yield { part: 'body', what, expected: about?.description ?? 'one of its kinds' }
  }
}

/** Whether the fields that are there are those of one of the declared kinds; a type that nobody knows has none. */
function fitsAKind(
  kinds: readonly Readonly<Record<string, unknown>>[],
  value: Readonly<Record<string, unknown>>,
): boolean {
  const isThere = (name: unknown): boolean =>
    value[String(name)] !== undefined && value[String(name)] !== null
  const rules = kinds.map(({ properties, required }) => ({
    properties: isJsonObject(properties) ? Object.entries(properties) : [],
    required: Array.isArray(required) ? required : [],
  }))
  const fitsConst = ({ properties }: (typeof rules)[number]): boolean =>
    properties.every(([name, rule]) => !isJsonObject(rule) || value[name] === rule['const'])
  const own = rules.filter(fitsConst)
  return (
    own.length === 0 ||
    own.some(
      ({ properties, required }) =>
        required.every(isThere) && properties.every(([name, rule]) => rule !== false || !isThere(name)),
    )
  )
}

/** What the contract says of a text beyond that it is one; other patterns of our schemas are only ours. */
const formats: Readonly<Record<string, { fits(text: string): boolean; expected: string }>> = {
  'TransactionIntent.currency': bySchema(currencyCode, 'a 3-character ISO 4217 code'),
  'Card.exp_month': { fits: (text) => /^\d{2}$/.test(text), expected: 'two digits' },
  'Card.exp_year': { fits: (text) => /^\d{4}$/.test(text), expected: 'four digits' },
  'Loan.apr': { fits: isDecimal, expected: 'a decimal string' },
  'RewardCategory.earn_rate': { fits: isDecimal, expected: 'a decimal string' },
  'Customer.partner_customer_id': bySchema(partnerCustomerId, '1 to 128 printable ASCII characters'),
}

function bySchema(schema: z.ZodType, expected: string): { fits(text: string): boolean; expected: string } {
  return { fits: (text) => schema.safeParse(text).success, expected }
}

function isDecimal(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text)
}

/** What a value should have been; undefined when it is so. */
function mismatch(schema: z.ZodType, value: unknown, { listsAll }: Place): string | undefined {
  const about = docs.get(schema)
  const unless = (fits: boolean, expected: string): string | undefined => (fits ? undefined : expected)
  switch (about?.['type'] ?? schema.def.type) {
    case 'object':
    case 'record':
      return unless(isJsonObject(value), 'an object')
    case 'array':
      return unless(Array.isArray(value), 'an array')
    case 'boolean':
      return unless(typeof value === 'boolean', 'true or false')
    case 'number':
    case 'integer':
      return unless(Number.isInteger(value), 'an integer')
    case 'enum': {
      const { values = [] } = shapeOf(schema)
      const isListed = typeof value === 'string' && (!listsAll || values.includes(value))
      return unless(isListed, listsAll ? `one of ${values.join(', ')}` : 'a string')
    }
    case 'string':
      if (about?.['format'] === 'date-time') return unless(isInstant(value), 'an RFC 3339 timestamp')
      return unless(typeof value === 'string', 'a string')
    default:
      return undefined
  }
}

/** RFC 3339 knows leap seconds, which no clock of ours shows. */
function isInstant(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return timestamp.safeParse(value.replace(/(?<=^.{16}:)60/, '59')).success
}

/** What a value is, without the value, which may be somebody's: the exchange shows it, with what is secret hidden. */
function shown(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number with a fraction'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'boolean' ? String(value) : 'an object'
}
