// The webhooks of the OpenAPI document: the events of the current description, one for each type. All of it is assumed.
import type { z } from 'zod'
import { eventTypeNames, eventTypes, type EventType } from '../contract/event-types.ts'
import { isJsonObject } from '../contract/formats.ts'
import { fieldsIn } from '../contract/schema-shape.ts'
import { providerName } from '../events/delivery.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import { partsOf, type TemplatePart } from '../events/placeholders.ts'
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
  const bodyOf = (part: TemplatePart): Schema => placeholderSchema(draft, type, name, part)
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
      requestBody: {
        required: true,
        content: { 'application/json': { schema: templateSchema(description.body, bodyOf), examples: {} } },
      },
      responses: {
        [description.success === '2xx' ? '2XX' : String(description.success[0])]: {
          description: 'The event was received.',
        },
      },
    },
  }
}

/** Returns the schema of what a template renders. */
function templateSchema(template: unknown, schemaOfPart: (part: TemplatePart) => Schema): Schema {
  if (typeof template === 'string') {
    const [first = '', ...more] = partsOf(template)
    if (more.length > 0) return { type: 'string' }
    return typeof first === 'string' ? { const: template } : schemaOfPart(first)
  }
  if (Array.isArray(template)) {
    const items = template.map((item: unknown) => templateSchema(item, schemaOfPart))
    return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length }
  }
  if (!isJsonObject(template)) return { const: template }
  const properties = Object.entries(template).map(([field, inner]) => [
    field,
    templateSchema(inner, schemaOfPart),
  ])
  return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(template) }
}

function placeholderSchema(draft: Draft, type: EventType, name: string, part: TemplatePart): Schema {
  if (typeof part === 'string') return { const: part }
  const [first = '', ...path] = part.name.split('.')
  if (first === 'resource') return schemaAt(draft, resourceSchema(type), path)
  if (first === 'previous') {
    return { anyOf: [schemaAt(draft, resourceSchema(type), path), { type: 'null' }] }
  }
  if (part.name === 'event.type') return { const: name }
  if (part.name === 'event.id') return { type: 'string', pattern: eventIdPattern.source }
  return part.format === 'unix' ? { type: 'integer' } : { type: 'string', format: 'date-time' }
}

/** Returns the schema of a resource, or of a field of it; any JSON for a field that it does not declare. */
function schemaAt(draft: Draft, schema: z.ZodType, path: readonly string[]): Schema {
  const [field, ...rest] = path
  if (field === undefined) return schemaOf(draft, schema, 'output')
  const declared = fieldsIn(schema).find(({ name }) => name === field)
  return declared ? schemaAt(draft, declared.schema, rest) : {}
}
