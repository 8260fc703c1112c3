// The schemas of option values: integer, percentage, switch, list, path, URL, origin. Each accepts text, too, and is
// created when a value was set: most starts need none.
import { isIP } from 'node:net'
import { z } from 'zod'
import { endpointSecret } from '../contract/formats.ts'
import type { Minimum } from '../coverage/gates.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import { allowedHostRule, readAllowedHost } from '../input/allowed-host.ts'
import { AddressError, inMemory, readStoreAddress } from '../input/store-address.ts'
import { durationPattern } from '../runtime/duration.ts'
import { reportKindOf, reportNames } from './report-files.ts'

const numberAs = (pattern: RegExp, isIn: (value: number) => boolean, error: string) => () =>
  z.union([z.number(), z.string().regex(pattern).transform(Number)], { error }).refine(isIn, { error })

export const integer = (least: number, most: number) =>
  numberAs(
    /^\d{1,15}$/,
    (value) => Number.isInteger(value) && value >= least && value <= most,
    `must be an integer from ${least} to ${most}`,
  )

const percentage = /^(?:100(?:\.0{1,15})?|\d{1,2}(?:\.\d{1,15})?)$/

export const switchValue = () =>
  z.union(
    [
      z.boolean(),
      z.enum(['true', 'false', '1', '0', '']).transform((text) => !['false', '0'].includes(text)),
    ],
    { error: 'must be true or false' },
  )

/** One of a few words, which help lists. */
export const oneOf = <const Words extends readonly string[]>(words: Words) => ({
  schema: () => z.enum(words, { error: `must be one of ${words.join(', ')}` }),
  placeholder: words.join('|'),
})

export const token = () => z.string().regex(/^\S{1,200}$/, 'must be 1 to 200 characters without spaces')

/** A client with a key that derives from it could guess a short one. */
export const isolationSecret = () =>
  z.string().regex(/^\S{16,200}$/, 'must be 16 to 200 characters without spaces, hard to guess')

/** Only the description of the events shows its form. */
export const webhookSecret = () => endpointSecret

/** The idle timeout of workspaces: `none`, or a number of seconds, minutes, hours or days. */
export const ttl = () =>
  z
    .string('must be a text')
    .refine(
      (text) => text === 'none' || durationPattern.test(text),
      'must be a duration, such as 30s, 15m, 24h or 7d, at most 999999d, or none',
    )

export const filled = (rule?: string) => () => z.string(rule).min(1, 'must not be empty')

export const store = () =>
  z.string('must be a text').superRefine((text, context) => {
    try {
      if (text !== inMemory) readStoreAddress(text)
    } catch (error) {
      if (!(error instanceof AddressError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
    }
  })

export const storePrefix = () =>
  z
    .string('must be a text')
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -')

/** A list, which may be written as its only item. */
const listOf =
  <Item extends z.ZodType>(item: () => Item, rule?: string, isItem: (value: unknown) => boolean = isText) =>
  () =>
    z.preprocess((value) => (isItem(value) ? [value] : value), z.array(item(), rule))

const isText = (value: unknown): value is string => typeof value === 'string'

/** A list of texts, each a path or a name, and of objects with the contents of a file. */
export const inputs = <Content extends object>(rule: string) =>
  listOf(
    () => z.custom<string | Content>(isInput, rule),
    rule,
    (value) => !Array.isArray(value),
  )

function isInput(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null)
}

/** Words, or texts with several words separated by commas. */
const byComma =
  <Item>(itemOf: (word: string) => Item | undefined, rule: string) =>
  () => {
    const text = z.union([z.string(), z.number()], rule).transform((input, context) => {
      const items = String(input)
        .split(',')
        .map((word) => itemOf(word.trim()))
      if (items.every((item) => item !== undefined)) return items
      context.addIssue({ code: 'custom', message: rule })
      return z.NEVER
    })
    return listOf(
      () => text,
      rule,
      (value) => !Array.isArray(value),
    )().transform((items) => items.flat())
  }

export const names = byComma((word) => (word === '' ? undefined : word), 'must be names, separated by commas')

/** Percentages, of everything or of an operation that is named before. */
export const minimums = byComma((word): Minimum | undefined => {
  const [, operation, percent = ''] = /^(?:(\w+)=)?([^=]*)$/.exec(word) ?? []
  if (!percentage.test(percent)) return undefined
  return { percent: Number(percent), ...(operation === undefined ? {} : { operation }) }
}, 'must be a number from 0 to 100, such as 90 or 87.5, or one of an operation, such as updateReward=100')

/** The description of webhook events: a preset or a path, or the object itself. */
export const description = () =>
  z.custom<string | WebhookDescription>(isInput, 'must be a preset, a path or a description')

export const paths = listOf(filled('must be a path'), 'must be a path or a list of paths')

export const reportFiles = listOf(
  () =>
    z
      .string('must be a path')
      .refine((path) => reportKindOf(path) !== undefined, `must end in one of ${reportNames.join(', ')}`),
  'must be a path or a list of paths',
)

/** In lower case like the header of a client. */
export const hostNames = listOf(
  () => filled('must be a text')().toLowerCase(),
  'must be a text or a list of texts',
)

/** The names of a server in its certificate: names of DNS without a wildcard, and addresses. */
export const certificateNames = listOf(
  () =>
    filled('must be a text')()
      .toLowerCase()
      .refine((name) => isIP(name) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name), {
        error: 'must be a host name without a port, such as api.provider.example, or an address',
      }),
  'must be a text or a list of texts',
)

