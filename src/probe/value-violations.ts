// Validates a value by its declaration, relaxed to what the contract promises: new fields, and fields that may be
// absent.
import type { z } from 'zod'
import type { AssumptionId } from '../contract/assumptions.ts'
import { docs } from '../contract/docs.ts'
import { currencyCode, isJsonObject, partnerCustomerId, timestamp } from '../contract/formats.ts'
import { statement } from '../contract/resources/statement.ts'
import { transactionIntent } from '../contract/resources/transaction-intent.ts'
import { defaultOf, fieldsIn, innerOf, shapeOf, type Field } from '../contract/schema-shape.ts'

/** One violation of the contract in an answer. */
export interface Violation {
  /** The part of the answer. */
  part: 'status' | 'version' | 'body' | 'error'
  /** The observation, such as `data[0].amount is a string`. */
  what: string
  /** The requirement of the contract, such as `an integer`. */
  expected: string
  /** For a field: its path without indexes, such as `data.card.exp_month`. */
  field?: string
}

/** Returns the requirement of a field in words; undefined if the contract has none. */
export function expectationOf(resource: z.ZodType, { name, schema }: Field): string | undefined {
  const format = formats[`${docs.get(resource)?.id ?? ''}.${name}`]
  return format?.expected ?? mismatch(innerOf(schema), undefined, { ...whole, listsAll: true })
}

/** Whether the contract requires that a field is always present. */
export function isPromised(resource: z.ZodType, field: Field): boolean {
  return !mayBeAbsent(field) && (field.name === 'id' || !leavesFieldsOpen(resource))
}

/** Whether a field is optional, or present only because the sandbox assumes a value in place of an absent one. */
function mayBeAbsent({ schema, isOptional }: Pick<Field, 'schema' | 'isOptional'>): boolean {
  return isOptional || defaultOf(schema) !== undefined
}

/** Whether the contract does not show which fields of a resource are always present. */
export function leavesFieldsOpen(schema: z.ZodType): boolean {
  const isListed = schema === transactionIntent || schema === statement
  return isListed || restsOn(schema, ['customer_fields', 'payment_method_fields'])
}

export function restsOn(schema: z.ZodType, ids: readonly AssumptionId[]): boolean {
  return [docs.get(schema)?.['x-assumption']]
    .flat()
    .some((id) => id !== undefined && ids.includes(id as AssumptionId))
}

interface ValueLocation {
  /** Its path in messages, such as `data[0].amount`; empty for the whole body. */
  at: string
  /** The same without indexes. */
  field: string
  /**
   * Whether the contract lists every value of an enum. It does for the versions that it names as released: another
   * value comes with a new version (Versioning 7). Under `latest`, or a version that was released since, there may be
   * values that the contract does not know yet. Unknown fields need no version at all (Versioning 6).
   */
  listsAll: boolean
  /** Whether the contract leaves open which fields are present, at any depth. */
  isOpen: boolean
}

export const whole: Omit<ValueLocation, 'listsAll'> = { at: '', field: '', isOpen: false }

/** Returns the violations of a value; a field that may be absent may be null, as the contract does not say how it is omitted. */
export function* judgeValue(declared: z.ZodType, value: unknown, place: ValueLocation): Generator<Violation> {
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
  { at, field, listsAll, isOpen: isOpenAbove }: ValueLocation,
): Generator<Violation> {
  const about = docs.get(schema)
  const isOpen = isOpenAbove || leavesFieldsOpen(schema)
  for (const { name, schema: declared, isOptional } of fieldsIn(schema)) {
    const inner: ValueLocation = {
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
    } else if (!mayBeAbsent({ schema: declared, isOptional }) && (name === 'id' || !isOpen)) {
      const what = `${inner.at} is ${value[name] === null ? 'null' : 'missing'}`
      yield { part: 'body', what, expected: 'always present', field: inner.field }
    }
  }
  const kinds = about?.['oneOf']
  if (Array.isArray(kinds) && !fitsAKind(kinds.filter(isJsonObject), value)) {
    const names = Object.keys(value).filter((name) => value[name] !== null)
    const what = `${at === '' ? 'the body' : at} has ${names.join(', ')}`
    // No single field of it is wrong.
    yield { part: 'body', what, expected: about?.description ?? 'one of its kinds' }
  }
}

/** Whether the present fields are those of one of the declared kinds; an unknown type has none. */
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

/** The requirements of the contract for a text; other patterns of our schemas are only ours. */
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

/** Returns what was expected; undefined if the value is valid. */
function mismatch(schema: z.ZodType, value: unknown, { listsAll }: ValueLocation): string | undefined {
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

/** RFC 3339 allows leap seconds, which our clocks never show. */
function isInstant(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return timestamp.safeParse(value.replace(/(?<=^.{16}:)60/, '59')).success
}

/** Describes a value without showing it, as it may be personal: the call shows it with secrets hidden. */
function shown(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number with a fraction'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'boolean' ? String(value) : 'an object'
}
