// The schema of a description of webhook events: names, body, headers, signing, retries. It validates files and objects,
// and is published as JSON Schema for editors.
import { z } from 'zod'
import { docs, documented } from '../contract/docs.ts'
import { isJsonObject } from '../contract/formats.ts'
import { readBySchema } from '../input/schema-issues.ts'
import { durationMs, durationPattern } from '../runtime/duration.ts'
import { eventKinds, eventTypeNames, eventTypes, isEventType } from '../contract/event-types.ts'
import { bodyFor, sentTypes } from './bodies.ts'
import type { WebhookDescription } from './description-type.ts'
import { problemOf, textsIn, usesPlaceholder, type TemplateUse } from './placeholders.ts'
import { relatedOf, resourceNameOf } from './resource-names.ts'

const duration = z
  .string('must be a duration')
  .regex(durationPattern, 'must be a duration, such as 5s, 30m or 24h')

/** Longest timeout of an attempt: a handler that hangs must not hold a drain for longer. */
const timeout = duration.refine(
  (text) => (durationMs(text) ?? 0) <= 120_000,
  'must be 1s to 120s, such as 15s',
)

/** A text that a header can carry. */
const printable = /^[\x20-\x7e]*$/
const headerText = z.string('must be a text').regex(printable, 'must be printable ASCII characters')

function template(use: TemplateUse) {
  const text = use === 'headers' ? headerText : z.string('must be a text')
  return text.superRefine((written, context) => {
    const message = problemOf(written, use)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}

const status = z.int('must be a status').min(100, 'must be 100 to 599').max(599, 'must be 100 to 599')

/**
 * An object of names and texts. A record schema would drop the name `__proto__` without a word.
 * @param problemOfName returns why a name is refused; undefined if it is not.
 */
function texts<T extends object>(
  value: z.ZodType<string>,
  rule: string,
  problemOfName: (name: string) => string | undefined,
) {
  return documented(
    z.custom<T>(isJsonObject, rule).superRefine((written, context) => {
      for (const [name, text] of Object.entries(written)) {
        const message = problemOfName(name)
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
        // The check of the whole description expects texts.
        addIssues(value, text, [name], context, typeof text === 'string')
      }
    }),
    { type: 'object', additionalProperties: { type: 'string', pattern: printable.source } },
  )
}

/** Adds the issues of a part. @param canContinue whether checks of the whole run nevertheless. */
function addIssues(
  schema: z.ZodType,
  part: unknown,
  path: readonly string[],
  context: z.RefinementCtx,
  canContinue: boolean,
): void {
  for (const issue of readBySchema(schema, part).issues ?? [])
    context.addIssue({ ...issue, path: [...path, ...issue.path], continue: canContinue })
}

const names = z.union(
  [
    z.literal('resource.action'),
    z.literal('RESOURCE_ACTION'),
    texts<Exclude<WebhookDescription['names'], string>>(
      headerText.min(1, 'must not be empty'),
      'must be an object',
      (name) => (isEventType(name) ? undefined : `must be one of ${eventTypeNames.join(', ')}`),
    ).refine(
      (map) => Object.keys(map).length > 0,
      'must name an event type, such as {"reward.updated": "REWARD"}',
    ),
  ],
  'must be resource.action, RESOURCE_ACTION, or an object of our names and the names of the provider',
)

/** The header names that the sandbox or HTTP itself sets. */
const reserved = ['content-type', 'content-length', 'host', 'connection', 'transfer-encoding']

const headers = texts<NonNullable<WebhookDescription['headers']>>(
  template('headers'),
  'must be an object of header names and templates',
  (name) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'must be the name of a header, such as webhook-id'
    return reserved.includes(name.toLowerCase()) ? 'must be omitted: the sandbox sets it' : undefined
  },
)

/**
 * How the secret of an endpoint becomes a key: the bytes after `whsec_`, its text, its bytes, or the SHA-256 of its text,
 * as bytes or as hex text.
 */
export const keyForms = ['whsec', 'text', 'hex', 'base64', 'sha256', 'sha256_hex'] as const
export type KeyForm = (typeof keyForms)[number]

const algorithms = ['hmac-sha256', 'hmac-sha1', 'hmac-sha512'] as const

const omitted = z.never('must be omitted, as signing.algorithm is none').optional()
const unsigned = z.strictObject({
  algorithm: z.literal('none'),
  key: omitted,
  signed: omitted,
  join: omitted,
})
const signed = z.strictObject({
  algorithm: z.enum(algorithms),
  key: z.enum(keyForms, `must be one of ${keyForms.join(', ')}`),
  signed: template('signed').refine(
    (text) => usesPlaceholder(text, 'body'),
    'must contain {body}: a signature that does not cover the body protects nothing',
  ),
  join: headerText.optional(),
})

function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _dialect, ...part } = z.toJSONSchema(schema, { io: 'input' })
  return part
}