export const allowedWebhookHosts = listOf(() =>
  z.string('must be a text').refine((text) => readAllowedHost(text) !== undefined, allowedHostRule),
)

export const corsOrigins = listOf(() =>
  z.string().superRefine((text, context) => {
    const message = originProblem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
)

/** Schemes whose pages have no origin, and schemes that no page has. */
const withoutOrigin = new Set(['about:', 'blob:', 'data:', 'file:', 'ftp:', 'javascript:', 'ws:', 'wss:'])

/** Why no browser sends this text as an origin; undefined if one may. */
function originProblem(text: string): string | undefined {
  const rule = 'must be an origin, such as https://app.example'
  if (text === '*') return `${rule}: each origin must be named`
  if (text === 'null') return `${rule}: any page can send null`
  if (!URL.canParse(text)) return rule
  const { protocol, host, origin: ofWeb } = new URL(text)
  if (withoutOrigin.has(protocol)) return `can never match: browsers send no origin of ${protocol}`
  // Apps such as those of Capacitor have a scheme of their own, for which a URL has no origin.
  const origin = ofWeb === 'null' && host !== '' ? `${protocol}//${host}` : ofWeb
  if (origin === 'null') return rule
  return origin === text ? undefined : `must be ${origin}, as browsers send this origin`
}

export const httpUrl = () =>
  z
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

export const generate = () =>
  z.union(
    [
      z.strictObject({ customers: z.int().min(1).max(10_000_000) }),
      z
        .string()
        .regex(/^customers=[1-9]\d{0,7}$/)
        .transform((text) => ({ customers: Number(text.slice('customers='.length)) })),
    ],
    { error: 'must be customers=N with N from 1 to 10000000' },
  )

export const assumeSettings = () =>
  z.preprocess(
    (value, context) => {
      if (!isText(value) && !Array.isArray(value)) return value
      return fromPairs([value].flat(), (index) =>
        context.addIssue({ code: 'custom', path: [index], message: pairRule }),
      )
    },
    z.record(z.string(), z.union([z.string(), z.number()]), pairRule),
  )

const pairRule = 'must be id=value, such as not_found_status=400'

/** Returns an object of pairs. @param refuse is called with the index of each item that is no pair. */
function fromPairs(pairs: readonly unknown[], refuse: (index: number) => void): unknown {
  const entries = pairs.flatMap((pair, index) => {
    const text = typeof pair === 'string' ? pair : ''
    const at = text.indexOf('=')
    if (at >= 1) return [[text.slice(0, at), text.slice(at + 1)] as const]
    refuse(index)
    return []
  })
  return Object.fromEntries(entries)
}
