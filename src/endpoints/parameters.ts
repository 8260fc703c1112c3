// Common inputs of endpoints: page size, cursor, metadata, amount.
import { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import { documented, type Docs, type InForce } from '../contract/docs.ts'
import { depthOf, integerMessages, isJsonObject } from '../contract/formats.ts'
import { maxMetadataBytes, maxMetadataDepth } from '../contract/request-limits.ts'
import { stringify } from '../json/stringify.ts'
import type { QueryParameter, Rules } from './define.ts'

const sizeText = (most?: number) => {
  const range = most === undefined ? 'an integer of at least 1' : `an integer from 1 to ${most}`
  return z
    .string()
    .refine((text) => /^\d{1,400}$/.test(text) && Number(text) >= 1 && Number(text) <= (most ?? Infinity), {
      error: `must be ${range}`,
    })
    .transform(Number)
    .optional()
}

/** The default of a page size that no cap limits. */
const ofDefaultSize: InForce = ({ default_page_size }) => ({ default: default_page_size })

/** The schema of a page size as query text. A size above `most` is a violation, if there is a `most`. */
export function pageSize(most?: number) {
  return documented(
    sizeText(most),
    {
      type: 'integer',
      minimum: 1,
      ...(most === undefined ? {} : { maximum: most }),
      // Where the contract sets no upper limit, an assumption caps the page.
      'x-assumption':
        most === undefined ? ['customers_page_size_cap', 'default_page_size'] : 'default_page_size',
    },
    most === undefined ? sizeOfCapped : ofDefaultSize,
  )
}

/** The schema of a page size as query text, for a list whose pages have no limit. */
export const uncappedPageSize = documented(
  sizeText(),
  { type: 'integer', minimum: 1, 'x-assumption': 'default_page_size' },
  ofDefaultSize,
)

/** The default and the documentation of a page size that only the cap limits. */
const sizeOfCapped: InForce = ({ default_page_size: defaultSize, customers_page_size_cap: cap }) => ({
  default: Math.min(defaultSize, cap),
  description: `A larger value gives a page of ${cap}.`,
})

/** The effect of an unknown cursor, by assumption, for the documentation. */
const nowhere: Record<Assumptions['unknown_cursor'], string> = {
  refuse: 'A value that names no position in the list is refused.',
  empty_page: 'A value that names no position in the list is answered with an empty page.',
  first_page: 'A value that names no position in the list is answered with the first page.',
}

/** Declares the cursor parameter. */
export function startingAfter(
  description: string,
  example: NonNullable<QueryParameter['example']>,
): QueryParameter<z.ZodOptional<z.ZodString>> {
  const schema = documented(z.string().optional(), { 'x-assumption': 'unknown_cursor' }, (values) => ({
    description: unknownCursor(values),
  }))
  return { schema, description, example }
}

/** Returns the documentation of an unknown cursor. */
export const unknownCursor = ({ unknown_cursor }: Assumptions): string => nowhere[unknown_cursor]

/** The limits of metadata in a request, which the contract does not show. */
export const metadataRules: Rules = ({ metadata }) => {
  if (!isJsonObject(metadata)) return []
  if (depthOf(metadata, maxMetadataDepth + 1) > maxMetadataDepth)
    return [`metadata: must not be nested deeper than ${maxMetadataDepth} levels`]
  const isTooLarge = Buffer.byteLength(stringify(metadata)) > maxMetadataBytes
  return isTooLarge ? [`metadata: must not be larger than ${maxMetadataBytes} bytes`] : []
}

/** The documentation of metadata in a request. */
export const metadataInRequest: Docs = {
  description: `Free-form JSON object, at most ${maxMetadataDepth} levels deep and ${maxMetadataBytes} bytes long as compact JSON.`,
}

/**
 * An amount in a request. An assumption decides its lower bound, so `amountRules` checks that bound and this schema
 * does not: it reads a smaller value as the smallest exact integer.
 */
export const requestedAmount = z
  .number(integerMessages)
  .overwrite((value) => Math.max(value, Number.MIN_SAFE_INTEGER) + 0)
  .int(integerMessages)

/** The lower limit of an amount in a request: 0, or the smallest exact integer if negative amounts are accepted. */
export const amountRules: Rules = ({ amount }, assume) => {
  if (typeof amount !== 'number' || amount >= 0) return []
  if (assume('negative_amount') === 'refuse') return ['amount: must not be negative']
  return amount < Number.MIN_SAFE_INTEGER ? [`amount: must be at least ${Number.MIN_SAFE_INTEGER}`] : []
}

/** The violation of an amount of zero where an assumption refuses it. */
export const notZero = 'amount: must not be zero'

/** The documentation of zero in an amount. */
export const zeroInForce = (zero: 'accept' | 'refuse'): ReturnType<InForce> =>
  zero === 'refuse' ? { not: { const: 0 } } : {}

/** The limit of `amountRules`, for the documentation of a field. */
export const amountInForce: InForce = ({ negative_amount }) =>
  negative_amount === 'refuse' ? { minimum: 0 } : {}
