// The target of a probe run: its schema, and how target.yaml or an object becomes a service for requests.
import { extname } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '../http/cors.ts'
import { docs, documented } from '../contract/docs.ts'
import { id, isJsonObject } from '../contract/formats.ts'
import { scopeNames, type Scope } from '../contract/scopes.ts'
import type { Path } from '../json/json-text.ts'
import { ProblemList } from '../input/problem-list.ts'
import { describeSchemaIssues, readBySchema } from '../input/schema-issues.ts'
import {
  withoutPassedOver,
  mebibyte,
  readBytes,
  sourceFromObject,
  whyUnreadable,
  type Source,
} from '../input/source-file.ts'
import { refusal } from '../input/problems.ts'
import { textOf } from '../input/utf8.ts'
import type { GivenTarget } from './target-type.ts'
import { withoutKeyNames } from './target-problems.ts'
import { sourceWithVariables, variable, variables } from './variables.ts'

/** Environment variables, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

const keyFor = (description: string) =>
  documented(
    z.string().regex(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 printable characters without spaces'),
    { description: `${description} As \`\${VARIABLE}\`; written out for loopback targets only.` },
  )
const idsOf = (description: string) =>
  documented(z.array(id).max(1_000, 'must have at most 1000 items').default([]), { description })
const aboveZero = (rule: string) => z.number(rule).positive(rule)

const withoutScope = Object.fromEntries(
  scopeNames.map((scope) => [scope, keyFor(`A key that lacks ${scope}.`).optional()]),
) as Record<Scope, z.ZodOptional<ReturnType<typeof keyFor>>>

/** The fields of a target; a library target with a custom `fetch` needs fewer. */
const targetSchema = z.strictObject(
  {
    url: documented(
      z
        .string()
        .refine(
          isServiceUrl,
          'must be an http or https URL without credentials, query and fragment, and without the /v2 of the paths',
        ),
      {
        description: 'The base address of the service, to which paths such as /v2/customers are added.',
        examples: ['https://sandbox.example.com'],
      },
    ),
    confirm_host: documented(z.string().optional(), {
      description: 'The host name of the URL again, without port: nothing is sent if they differ.',
    }),
    keys: z.strictObject({
      full: keyFor('A key with every scope, of one product.'),
      without: documented(z.strictObject(withoutScope).default({}), {
        description: 'Keys that lack one scope, by its name.',
      }),
      multi: keyFor('A key of several products.').optional(),
    }),
    merchant_keys: idsOf('Merchant keys of the products of `keys.multi`.'),
    ids: documented(
      z
        .strictObject({
          customer: id.optional(),
          partner_customer_id: id.optional(),
          account: id.optional(),
          payment_method: id.optional(),
          intent: id.optional(),
          reward: id.optional(),
          deducted_reward: id.optional(),
        })
        .default({}),
      { description: 'Rows that exist at the target and may be read.' },
    ),
    expendable: documented(
      z
        .strictObject({
          pending_rewards: idsOf('Pending rewards, to be updated.'),
          order_events: idsOf('Order events, to be deleted.'),
          customers: idsOf('Customers without a partner identifier, to be linked.'),
        })
        .default({ pending_rewards: [], order_events: [], customers: [] }),
      { description: 'Rows that `--allow irreversible` may use up.' },
    ),
    budget: documented(
      z
        .strictObject({
          requests: z
            .int('must be an integer from 1 to 100000')
            .min(1, 'must be an integer from 1 to 100000')
            .max(100_000, 'must be an integer from 1 to 100000')
            .default(500),
          per_second: aboveZero('must be a number above 0').default(5),
          timeout_seconds: aboveZero('must be a number above 0').max(600, 'must be at most 600').default(10),
        })
        .default({ requests: 500, per_second: 5, timeout_seconds: 10 }),
      { description: 'The maximum number of requests, their rate, and the timeout of an answer.' },
    ),
  },
  'must be an object with url, confirm_host and keys',
)

/** The fields that `GivenTarget` must have. */
export type WrittenTarget = z.input<typeof targetSchema>

/** A validated service with its keys. */
export interface Target extends Omit<z.output<typeof targetSchema>, 'confirm_host'> {
  /** The host name for reports. */
  readonly host: string
  /** The file or object, for problems with its fields. */
  readonly source: Source
  readonly fetch?: GivenTarget['fetch']
}

/** The address of a library target with a custom `fetch`. */
const nowhere = 'http://sandbox.invalid'

/** Maximum size of a target file. */
const maxBytes = 2 * mebibyte

/**
 * Reads `target.yaml`, or JSON by its extension. Nothing is sent.
 *
 * @param name the name of the file in messages.
 * @throws {DocumentError} with every problem at its line and column: schema violations, a variable that is not set, a
 * `confirm_host` that differs, a literal key for a target that is not loopback.
 */
export async function readTarget(
  path: string,
  environment: Environment,
  name: string = path,
): Promise<Target> {
  const bytes = await readBytes(path, maxBytes).catch((error: unknown) => {
    throw refusal(name, whyUnreadable(error))
  })
  return targetFrom(
    await sourceWithVariables(textOf(bytes, name), name, extname(path).toLowerCase()),
    environment,
  )
}

/**
 * Validates a target of the library. With a custom `fetch` it needs no `confirm_host`, may have literal keys, and its
 * `url` is optional.
 *
 * @throws {DocumentError} like `readTarget`, without lines.
 * @example targetOf({ fetch: sandbox.fetch, keys: { full: 'sk_sandbox_full' } }, {})
 */
