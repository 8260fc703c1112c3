// The webhooks of the OpenAPI document: only where events are served, and true of the events that are sent.
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventTypeNames, eventTypes, type EventType } from '../../src/contract/event-types.ts'
import { presets } from '../../src/events/presets/index.ts'
import { inlined } from '../../src/openapi/components.ts'
import type { OpenApiDocument } from '../../src/openapi/document-types.ts'
import { documentValidator } from '../helpers/conformance.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** A row of each collection that an event can be about. */
const rows: Record<(typeof eventTypes)[EventType]['collection'], string> = {
  transaction_intents: 'int_ada_1',
  rewards: 'rwd_ada_pending',
  customers: 'cus_ada',
  order_events: 'ord_ada_1',
  statements: 'stm_ada_27',
  transactions: 'txn',
}

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
    const sandbox = await startSandbox({ webhooks })
    const { transaction } = sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    const id = { ...rows, transactions: transaction.id }[eventTypes[type].collection]
    const event = sandbox.events.trigger(type, { id })
    const schema = document.webhooks?.[type]?.post.requestBody.content['application/json'].schema ?? false
    const whole = inlined(schema, document.components) as object
    const validate = validator.compile(whole)
    const body: unknown = await sandbox.events.request(event.id).json()
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...(body as object), type: 'another' })).toBe(false)
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
