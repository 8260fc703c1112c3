// The schema of scenario files: it validates them, derives their types, and is published as JSON Schema for editors.
import { z } from 'zod'
import { docs, documented } from '../contract/docs.ts'
import { eventTypeNames, isEventType, type EventType } from '../contract/event-types.ts'
import { isJsonObject } from '../contract/formats.ts'
import { allEndpoints } from '../endpoints/index.ts'
import { callsRule, readCalls } from './calls.ts'
import { effects } from './effects/index.ts'
import { refuseCode } from './refuse-code.ts'
import { unknownName } from './report.ts'

// Every message of this schema is written here: none comes from zod.

/** The pattern of scenario names. */
export const scenarioName = /^[a-z0-9][a-z0-9-]{0,63}$/

function several<S extends z.ZodType>(item: S, rule: string) {
  return documented(z.array(item, rule).min(1, rule), {})
}

const operationIds = allEndpoints.map(({ id }) => id)
const noOperation = (name: unknown): string =>
  typeof name === 'string' && isEventType(name)
    ? `'${name}' is an event type, and the effect is for calls: expected an operation id, or an effect such as {event: duplicate}`
    : unknownName('operation', name, operationIds)
const noTarget = 'must be an operation id, a list of them, or "*"'
const noEventType = (name: unknown): string =>
  operationIds.some((id) => id === name)
    ? `'${String(name)}' is an operation, and the effect is for events: ${expectedTypes}`
    : unknownName('event type', name, eventTypeNames)
const expectedTypes = `expected "*" or one of: ${eventTypeNames.join(', ')}`
const noEventTarget = 'must be an event type, a list of them, or "*"'

const operation = documented(
  z.custom<string>((name) => operationIds.some((id) => id === name), {
    error: ({ input }) => noOperation(input),
  }),
  { enum: operationIds },
)

const eventType = documented(
  z.custom<EventType>((name) => typeof name === 'string' && isEventType(name), {
    error: ({ input }) => noEventType(input),
  }),
  { enum: eventTypeNames },
)

const anyTarget = documented(
  z.custom<'*'>((written) => written === '*'),
  { const: '*' },
)

/** An exact value, or a glob; a number is the text of it. */
const pattern = z
  .union([z.string(), z.number()], 'must be a text: an exact value, or a glob with * and ?')
  .superRefine(noCode)
  // Others are texts like 1.50 or 12345678901234567890, whose digits are lost.
  .refine(
    (value) => typeof value === 'string' || Number.isSafeInteger(value),
    'must be in quotes: it is compared as text',
  )
  .transform(String)
/** A record schema would drop a name such as `__proto__`, and the rule would match calls that it is not for. */
const patterns = documented(
  z
    .custom<Record<string, unknown>>(isJsonObject, 'must be an object of names and values')
    .transform((written, context) => {
      const read = Object.entries(written).map(([key, value]) => {
        const { data = '', error } = pattern.safeParse(value)
        for (const { message } of error?.issues ?? [])
          context.addIssue({ code: 'custom', path: [key], message })
        return [key, data] as const
      })
      return Object.fromEntries(read)
    }),
  { type: 'object', additionalProperties: { type: ['string', 'number'] } },
)
const name = documented(pattern, { type: 'string' })

function noCode(value: unknown, context: z.RefinementCtx): void {
  refuseCode(value, (path, message) => context.addIssue({ code: 'custom', path: [...path], message }))
}

const conditions = {
  params: patterns.optional(),
  query: patterns.optional(),
  headers: patterns.optional(),
  /** A subset of the body: every field in it must exist and match. */
  body: documented(
    z
      .unknown()
      .superRefine(noCode)
      .refine(isJsonObject, 'must be an object: the part of the body that must match'),
    { type: 'object' },
  ).optional(),
  /** An API key or a key id. */
  key: name.optional(),
  product: name.optional(),
}

/** The conditions of a rule; an omitted condition matches every call. */
export const conditionSchema = z.strictObject(
  conditions,
  `must be an object with some of ${Object.keys(conditions).join(', ')}`,
)
export type When = z.output<typeof conditionSchema>

const calls = documented(
  z.unknown().transform((written, context) => {
    const read =
      typeof written === 'string' || typeof written === 'number' ? readCalls(String(written)) : undefined
    if (!read) context.addIssue({ code: 'custom', message: callsRule })
    return read ?? z.NEVER
  }),
  { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }], examples: ['2..', 'every 3', '10%'] },
)

const bareNames = effects.filter(({ bare }) => bare !== undefined).map((effect) => effect.name)

/** The schema that each effect declares. */
const effect = z.union([
  documented(
    z.custom<string>((written) => bareNames.some((bareName) => bareName === written)),
    { enum: bareNames },
  ),
  ...effects.map(({ name: effectName, help, schema, extra = {} }) => {
    const optional = Object.entries(extra).map(([key, value]) => [key, value.optional()] as const)
    return documented(z.strictObject({ [effectName]: schema, ...Object.fromEntries(optional) }), {
      description: help,
    })
  }),
])

const someEffect = `must be an effect, or a list of them: ${effects.map((one) => one.name).join(', ')}`

/** `on` of a rule for calls. */
export const operationTargets = z.union([operation, anyTarget, several(operation, noTarget)], {
  error: ({ input }) => (input === undefined ? noTarget : noOperation(input)),
})

/** `on` of a rule for events. */
export const eventTargets = z.union([eventType, anyTarget, several(eventType, noEventTarget)], {
  error: ({ input }) => noEventType(input),
})

export const ruleSchema = z.strictObject(
  {
    // The effects decide which of them a rule has.
    on: z.union(
      [operation, eventType, anyTarget, several(operation, noTarget), several(eventType, noEventTarget)],
      noTarget,
    ),
    when: conditionSchema.optional(),
    calls: calls.optional(),
    effect: z.union([effect, several(effect, someEffect)], someEffect),
    off_contract: z.boolean('must be true or false').optional(),
  },
  'must be an object with on and effect',
)

export const fileSchema = z.strictObject(
  {
    $schema: documented(z.unknown(), { type: 'string' }).optional(),
    name: documented(
      z.custom<string>(
        (written) => typeof written === 'string' && scenarioName.test(written),
        'must be 1 to 64 of a-z, 0-9 and -, such as reward-vanishes',
      ),
      { type: 'string', pattern: scenarioName.source },
    ),
    description: documented(
      z.custom<string>(
        (written) => typeof written === 'string' && written.trim() !== '',
        'must describe the scenario in one line',
      ),
      { type: 'string' },
    ),
    rules: several(ruleSchema, 'must be a list with at least one rule'),
  },
  'must be an object with name, description and rules',
)

/** The members of a part come after its description, as people write it. */
const holding = ['minItems', 'properties', 'items', 'required', 'additionalProperties'] as const

/** Returns the JSON Schema of scenario files. Whether a rule can ever fire is checked when a file is read. */
export function scenarioSchema(): object {
  const { $schema, ...file } = z.toJSONSchema(fileSchema, {
    metadata: docs,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (!docs.has(zodSchema)) return
      delete jsonSchema.propertyNames
      for (const keyword of holding) {
        const { [keyword]: value } = jsonSchema
        if (value === undefined) continue
        delete jsonSchema[keyword]
        Object.assign(jsonSchema, { [keyword]: value })
      }
    },
  })
  return {
    $schema,
    $id: 'scenario.schema.json',
    title: 'Scenario',
    description: 'Rules that provoke failures of the service on demand.',
    ...file,
    patternProperties: { '^x-': { description: 'Ignored; use it for YAML anchors.' } },
  }
}