export function targetOf({ fetch, ...input }: GivenTarget, environment: Environment): Target {
  const written = fetch && input.url === undefined ? { url: nowhere, ...input } : input
  const target = targetFrom(sourceFromObject(written, 'target'), environment, fetch !== undefined)
  return fetch ? { ...target, fetch } : target
}

function targetFrom(source: Source, environment: Environment, ownFetch = false): Target {
  const problems = new ProblemList({ byLine: true })
  const report = (path: Path, message: string, at?: 'key' | 'value') =>
    problems.add({ source, path, message, at })
  const filled = fill(withoutPassedOver(source.value), environment, [], report)
  const { data, issues } = readBySchema(targetSchema, filled)
  // A value whose variable is not set was already reported.
  const reported = problems.size > 0
  for (const { path, message, at } of describeSchemaIssues(issues ?? [], targetSchema)) {
    if (!reported || !names(source.value, path)) report(path, message, at)
  }
  const url = isJsonObject(filled) ? filled['url'] : undefined
  if (!ownFetch && typeof url === 'string' && isServiceUrl(url)) {
    const { hostname } = new URL(url)
    const confirmed = isJsonObject(filled) ? filled['confirm_host'] : undefined
    if (confirmed === undefined)
      report(['confirm_host'], `is required: write ${bare(hostname)}, the host of url once more`)
    else if (typeof confirmed === 'string' && bare(confirmed.toLowerCase()) !== bare(hostname)) {
      report(['confirm_host'], `must be the host of url, ${bare(hostname)}, without port; nothing is sent`)
    }
    if (!isLoopback(hostname))
      for (const path of keysWrittenOut(source.value)) {
        report(
          path,
          'is a literal value, which only loopback targets may have: write ${VARIABLE} and set it in the environment',
        )
      }
  }
  if (problems.size > 0 || !data) throw withoutKeyNames(problems.error())
  const { confirm_host: _confirmed, ...rest } = data
  return { ...rest, source, url: data.url.replace(/\/+$/, ''), host: bare(new URL(data.url).hostname) }
}

type Report = (path: Path, message: string) => void

/** Returns the document with its variables replaced; those that are not set are reported. */
function fill(value: unknown, environment: Environment, path: Path, report: Report): unknown {
  if (typeof value === 'string') {
    return value.replace(variables, (_, name: string) => {
      const set = environment[name]
      if (set === undefined || set === '') report(path, `environment variable ${name} is not set`)
      return set ?? ''
    })
  }
  if (Array.isArray(value))
    return value.map((item, place) => fill(item, environment, [...path, place], report))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fill(inner, environment, [...path, name], report)]),
  )
}

/** Whether a value of the document is a text with a variable in it. */
function names(document: unknown, path: Path): boolean {
  const value = valueAt(document, path)
  return typeof value === 'string' && value.search(variables) !== -1
}

function valueAt(document: unknown, path: Path): unknown {
  let value = document
  for (const part of path) {
    if (Array.isArray(value) && typeof part === 'number') value = value[part]
    else if (isJsonObject(value) && Object.hasOwn(value, part)) value = value[part]
    else return undefined
  }
  return value
}

function* keysWrittenOut(document: unknown, path: Path = ['keys']): Generator<Path> {
  const value = valueAt(document, path)
  if (typeof value === 'string') {
    if (!variable.test(value)) yield path
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) yield* keysWrittenOut(document, [...path, name])
  }
}

/** An address of a service: never the control plane of a sandbox. */
function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash, pathname } = new URL(text)
  return (
    /^https?:$/.test(protocol) &&
    username + password + search + hash === '' &&
    !/\/v2\/?$/.test(pathname) &&
    !isControlPath(pathname)
  )
}

/** Whether a path belongs to a sandbox's control plane, in any spelling. */
export function isControlPath(pathname: string): boolean {
  const decoded = pathname.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return decoded.split(/[\\/]/).some((segment) => segment.toLowerCase() === '_sandbox')
}

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * A field that a probe needs; with an index, a list that is longer than it. @example 'expendable.pending_rewards[1]'
 */
export type Need =
  | 'keys.multi'
  | `keys.without.${Scope}`
  | `merchant_keys[${number}]`
  | `ids.${keyof Target['ids']}`
  | `expendable.${Expendable}[${number}]`

/** A kind of expendable rows. */
export type Expendable = keyof Target['expendable']

/** Returns the value of a target for a need; undefined if it has none. */
export function found(target: Target, name: Need): string | undefined {
  const value = valueAt(
    target,
    name
      .split(/[.[\]]/)
      .filter(Boolean)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  )
  return typeof value === 'string' ? value : undefined
}

/** Like `found`, for a probe that has declared the need. @throws {Error} if the target lacks it all the same. */
export function need(target: Target, name: Need): string {
  const value = found(target, name)
  if (value === undefined)
    throw new Error(`a probe uses ${name} of the target without declaring that it needs it`)
  return value
}

/** The JSON Schema of target files. */
export function targetJsonSchema(): object {
  const { $schema, ...written } = z.toJSONSchema(targetSchema, {
    metadata: docs,
    io: 'input',
    unrepresentable: 'any',
  })
  return {
    $schema,
    $id: 'target.schema.json',
    title: 'Target',
    description: 'A service that conform and calibrate may send requests to.',
    ...written,
    // Only a library target with a custom `fetch` may omit it.
    required: ['url', 'confirm_host', 'keys'],
    patternProperties: { '^x-': { description: 'Ignored; use it for YAML anchors.' } },
  }
}
