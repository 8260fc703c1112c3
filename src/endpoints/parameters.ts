import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { QueryParameter, Rules } from './define.ts'

/**
 * Inputs that several endpoints share.
 */

/** How many items a page is to hold, as text in a query; beyond `most` it is a violation where there is a `most`. */
export function pageSize(most?: number) {
  const range = most === undefined ? 'an integer of at least 1' : `an integer from 1 to ${most}`
  return documented(
    z
      .string()
      .refine((text) => /^\d{1,400}$/.test(text) && Number(text) >= 1 && Number(text) <= (most ?? Infinity), {
        error: `must be ${range}`,
      })
      .transform(Number)
      .optional(),
    { type: 'integer', minimum: 1, ...(most === undefined ? {} : { maximum: most }) },
  )
}

/** Where a page starts. */
export function startingAfter(description: string): QueryParameter<z.ZodOptional<z.ZodString>> {
  return { schema: z.string().optional(), description }
}

/** The bounds of metadata in a request, which the contract does not show. */
export const metadataRules: Rules = ({ metadata }, assume, values) => {
  if (!isJsonObject(metadata)) return []
  const violations: string[] = []
  if (depthOf(metadata, values.metadata_max_depth + 1) > values.metadata_max_depth) {
    violations.push(`metadata must not be nested deeper than ${assume('metadata_max_depth')} levels`)
  } else if (Buffer.byteLength(JSON.stringify(metadata)) > values.metadata_max_bytes) {
    violations.push(`metadata must not be larger than ${assume('metadata_max_bytes')} bytes`)
  }
  return violations
}

/** How deeply a JSON value is nested, counting no further than `limit`: `{}` is 1 deep, `{"a":[]}` is 2. */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null || limit <= 0) return 0
  let deepest = 0
  for (const inner of Object.values(value)) {
    const depth = depthOf(inner, limit - 1)
    if (depth > deepest) deepest = depth
    if (deepest >= limit - 1) break
  }
  return deepest + 1
}

/** Amounts in requests: whether a negative one is a violation is an assumption. */
export const amountRules: Rules = ({ amount }, assume) => {
  if (typeof amount !== 'number' || amount >= 0) return []
  return assume('negative_amount') === 'refuse' ? ['amount must not be negative'] : []
}