/** For the words about a wrong algorithm. */
const undecided = signed.extend({ algorithm: z.enum([...algorithms, 'none']) })

/** A union by `algorithm` would hide the problems of the other fields while the algorithm is wrong. */
const signing = documented(
  z
    .custom<WebhookDescription['signing']>(isJsonObject, 'must be an object with algorithm, key and signed')
    .superRefine((written, context) =>
      addIssues(written.algorithm === 'none' ? unsigned : undecided, written, [], context, true),
    ),
  { oneOf: [jsonSchemaOf(unsigned), jsonSchemaOf(signed)] },
)

const bodyShape = { type: 'object', additionalProperties: true }

/** A template of any JSON; its texts are templates. @param resources those that a body of its kind can name. */
const bodyWith = (resources?: ReadonlySet<string>) =>
  documented(
    z
      .custom<object>(isJsonObject, 'must be an object of fields and templates')
      .superRefine((value, context) => {
        for (const { path, text, isField } of textsIn(value)) {
          const message = problemOf(text, 'body', isField, resources)
          if (message !== undefined) context.addIssue({ code: 'custom', path: [...path], message })
        }
      }),
    bodyShape,
  )

/** Bodies by type or kind, each with the resources of that kind. */
const bodies = documented(
  z
    .custom<NonNullable<WebhookDescription['bodies']>>(isJsonObject, 'must be an object of bodies')
    .superRefine((written, context) => {
      for (const [name, body] of Object.entries(written)) {
        const schema = bodySchemas.get(name)
        if (schema) addIssues(schema, body, [name], context, isJsonObject(body))
        else context.addIssue({ code: 'custom', path: [name], message: mustBeKey })
      }
    }),
  {
    type: 'object',
    properties: Object.fromEntries([...eventTypeNames, ...eventKinds].map((name) => [name, bodyShape])),
    additionalProperties: false,
  },
)

const mustBeKey = `must be a type or a kind: ${[...eventTypeNames, ...eventKinds].join(', ')}`

/** The schema of a body by the name of its type or kind. */
const bodySchemas: ReadonlyMap<string, z.ZodType> = new Map(
  eventTypeNames.flatMap((type) => {
    const { kind } = eventTypes[type]
    const own = resourceNameOf(type)
    const schema = bodyWith(new Set([...(own === undefined ? [] : [own]), ...relatedOf[kind]]))
    return [[type, schema] as const, [kind, schema] as const]
  }),
)

/** The schema of a description. */
export const descriptionSchema = z
  .strictObject({
    names,
    body: bodyWith().optional(),
    bodies: bodies.optional(),
    sort_keys: z.boolean('must be true or false').optional(),
    headers: headers.optional(),
    signing,
    retries: z.union(
      [
        z.literal('none'),
        z.array(duration).min(1, 'must have an item, or be none').max(100, 'must have at most 100 items'),
      ],
      'must be a list of durations, or none',
    ),
    success: z.union(
      [z.literal('2xx'), z.array(status).min(1, 'must have a status')],
      'must be 2xx, or a list of statuses',
    ),
    disable_on: z.array(status, 'must be a list of statuses').optional(),
    give_up_on: z.array(status, 'must be a list of statuses').optional(),
    timeout,
  })
  .superRefine((whole, context) => {
    const { headers: sent = {}, signing: how } = whole
    const without = sentTypes(whole).filter((type) => !bodyFor(whole, type))
    if (without.length > 0) {
      const message = `must have a body for ${without.join(', ')}, or add body for all types`
      context.addIssue({ code: 'custom', path: [whole.bodies ? 'bodies' : 'body'], message })
    }
    const signs = Object.entries(sent).find(([, text]) => usesPlaceholder(text, 'signature'))
    if (how.algorithm === 'none' && signs) {
      const message = 'must not contain {signature}, as signing.algorithm is none'
      context.addIssue({ code: 'custom', path: ['headers', signs[0]], message })
    }
    if (algorithms.some((each) => each === how.algorithm) && !signs) {
      const message = 'must be none, or a header must contain {signature:hex} or {signature:base64}'
      context.addIssue({ code: 'custom', path: ['signing', 'algorithm'], message })
    }
  })

/** Returns the JSON Schema of descriptions, for editors. */
export function webhooksSchema(): object {
  const { $schema, ...file } = z.toJSONSchema(descriptionSchema, {
    metadata: docs,
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      delete jsonSchema.propertyNames
    },
  })
  return {
    $schema,
    $id: 'webhooks.schema.json',
    title: 'Webhooks',
    description: 'How the webhook events of a provider look, and how they are signed and delivered.',
    ...file,
    properties: { $schema: { type: 'string' }, ...file.properties },
    patternProperties: { '^x-': { description: 'Ignored; use it for YAML anchors.' } },
  }
}
