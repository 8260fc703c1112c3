import { z } from 'zod'
import { errorCatalogue, type ErrorType } from '../contract/errors.ts'
import { scopeNames, type Scope } from '../contract/scopes.ts'
import { latestVersion, releasedVersions, supportedVersions, type Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { pageEdits, type PageEdit } from '../endpoints/paging.ts'
import { effect, type Effect } from './effect.ts'
import {
  moments,
  namedRewrites,
  transportFaults,
  type Moment,
  type Rewrite,
  type RowPatches,
  type TransportFault,
} from './plan.ts'
import { collectionNames } from '../store/rows.ts'

/**
 * Every effect that a rule can have (design: Scenario files). Help, schema, messages and the engine read this list.
 */

const milliseconds = z
  .number('must be a number of milliseconds')
  .min(0, 'must be 0 to 600000')
  .max(600_000, 'must be 0 to 600000')
/** A whole number in a range, which the message names. */
function whole(min: number, max: number): z.ZodType<number> {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.int(rule).min(min, rule).max(max, rule)
}

const moment = z.enum(moments, { error: 'must be before or after' })

/** The not-found errors an endpoint declares, by the parameter they name. */
export function notFoundErrors(endpoint: Endpoint): { type: ErrorType; param: string }[] {
  return endpoint.errors.flatMap(({ type }) => {
    const row = errorCatalogue[type]
    return 'param' in row ? [{ type, param: row.param }] : []
  })
}

/** The scopes that make a difference to an endpoint. */
export function scopesOf(endpoint: Endpoint): Scope[] {
  return [endpoint.scope, endpoint.optionalScope].filter((scope) => scope !== undefined)
}

/** Errors that any operation can answer with, beside those that it declares itself. */
const errorsOfAll: readonly ErrorType[] = [
  'BAD_REQUEST_ERROR',
  'RATE_LIMIT_ERROR',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE_ERROR',
]

const offContractPages: readonly PageEdit[] = [
  'repeated_item',
  'missing_cursor',
  'repeated_cursor',
  'wrong_total',
]

const notFound = effect<string | true>({
  name: 'not_found',
  help: "Ends the call with the operation's own not-found error; name the parameter where it has several.",
  schema: z.union([z.literal(true), z.string()], { error: 'must be the name of a parameter' }),
  bare: true,
  misfit(param, endpoint) {
    const own = notFoundErrors(endpoint)
    if (own.length === 0) return `${endpoint.id} has no not-found error`
    if (param === true) {
      return own.length === 1
        ? undefined
        : `${endpoint.id} has several not-found errors: say which, one of ${own.map((error) => error.param).join(', ')}`
    }
    return own.some((error) => error.param === param)
      ? undefined
      : `${endpoint.id} has no not-found error for '${param}', expected one of: ${own.map((error) => error.param).join(', ')}`
  },
  apply(param, plan, { endpoint }) {
    const found = notFoundErrors(endpoint).find((error) => param === true || error.param === param)
    if (found) plan.end({ kind: 'error', type: found.type })
  },
})

const error = effect<ErrorType>({
  name: 'error',
  noun: 'error',
  help: 'Ends the call with an error that the operation declares, by its type.',
  schema: z.enum(Object.keys(errorCatalogue) as [ErrorType, ...ErrorType[]], {
    error: 'must be an error type',
  }),
  beside: { message: z.string('must be a text') },
  misfit(type, endpoint) {
    const declared = [...endpoint.errors.map((own) => own.type), ...errorsOfAll]
    if (endpoint.scope !== undefined) declared.push('FORBIDDEN_ERROR')
    return declared.includes(type)
      ? undefined
      : `${endpoint.id} does not declare ${type}, expected one of: ${[...new Set(declared)].join(', ')}`
  },
  apply(type, plan, _context, { message }) {
    plan.end({ kind: 'error', type, ...(typeof message === 'string' ? { message } : {}) })
  },
})

const missingScope = effect<Scope | true>({
  name: 'missing_scope',
  noun: 'scope',
  help: 'The key lacks the scope for this call: 403, or fields left out, as the scope has it.',
  schema: z.union([z.literal(true), z.enum(scopeNames as [Scope, ...Scope[]])], {
    error: `must be one of ${scopeNames.join(', ')}`,
  }),
  bare: true,
  misfit(scope, endpoint) {
    const own = scopesOf(endpoint)
    if (own.length === 0) return `${endpoint.id} needs no scope`
    return scope === true || own.includes(scope)
      ? undefined
      : `${endpoint.id} does not depend on ${scope}, but on ${own.join(', ')}`
  },
  apply(scope, plan, { endpoint }) {
    plan.missingScopes.push(...(scope === true ? scopesOf(endpoint) : [scope]))
  },
})

const knownVersions: readonly Version[] = [...releasedVersions, latestVersion]

const unsupportedVersion = effect<{ supported?: Version[] | undefined }>({
  name: 'unsupported_version',
  noun: 'version',
  help: 'Refuses the version of the call unless it is among the supported ones that are left; bare, always.',
  schema: z.strictObject({
    supported: z
      .array(
        z.enum(knownVersions as [Version, ...Version[]], {
          error: `must be one of ${knownVersions.join(', ')}`,
        }),
      )
      .optional(),
  }),
  bare: {},
  apply({ supported }, plan, { version, environment }) {
    // What an environment does not have at all, it does not list either (contract: Versioning 8).
    const left = supportedVersions(environment).filter(
      (other) => supported?.includes(other) ?? other !== version,
    )
    if (!left.includes(version)) plan.end({ kind: 'unsupported_version', supported: left })
  },
})

const unauthenticated = effect<true>({
  name: 'unauthenticated',
  help: 'Refuses the key, as one that is revoked.',
  schema: z.literal(true),
  bare: true,
  apply(_value, plan) {
    plan.end({ kind: 'unauthenticated' })
  },
})

const invalid = effect<string[]>({
  name: 'invalid',
  help: 'Ends the call with the validation shape and these details.',
  schema: z
    .array(z.string('must be a text').min(1, 'must not be empty'), 'must be a list of texts')
    .min(1, 'must not be empty'),
  apply(details, plan) {
    plan.end({ kind: 'error', type: 'VALIDATION_ERROR', details })
  },
})

const page = effect<PageEdit>({
  name: 'page',
  help: 'Changes how a list is cut into pages.',
  schema: z.union([z.enum(pageEdits), z.strictObject({ size: whole(1, 100) })], {
    error: `must be one of ${pageEdits.join(', ')} or {size: 1 to 100}`,
  }),
  offContract: (edit) => offContractPages.includes(edit),
  misfit(edit, endpoint) {
    if (endpoint.pagination === undefined) return `${endpoint.id} has no pages`
    if (edit === 'wrong_total' && endpoint.pagination !== 'id') return `${endpoint.id} has no total`
    const needsToken = edit === 'missing_cursor' || edit === 'repeated_cursor'
    if (needsToken && endpoint.pagination !== 'token') return `${endpoint.id} answers with no cursor`
    return undefined
  },
  apply(edit, plan) {
    plan.pageEdits.push(edit)
    if (offContractPages.includes(edit)) plan.offContract = true
  },
})

const change = effect<RowPatches>({
  name: 'change',
  noun: 'collection',
  help: 'Changes the state before the handler runs or after it; null deletes, $name stands for a value of the call.',
  schema: z.partialRecord(
    z.enum(collectionNames as [string, ...string[]], {
      error: `must be one of ${collectionNames.join(', ')}`,
    }),
    z.record(z.string(), z.unknown(), 'must be rows by their ids'),
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be rows by collection and id' : undefined) },
  ) as unknown as z.ZodType<RowPatches>,
  beside: { at: moment },
  apply(rows, plan, _context, { at }) {
    plan.changes.push({ at: at === 'after' ? 'after' : 'before', rows })
  },
})

type Latency = number | { min: number; max: number } | { median: number; sigma: number }

const latency = effect<Latency>({
  name: 'latency',
  help: 'Waits before the call goes on: fixed, uniform between min and max, or lognormal around a median.',
  schema: z.union(
    [
      milliseconds,
      z
        .strictObject({ min: milliseconds, max: milliseconds })
        .refine(({ min, max }) => min <= max, 'must have a min that is not above max'),
      z.strictObject({
        median: milliseconds,
        sigma: z.number('must be a number from 0 to 5').min(0, 'must be 0 to 5').max(5, 'must be 0 to 5'),
      }),
    ],
    { error: 'must be milliseconds from 0 to 600000, {min, max} or {median, sigma}' },
  ),
  apply(value, plan, { random }) {
    plan.latency += drawLatency(value, random)
  },
})

/** Milliseconds drawn from a distribution; never more than ten minutes. */
export function drawLatency(value: Latency, random: () => number): number {
  if (typeof value === 'number') return value
  if ('min' in value) return Math.round(value.min + (value.max - value.min) * random())
  // Box-Muller turns two uniform numbers into a normal one; 1 - x keeps the logarithm finite.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(600_000, Math.round(value.median * Math.exp(value.sigma * normal)))
}

const transport = effect<TransportFault | { drip: { bytes_per_second: number } }>({
  name: 'transport',
  noun: 'fault',
  help: 'Spoils the connection instead of answering, before or after the writes of the call are committed.',
  schema: z.union(
    [
      z.enum(transportFaults),
      z.strictObject({ drip: z.strictObject({ bytes_per_second: whole(1, 1_000_000) }) }),
    ],
    { error: `must be one of ${transportFaults.join(', ')} or {drip: {bytes_per_second}}` },
  ),
  beside: { at: moment },
  apply(fault, plan, _context, { at }) {
    const kind = typeof fault === 'object' && 'drip' in fault ? fault.drip : fault
    plan.end({ kind: 'transport', fault: kind, at: isMoment(at) ? at : momentOf(kind) })
  },
})

/** A slow answer is one that was made; the others are lost before anything happened, unless they say otherwise. */
function momentOf(fault: TransportFault): Moment {
  return fault === 'reset' || fault === 'hang' || fault === 'empty' ? 'before' : 'after'
}

function isMoment(value: unknown): value is Moment {
  return value === 'before' || value === 'after'
}

const respond = effect<{ status: number; headers?: Record<string, string> | undefined; body?: unknown }>({
  name: 'respond',
  help: 'Ends the call with any answer at all; off contract.',
  schema: z.strictObject({
    status: z.int('must be a status').min(200, 'must be 200 to 599').max(599, 'must be 200 to 599'),
    headers: z
      .record(
        z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header'),
        z.string('must be a text').regex(/^[\x20-\x7e]*$/, 'must be printable ASCII'),
      )
      .optional(),
    body: z.unknown().optional(),
  }),
  offContract: () => true,
  apply({ status, headers, body }, plan) {
    plan.offContract = true
    plan.end({ kind: 'respond', status, headers: headers ?? {}, body })
  },
})

const pointer = z
  .string('must be a JSON Pointer')
  .regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON Pointer, such as /data/0/id')

const place = { path: pointer }
const content = { value: z.unknown().refine((value) => value !== undefined, 'must be given') }

/** Each operation with what RFC 6902 has it need, so that none is left to fail on every call. */
const patchOperation = z.discriminatedUnion(
  'op',
  [
    ...(['add', 'replace', 'test'] as const).map((op) =>
      z.strictObject({ op: z.literal(op), ...place, ...content }),
    ),
    z.strictObject({ op: z.literal('remove'), ...place }),
    ...(['move', 'copy'] as const).map((op) =>
      z.strictObject({ op: z.literal(op), ...place, from: pointer }),
    ),
  ] as unknown as [z.ZodObject<{ op: z.ZodLiteral<string> }>],
  { error: 'must be one of add, remove, replace, move, copy, test' },
)

const rewrite = effect<Rewrite>({
  name: 'rewrite',
  help: 'Rewrites the body of the answer: unknown fields, optional fields as null, new enum values, or a JSON Patch.',
  schema: z.union([z.enum(namedRewrites), z.array(patchOperation)], {
    error: `must be one of ${namedRewrites.join(', ')} or a JSON Patch`,
  }) as unknown as z.ZodType<Rewrite>,
  apply(value, plan) {
    plan.rewrites.push(value)
  },
})

/** Every effect, in the order of the documentation. */
export const effects: readonly Effect[] = [
  notFound,
  error,
  missingScope,
  unsupportedVersion,
  unauthenticated,
  invalid,
  page,
  change,
  latency,
  transport,
  respond,
  rewrite,
]
