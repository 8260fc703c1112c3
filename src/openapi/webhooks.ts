// The webhooks of the OpenAPI document: the events of the current description, one for each type. All of it is assumed.
import type { z } from 'zod'
import { eventTypeNames, eventTypes, type EventType } from '../contract/event-types.ts'
import { isJsonObject } from '../contract/formats.ts'
import { fieldsIn } from '../contract/schema-shape.ts'
import { bodyOf, providerName } from '../events/bodies.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import { partsOf, soleOf, type Placeholder } from '../events/placeholders.ts'
import { relatedSchema } from '../events/related.ts'
import { resourceNameOf } from '../events/resource-names.ts'
import { resourceSchema } from '../events/resource-of.ts'
import { eventIdPattern } from '../store/sequences.ts'
import { marks } from './marks.ts'
import { schemaOf, type Draft } from './schemas.ts'
import type { Schema, Webhook } from './document-types.ts'

/** Returns the webhooks by the names of their types at the provider. */
export function webhooksIn(draft: Draft, description: WebhookDescription): Record<string, Webhook> {
  const found: Record<string, Webhook> = {}
  for (const type of eventTypeNames) {
    const name = providerName(description, type)
    // Two types may have one name: the first of them is shown.
    if (name !== undefined) found[name] ??= webhookOf(draft, type, name, description)
  }
  return found
}

function webhookOf(draft: Draft, type: EventType, name: string, description: WebhookDescription): Webhook {
  const { about } = eventTypes[type]
  const schemaOfPart = (part: Placeholder): Schema => placeholderSchema(draft, type, name, part)
  const schema = templateSchema(bodyOf(description, type), schemaOfPart)
  const accepted = description.success === '2xx' ? '2XX' : String(description.success[0])
  return {
    post: {
      summary: name,
      description: `Sent after ${about}. The contract shows no events: this is how the description of the sandbox has them.`,
      ...marks(['webhook_events']),
      parameters: Object.keys(description.headers ?? {}).map((header) => ({
        name: header,
        in: 'header' as const,
        required: true,
        description: 'As the description of the events has it.',
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: { 'application/json': { schema, examples: {} } } },
      responses: { [accepted]: { description: 'The event was received.' } },
    },
  }
}

/** Returns the schema of what a template renders. */
function templateSchema(template: unknown, schemaOfPart: (part: Placeholder) => Schema): Schema {
  const sole = soleOf(template)
  if (sole) return schemaOfPart(sole)
  if (typeof template === 'string')
    return partsOf(template).length > 1 ? { type: 'string' } : { const: template }
  if (Array.isArray(template)) {
    const items = template.map((item: unknown) => templateSchema(item, schemaOfPart))
    return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length }
  }
  if (!isJsonObject(template)) return { const: template }
  const fields = Object.entries(template)
  const properties = fields.map(([field, inner]) => [field, templateSchema(inner, schemaOfPart)])
  const required = fields.filter(([, inner]) => !soleOf(inner)?.isOptional).map(([field]) => field)
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function placeholderSchema(draft: Draft, type: EventType, name: string, part: Placeholder): Schema {
  const [first = '', ...path] = part.name.split('.')
  if (part.name === 'event.type') return { const: name }
  if (part.name === 'event.id') return { type: 'string', pattern: eventIdPattern.source }
  if (part.name === 'event.time')
    return part.format === undefined ? { type: 'string', format: 'date-time' } : { type: 'integer' }
  const isOwn = first === 'resource' || first === resourceNameOf(type)
  const source = isOwn || first === 'previous' ? resourceSchema(type) : relatedSchema(first)
  // An event about another resource has no value.
  if (!source) return part.isOptional ? {} : { type: 'null' }
  const { schema, mayLack } = schemaAt(draft, source, path)
  const isSure = isOwn || first === 'customer_metadata' ? !mayLack : false
  return isSure || part.isOptional ? schema : { anyOf: [schema, { type: 'null' }] }
}

/** Returns the schema of a resource, or of a field of it, which it may lack; any JSON for an undeclared field. */
function schemaAt(
  draft: Draft,
  schema: z.ZodType,
  path: readonly string[],
  mayLack = false,
): { schema: Schema; mayLack: boolean } {
  const [field, ...rest] = path
  if (field === undefined) return { schema: schemaOf(draft, schema, 'output'), mayLack }
  const declared = fieldsIn(schema).find(({ name }) => name === field)
  if (!declared) return { schema: {}, mayLack: false }
  return schemaAt(draft, declared.schema, rest, mayLack || declared.isOptional)
}
