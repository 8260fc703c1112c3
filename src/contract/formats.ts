// Formats of values: ids, amounts, dates, currencies, metadata (contract: Conventions, Limits).
// Messages follow the name of the field, as error shape A names the field and the rule in one string.
import { z } from 'zod'
import { ExactNumber } from '../json/exact-number.ts'
import { isJsonObject } from '../json/json-object.ts'
import { documented } from './docs.ts'

/** A free-form JSON object. The contract sets no limit; `request-limits.ts` does. */
export type Metadata = Readonly<Record<string, unknown>>

export { isJsonObject }

/**
 * Returns the nesting depth of a JSON value, counted up to `limit`: `1` is 0 deep, `{}` is 1, `{"a":[]}` is 2.
 * The limit is needed because serializing very deep values to JSON overflows the stack.
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

/** An identifier of the service: a non-empty string without control characters. */
export const id = z
  .string()
  // eslint-disable-next-line no-control-regex -- the rule refuses control characters
  .regex(/^[^\u0000-\u001f\u007f]{1,200}$/, 'must be 1 to 200 characters without control characters')
  // UTF-8 cannot encode half a surrogate pair, so no client could send such an id, and no link could contain it.
  .refine((value) => !/[\ud800-\udfff]/u.test(value), 'must be text that UTF-8 can write')

/** The messages for an invalid integer; each names the broken rule. */
export const integerMessages = {
  error({ code, maximum, minimum }: z.core.$ZodRawIssue): string {
    if (code === 'too_big') return `must be at most ${String(maximum)}`
    return code === 'too_small' ? `must be at least ${String(minimum)}` : 'must be an integer'
  },
}

/** An integer that a JavaScript number represents exactly. */
export const integer = z.int(integerMessages)

/** A sum of amounts. It may exceed the integers that a JavaScript number represents exactly. */
export const sumOfAmounts = z.custom<number | ExactNumber>(
  (value) => Number.isSafeInteger(value) || value instanceof ExactNumber,
)

/** An amount in minimum currency units. `-0` becomes 0, because JSON readers treat it as 0. */
export const minorUnits = documented(
  integer.overwrite((value) => value + 0),
  { description: 'An amount in minimum currency units.' },
)

/** A fast path for nearly all timestamps. Every month has 28 days, so days 1 to 28 need no further check. */
const commonTimestamp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/

const isoDate = z.iso.date()
const isoDateTime = z.iso.datetime({ offset: true })

/** RFC 3339 differs from zod's ISO 8601 in two points: `t` and `z` may be lower case, and seconds are required. */
function isTimestamp(value: string): boolean {
  if (commonTimestamp.test(value)) return true
  return /^.{10}t\d{2}:\d{2}:\d{2}/i.test(value) && isoDateTime.safeParse(value.toUpperCase()).success
}

/** An instant in RFC 3339 form. */
export const timestamp = documented(z.string().refine(isTimestamp, 'must be an RFC 3339 date-time'), {
  format: 'date-time',
})

/** A leap second of RFC 3339: it ends a UTC day, and a JavaScript `Date` cannot represent it. */
function isLeapSecond(value: string): boolean {
  const before = value.replace(/(?<=^.{16}:)60/, '59')
  return (
    before !== value && isTimestamp(before) && new Date(before).toISOString().slice(11, 19) === '23:59:59'
  )
}

/** A full date or a date-time of RFC 3339, as `expected_date` accepts it: a hint, which need not be an instant. */
export const dateOrTimestamp = documented(
  z.string().refine(
    // Try the fast path first: zod builds an error for each date-time that it refuses as a date.
    (value) =>
      commonTimestamp.test(value) ||
      isoDate.safeParse(value).success ||
      isTimestamp(value) ||
      isLeapSecond(value),
    'must be an RFC 3339 date or date-time',
  ),
  { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
)

/** Three capital letters. The contract requires the form of ISO 4217, not membership in the current list. */
export const currencyCode = documented(
  z.string().regex(/^[A-Z]{3}$/, 'must be a 3-letter ISO 4217 code in upper case'),
  { description: 'A 3-character ISO 4217 code.' },
)

/** A reward is counted in a currency or in a reward unit such as POINTS. */
export const rewardCurrency = documented(
  z.string().regex(/^[A-Z][A-Z_]{2,31}$/, 'must be a 3-letter ISO 4217 code or a reward unit such as POINTS'),
  { description: 'A 3-character ISO 4217 code, or a reward unit such as POINTS.' },
)

const printableAscii = /^[\x20-\x7e]{1,128}$/

/** The partner's own identifier for a customer (Limits). It is compared byte for byte, so it is never normalised. */
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
 * Free-form JSON object, passed through unchanged: a record schema would copy it and silently drop a `__proto__` key.
 */
export const metadata = documented(z.custom<Metadata>(isJsonObject, 'must be a JSON object'), {
  type: 'object',
  additionalProperties: true,
  description: 'Free-form JSON object.',
})

/** The secret of an endpoint, in the form that the description of webhook events names. */
export const endpointSecret = z
  .string('must be a text')
  .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 printable ASCII characters without spaces')

/** A calendar date in parts, the form of dates of birth. */
export const dateParts = z.strictObject({
  year: integer.min(1900, 'must be 1900 or later').max(9999, 'must have four digits'),
  month: integer.min(1, 'must be 1 to 12').max(12, 'must be 1 to 12'),
  day: integer.min(1, 'must be 1 to 31').max(31, 'must be 1 to 31'),
})
