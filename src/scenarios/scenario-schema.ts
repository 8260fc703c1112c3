import { z } from 'zod'
import { endpoints } from '../endpoints/index.ts'
import { effects } from './effects/index.ts'
import { scenarioName } from './scenario.ts'

/**
 * The JSON Schema of scenario files, for editors: what can be written where. Whether a rule can ever fire is checked
 * when a file is read.
 */
export function scenarioSchema(): object {
  const operation = { enum: endpoints.map(({ id }) => id) }
  const patterns = { type: 'object', additionalProperties: { type: ['string', 'number'] } }
  const effect = {
    anyOf: [
      { enum: effects.filter(({ bare }) => bare !== undefined).map(({ name }) => name) },
      ...effects.map(({ name, help, schema, beside }) => ({
        type: 'object',
        description: help,
        properties: {
          [name]: jsonSchema(schema),
          ...Object.fromEntries(Object.entries(beside ?? {}).map(([key, value]) => [key, jsonSchema(value)])),
        },
        required: [name],
        additionalProperties: false,
      })),
    ],
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'scenario.schema.json',
    title: 'Scenario',
    description: 'Rules that provoke failures of the service on demand.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      name: { type: 'string', pattern: scenarioName.source },
      description: { type: 'string' },
      rules: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            on: { anyOf: [operation, { const: '*' }, { type: 'array', minItems: 1, items: operation }] },
            when: {
              type: 'object',
              properties: {
                params: patterns,
                query: patterns,
                headers: patterns,
                body: { type: 'object' },
                key: { type: 'string' },
                product: { type: 'string' },
              },
              additionalProperties: false,
            },
            calls: {
              anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }],
              examples: ['2..', 'every 3'],
            },
            effect: { anyOf: [effect, { type: 'array', minItems: 1, items: effect }] },
            off_contract: { type: 'boolean' },
          },
          required: ['on', 'effect'],
          additionalProperties: false,
        },
      },
    },
    required: ['name', 'description', 'rules'],
    additionalProperties: false,
  }
}

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any' })
  return rest
}
