// The webhooks of the OpenAPI document: only where events are served, and true of the events that are sent.
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventTypeNames } from '../../src/contract/event-types.ts'
import { providerName, sentTypes } from '../../src/events/bodies.ts'
import { presets } from '../../src/events/presets/index.ts'
import { inlined } from '../../src/openapi/components.ts'
import type { OpenApiDocument } from '../../src/openapi/document-types.ts'
import { documentValidator } from '../helpers/conformance.ts'
import { eventWorld, triggerIn } from '../helpers/event-world.ts'
import { startSandbox } from '../helpers/sandbox.ts'

it('there are none where no events are served', async () => {
  const document = (await (await startSandbox()).openapi()) as OpenApiDocument
  expect(document).not.toHaveProperty('webhooks')
  expect(document.info['description']).toContain('Which webhook events exist')
})

// The others have the body of `standard`.
describe.each(['standard', 'thin'])('with the preset %s', (webhooks) => {
  let document: OpenApiDocument
  let validator: ReturnType<typeof documentValidator>
  beforeAll(async () => {
    document = (await (await startSandbox({ webhooks })).openapi()) as OpenApiDocument
    validator = documentValidator(document.components.schemas)
  })

  it('the document is valid, and its webhooks are marked as assumed', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone({ ...document }))
    expect(valid, JSON.stringify(errors)).toBe(true)
    expect(Object.keys(document.webhooks ?? {})).toEqual(eventTypeNames)
    for (const { post } of Object.values(document.webhooks ?? {}))
      expect(post['x-assumption']).toEqual(['webhook_events'])
    expect(document.info['description']).not.toContain('Which webhook events exist')
  })

  it.each(eventTypeNames)('the body of %s is as its schema says', async (type) => {
    const sandbox = await eventWorld({ webhooks })
    const event = triggerIn(sandbox, type)
    const schema = document.webhooks?.[type]?.post.requestBody.content['application/json'].schema ?? false
    const whole = inlined(schema, document.components) as object
    const validate = validator.compile(whole)
    const body: unknown = await sandbox.events.request(event.id).json()
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...(body as object), type: 'another' })).toBe(false)
  })
})

describe('with the preset documented', () => {
  const { documented } = presets
  it.each(sentTypes(documented))('the body of %s is as its schema says', async (type) => {
    const sandbox = await eventWorld({ webhooks: 'documented' })
    const document = (await sandbox.openapi()) as OpenApiDocument
    const name = providerName(documented, type) ?? ''
    const schema = document.webhooks?.[name]?.post.requestBody.content['application/json'].schema ?? false
    const validate = documentValidator(document.components.schemas).compile(
      inlined(schema, document.components) as object,
    )
    const { object, data } = JSON.parse(await sandbox.events.request(triggerIn(sandbox, type).id).text())
    expect(validate({ object, data }), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ object: 'another', data })).toBe(false)
    const { customer_id: _omitted, ...without } = data
    expect(validate({ object, data: without })).toBe(false)
  })

  it('an optional field is not required, and one that may lack a value is nullable', async () => {
    const { webhooks } = (await (await startSandbox({ webhooks: 'documented' })).openapi()) as OpenApiDocument
    expect(Object.keys(webhooks ?? {}).toSorted()).toEqual([
      'ACCOUNT_STATUS',
      'APPLICATION',
      'CUSTOMER_LINK',
      'PAYMENT_METHOD',
      'REWARD',
      'STREAK',
      'TRANSACTION',
    ])
    const schema = webhooks?.['REWARD']?.post.requestBody.content['application/json'].schema
    expect(schema).toMatchObject({
      properties: {
        object: { const: 'REWARD' },
        data: {
          properties: {
            transaction_id: { type: 'string' },
            merchant_key: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
          required: [
            'merchant_key',
            'customer_metadata',
            'reward_id',
            'customer_id',
            'type',
            'amount',
            'status',
            'created_at',
          ],
        },
      },
      required: ['object', 'data'],
    })
  })
})

it('a description of its own has its own names and body', async () => {
  const sandbox = await startSandbox({
    webhooks: {
      ...presets.standard,
      names: { 'reward.updated': 'RewardChanged' },
      body: {
        at: '{event.time:unix}',
        kind: 'reward {event.id}',
        was: '{previous}',
        now: ['{resource.status}', 1],
      },
    },
  })
  const { webhooks } = (await sandbox.openapi()) as OpenApiDocument
  expect(Object.keys(webhooks ?? {})).toEqual(['RewardChanged'])
  expect(webhooks?.['RewardChanged']?.post.requestBody.content['application/json'].schema).toMatchObject({
    properties: {
      at: { type: 'integer' },
      kind: { type: 'string' },
      was: { anyOf: [{ $ref: '#/components/schemas/Reward' }, { type: 'null' }] },
      now: { prefixItems: [{ type: 'string' }, { const: 1 }] },
    },
    required: ['at', 'kind', 'was', 'now'],
  })
})
