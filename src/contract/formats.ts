// Formats of values: ids, amounts, dates, currencies, metadata (contract: Conventions, Limits).
// Messages complete the sentence "<field> …", because shape A names the field and the rule in one string.
import { z } from 'zod'
import { ExactNumber } from '../json/exact-number.ts'
import { isJsonObject } from '../json/json-object.ts'
import { documented } from './docs.ts'

/** A free-form JSON object. The contract sets it no bound; assumptions `metadata_max_depth` and `_bytes` do. */
export type Metadata = Readonly<Record<string, unknown>>

export { isJsonObject }

/**
 * How deeply a JSON value is nested, counting no further than `limit`: `1` is 0 deep, `{}` is 1, `{"a":[]}` is 2.
 * Bounded, because turning very deep values back into JSON overflows the stack.
 */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null || limit <= 0 || value instanceof ExactNumber) return 0
  let deepest = 0
  for (const inner of Object.values(value)) {
    const depth = depthOf(inner, limit - 1)
    if (depth > deepest) deepest = depth
    if (deepest >= limit - 1) break
  }
  return deepest + 1
}

/** An identifier of the service: a string that is neither empty nor holds control characters. */
export const id = z
  .string()
  // eslint-disable-next-line no-control-regex -- control characters are what it keeps out
  .regex(/^[^\u0000-\u001f\u007f]{1,200}$/, 'must be 1 to 200 characters without control characters')
  // Half a surrogate pair cannot be written as UTF-8, so no client could send such an id back, nor a link hold it.
  .refine((value) => !/[\ud800-\udfff]/u.test(value), 'must be text that UTF-8 can write')

/** The messages of an integer; each names the rule that the value breaks. */
export const integerMessages = {
  error({ code, maximum, minimum }: z.core.$ZodRawIssue): string {
    if (code === 'too_big') return `must be at most ${String(maximum)}`
    return code === 'too_small' ? `must be at least ${String(minimum)}` : 'must be an integer'
  },
}

/** An integer that JavaScript holds exactly. */
export const integer = z.int(integerMessages)

/** A sum of amounts, which may be beyond what JavaScript holds exactly. */
export const sumOfAmounts = z.custom<number | ExactNumber>(
  (value) => Number.isSafeInteger(value) || value instanceof ExactNumber,
)

/** An amount in minimum currency units. `-0` becomes 0, which is what JSON readers make of it anyway. */
export const minorUnits = documented(
  integer.overwrite((value) => value + 0),
  { description: 'An amount in minimum currency units.' },
)

/** What nearly every timestamp looks like; every month has 28 days, so there is nothing else to check. */
const usualTimestamp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/

const isoDate = z.iso.date()
const isoDateTime = z.iso.datetime({ offset: true })

/**
 * RFC 3339 differs from zod's ISO 8601 in two ways: `t` and `z` may be lower case, and seconds must be there.
 */
function isTimestamp(value: string): boolean {
  if (usualTimestamp.test(value)) return true
  return /^.{10}t\d{2}:\d{2}:\d{2}/i.test(value) && isoDateTime.safeParse(value.toUpperCase()).success
}

/** An instant, as RFC 3339 writes it. */
export const timestamp = documented(z.string().refine(isTimestamp, 'must be an RFC 3339 date-time'), {
  format: 'date-time',
})

/** A leap second of RFC 3339, which ends a UTC day and which JavaScript has no instant for. */
function isLeapSecond(value: string): boolean {
  const before = value.replace(/(?<=^.{16}:)60/, '59')
  return (
    before !== value && isTimestamp(before) && new Date(before).toISOString().slice(11, 19) === '23:59:59'
  )
}

/** A full date or a date-time of RFC 3339, as `expected_date` takes it: a hint, which need not be an instant. */
export const dateOrTimestamp = documented(
  z.string().refine(
    // A usual one first: zod builds an error for each date-time that it refuses as a date.
    (value) =>
      usualTimestamp.test(value) ||
      isoDate.safeParse(value).success ||
      isTimestamp(value) ||
      isLeapSecond(value),
    'must be an RFC 3339 date or date-time',
  ),
  { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
)

/** Three capital letters; the contract asks for the form of ISO 4217, not for membership in today's list. */
export const currencyCode = documented(
  z.string().regex(/^[A-Z]{3}$/, 'must be a 3-letter ISO 4217 code in capital letters'),
  { description: 'A 3-character ISO 4217 code.' },
)

/** A currency code of a request in capital or small letters; it is read in capital letters. */
export const currencyInAnyCase = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'must be a 3-letter ISO 4217 code')
  .overwrite((code) => code.toUpperCase())

/** A reward is counted in a currency or in a reward unit such as POINTS. */
export const rewardCurrency = documented(
  z.string().regex(/^[A-Z][A-Z_]{2,31}$/, 'must be a 3-letter ISO 4217 code or a reward unit such as POINTS'),
  { description: 'A 3-character ISO 4217 code, or a reward unit such as POINTS.' },
)

const printableAscii = /^[\x20-\x7e]{1,128}$/

/** The partner's own identifier for a customer (Limits): compared byte for byte, so it is never normalised. */
export const partnerCustomerId = documented(
  z.string().regex(printableAscii, 'must be 1 to 128 printable ASCII characters'),
  {
    description: "The partner's own identifier of the customer; compared byte for byte.",
    minLength: 1,
    maxLength: 128,
    pattern: printableAscii.source,
  },
)

/** A non-negative decimal written as a string, such as an earn rate or an APR. */
export const decimalString = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,8})?$/, 'must be a decimal string such as "1.50"')

/**
 * Free-form JSON object. A record schema would copy it and silently drop a `__proto__` key, so the value is
 * passed through as it is.
 */
export const metadata = documented(z.custom<Metadata>(isJsonObject, 'must be a JSON object'), {
  type: 'object',
  additionalProperties: true,
  description: 'Free-form JSON object.',
})

/** A calendar date in parts, as dates of birth are written. */
export const dateParts = z.strictObject({
  year: integer.min(1900, 'must be 1900 or later').max(9999, 'must have four digits'),
  month: integer.min(1, 'must be 1 to 12').max(12, 'must be 1 to 12'),
  day: integer.min(1, 'must be 1 to 31').max(31, 'must be 1 to 31'),
})
