import { z } from 'zod'
import { formatOfFile, reportExtensions } from '../coverage/reports/index.ts'

/** What the values of options look like; each reads text as well as values of its own type. */

export const integer = (least: number, most: number) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      {
        error: `must be an integer from ${least} to ${most}`,
      },
    )
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, {
      error: `must be an integer from ${least} to ${most}`,
    })

const percentageRule = 'must be a number from 0 to 100, such as 90 or 87.5'

export const percentage = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,3}(\.\d{1,6})?$/)
        .transform(Number),
    ],
    {
      error: percentageRule,
    },
  )
  .refine((value) => value >= 0 && value <= 100, { error: percentageRule })

export const reportFile = z
  .string('must be a path')
  .refine((path) => formatOfFile(path) !== undefined, `must end in one of ${reportExtensions.join(', ')}`)

export const switchValue = z
  .union(
    [
      z.boolean(),
      z.enum(['true', 'false', '1', '0', '']).transform((text) => !['false', '0'].includes(text)),
    ],
    {
      error: 'must be true or false',
    },
  )
  .optional()

/** Compared with what a client sends in lower case, as URLs have it. */
export const hostNames = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(
    z.string('must be a text').min(1, 'must not be empty').toLowerCase(),
    'must be a text or a list of texts',
  ),
)

export const paths = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(z.string('must be a path').min(1, 'must not be empty'), 'must be a path or a list of paths'),
)

export const httpUrl = z
  .string('must be a URL')
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an http or https URL, such as https://sandbox.example',
  })
  .refine((text) => !URL.canParse(text) || isPlainUrl(new URL(text)), {
    error: 'must have no query, no fragment and no user name',
  })

function isPlainUrl({ search, hash, username, password }: URL): boolean {
  return search + hash + username + password === ''
}

export const corsOrigin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'must be an origin, such as https://app.example',
})

export const generate = z.union(
  [
    z.strictObject({ customers: z.int().min(1).max(10_000_000) }),
    z
      .string()
      .regex(/^customers=[1-9]\d{0,7}$/)
      .transform((text) => ({ customers: Number(text.slice('customers='.length)) })),
  ],
  { error: 'must be customers=N with N from 1 to 10000000' },
)

export const assumeSettings = z.preprocess(
  (value) => {
    if (typeof value === 'string') return fromPairs([value])
    return Array.isArray(value) ? fromPairs(value) : value
  },
  z.record(z.string(), z.union([z.string(), z.number()]), 'must be id=value'),
)

function fromPairs(pairs: unknown[]): unknown {
  const entries = pairs.map((pair) => {
    const text = String(pair)
    const at = text.indexOf('=')
    return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)]
  })
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : 'not id=value'
}

export function isFixture(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null)
}
