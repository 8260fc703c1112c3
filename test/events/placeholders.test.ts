// Every placeholder with its value in a body, a header and a signed text; bodies by type and kind; sorted keys; keys.
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { writeDelivery, type EventContent } from '../../src/events/delivery.ts'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import { presets } from '../../src/events/presets/index.ts'
import { keyOf, problemOfSecret, signatureOf } from '../../src/events/signature.ts'
import type { EventType } from '../../src/contract/event-types.ts'
import { eventWorld, triggerIn } from '../helpers/event-world.ts'

const content: EventContent = {
  id: 'evt_7',
  type: 'reward.updated',
  time: '2026-11-21T12:00:00.750Z',
  resource: { id: 'rwd_1', status: 'AVAILABLE' },
  previous: { id: 'rwd_1', status: 'PENDING' },
}
const attempt = { time: Date.parse('2026-11-21T12:00:05.123Z'), secrets: ['secret-text'] }
const base: WebhookDescription = {
  ...presets.body_hmac,
  headers: { 'x-signature': '{signature:hex}' },
}
const hmac = (signed: string, key: string | Buffer = 'secret-text'): string =>
  createHmac('sha256', key).update(signed).digest('hex')

describe('a placeholder of every use', () => {
  it.each([
    ['{event.id}', 'evt_7', true],
    ['{event.type}', 'reward.updated', true],
    ['{event.time}', '2026-11-21T12:00:00.750Z', true],
    ['{event.time:unix}', 1795262400, true],
    ['{event.time:unix_ms}', 1795262400750, true],
    ['{attempt.time}', '2026-11-21T12:00:05.123Z', false],
    ['{attempt.time:unix}', 1795262405, false],
    ['{attempt.time:unix_ms}', 1795262405123, false],
  ])('%s', (template, value, inBody) => {
    const signing = { ...presets.body_hmac.signing, signed: `${template}.{body}` }
    const { headers, body } = writeDelivery(
      {
        ...base,
        signing,
        body: inBody ? { value: template } : {},
        headers: { ...base.headers, 'x-value': template },
      },
      content,
      attempt,
    )
    expect(headers['x-value']).toBe(String(value))
    expect(JSON.parse(body)).toEqual(inBody ? { value } : {})
    expect(headers['x-signature']).toBe(hmac(`${value}.${body}`))
  })
})

/** Returns what a template renders in the body of an event of a row. */
async function rendered(type: EventType, template: unknown, data: object = {}): Promise<unknown> {
  const world = await eventWorld({ webhooks: { ...presets.standard, body: { value: template } } })
  const { id } = triggerIn(world, type, data)
  return JSON.parse(await world.events.request(id).text()).value
}

describe('a placeholder of the body', () => {
  it.each([
    ['reward.created', '{resource.id}', 'rwd_buy'],
    ['reward.created', '{reward.id}', 'rwd_buy'],
    ['reward.updated', '{reward}', expect.objectContaining({ id: 'rwd_ada_pending' })],
    ['reward.updated', '{previous.status}', 'PENDING'],
    ['reward.created', '{transaction.id}', 'txn_buy'],
    ['reward.created', '{transaction.merchant.name}', 'Skyline Air'],
    ['reward.created', '{transaction_intent.id}', 'int_ada_1'],
    ['reward.created', '{payment_method.id}', 'pm_ada_card'],
    ['reward.created', '{card.last4}', '4242'],
    ['reward.created', '{account.currency}', 'USD'],
    ['reward.created', '{customer.first_name}', 'Ada'],
    ['reward.created', '{merchant_key}', 'mk_summit'],
    ['reward.created', '{customer_metadata}', { segment: 'gold' }],
    ['reward.created', '{customer_metadata.segment}', 'gold'],
    ['reward.created', '{statement.id}', null],
    ['transaction.captured', '{transaction.event_id}', 'txe_buy_captured'],
    ['transaction.captured', '{transaction_intent.amount}', expect.any(Number)],
    ['transaction.captured', 'of {customer.first_name} by {card.last4}', 'of Ada by 4242'],
    ['transaction_intent.updated', '{transaction.id}', 'txn_buy'],
    ['transaction_intent.updated', '{transaction_intent.id}', 'int_ada_1'],
    ['payment_method.updated', '{card.card_type}', 'PHYSICAL'],
    ['payment_method.updated', '{payment_method.id}', 'pm_ada_secured'],
    ['account.closed', '{account.status}', 'CLOSED'],
    ['customer.linked', '{customer.id}', 'cus_ada'],
    ['customer.linked', '{merchant_key}', 'mk_summit'],
    ['order_event.deleted', '{order_event.id}', 'ord_ada_1'],
    ['order_event.deleted', '{customer.id}', 'cus_ada'],
    ['statement.created', '{statement.statement_id}', 'stm_ada_27'],
    ['statement.created', '{account.id}', 'acct_ada'],
    ['APPLICATION', '{resource.status}', 'OFFER_ACCEPTED'],
    ['STREAK', '{customer.id}', 'cus_ada'],
  ] as const)('of %s: %s', async (type, template, value) => {
    expect(await rendered(type, template)).toEqual(value)
  })

  it('{card} follows the data of a trigger', async () => {
    expect(
      await rendered('payment_method.updated', '{card.last4}', { secured_credit_card: { last4: '0001' } }),
    ).toBe('0001')
  })

  it.each(['{payment_method}', '{card}', '{resource}'])('%s has no details of the card', async (template) => {
    const shown = JSON.stringify(await rendered('payment_method.created', template))
    expect(shown).toContain('4242')
    expect(shown).not.toMatch(/pci_details|cvv|"pan"/)
  })

  it.each([
    ['absent', '{reward.metadata?}', {}],
    ['null', '{reward.metadata}', { value: null }],
    ['present', '{reward.id?}', { value: 'rwd_buy' }],
    ['absent where another event has it', '{statement.id?}', {}],
  ])('a field is %s with %s', async (_, template, body) => {
    const world = await eventWorld({ webhooks: { ...presets.standard, body: { value: template } } })
    expect(await world.events.request(triggerIn(world, 'reward.created').id).json()).toEqual(body)
  })
})

it('every attempt shows the related resources as they were when the event was created', async () => {
  const body = { who: '{customer.last_name}', of: '{resource.id}' }
  const world = await eventWorld({ webhooks: { ...presets.standard, body } })
  const { id } = triggerIn(world, 'reward.created')
  const before = await world.events.request(id).text()
  world.state.patch('customers', 'cus_ada', { last_name: 'Changed' })
  expect(await world.events.request(id).text()).toBe(before)
  const { events = [] } = world.state.document()
  expect(events[0]?.related).toEqual({ customer: expect.objectContaining({ last_name: 'Lindqvist' }) })
})

it('an event has no related resources that its body does not show', async () => {
  const world = await eventWorld({ webhooks: 'standard' })
  triggerIn(world, 'reward.created')
  const { events = [] } = world.state.document()
  expect(events[0]).not.toHaveProperty('related')
})

it.each([
  [
    'the type over the kind and the body',
    { 'reward.updated': { of: 'type' }, REWARD: { of: 'kind' } },
    'type',
  ],
  ['the kind over the body', { 'reward.created': { of: 'type' }, REWARD: { of: 'kind' } }, 'kind'],
  ['the body without another one', { STREAK: { of: 'kind' } }, 'body'],
] as const)('the body is that of %s', (_, bodies, of) => {
  const { body } = writeDelivery({ ...base, body: { of: 'body' }, bodies }, content, attempt)
  expect(JSON.parse(body)).toEqual({ of })
})

it('sort_keys sorts the fields of every object, and nothing else', () => {
  const body = { b: { z: [{ y: 1, x: '{resource}' }], a: null }, '10': 1, '2': 2, B: true }
  const write = (sort_keys: boolean): string =>
    writeDelivery({ ...base, body, sort_keys }, content, attempt).body
  expect(write(true)).toBe(
    '{"10":1,"2":2,"B":true,"b":{"a":null,"z":[{"x":{"id":"rwd_1","status":"AVAILABLE"},"y":1}]}}',
  )
  expect(write(false)).toContain('"b":{"z":[{"y":1')
})

describe('a key that is a hash of the secret', () => {
  // The SHA-256 of "abc" is the first vector of FIPS 180-4.
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  it.each([
    ['sha256', Buffer.from(hash, 'hex')],
    ['sha256_hex', Buffer.from(hash)],
  ] as const)('%s', (form, key) => {
    expect(keyOf('abc', form)).toEqual(key)
    expect(problemOfSecret('any text: é', form)).toBeUndefined()
    const signing = { algorithm: 'hmac-sha256', key: form, signed: '{body}' } as const
    expect(signatureOf('text', 'abc', signing, 'hex')).toBe(hmac('text', key))
    expect(hash).toBe(createHash('sha256').update('abc').digest('hex'))
  })
})

describe('webhookSecret', () => {
  const token = 'a-token-of-the-provider'

  it('signs for every endpoint without its own, and for requests, until the first rotation', async () => {
    const world = await eventWorld({ webhooks: 'body_hmac', webhookSecret: token })
    expect(world.webhooks.secret).toBe(token)
    const own = world.webhooks.add({ handler: () => new Response(), secret: 'a-secret-of-its-own' })
    const added = world.webhooks.add({ handler: () => new Response() })
    expect([own.secret, added.secret]).toEqual(['a-secret-of-its-own', token])
    const request = world.events.request(triggerIn(world, 'reward.updated').id)
    expect(request.headers.get('x-signature')).toBe(`sha256=${hmac(await request.text(), token)}`)
    expect(world.webhooks.rotate(added.id).secret).toMatch(/^whsec_/)
  })

  it('must have the form of the description', async () => {
    await expect(eventWorld({ webhooks: 'standard', webhookSecret: 'no base64!' })).rejects.toThrow(
      'webhookSecret: must be 8 to 200 printable ASCII characters without spaces',
    )
    await expect(eventWorld({ webhooks: 'standard', webhookSecret: 'no-base64!' })).rejects.toThrow(
      'webhookSecret: must be whsec_ and base64, as signing.key is whsec in the description of the events: set --webhook-secret to such a secret, or omit it',
    )
  })

  it('is in no journal', async () => {
    const world = await eventWorld({ webhooks: 'documented', webhookSecret: token })
    await world.call('GET', `/v2/rewards/${token}`)
    expect(JSON.stringify(world.requests.list())).not.toContain(token)
  })
})

describe('events.trigger', () => {
  it.each([
    ['transaction.captured', 'txe_buy_captured', 'txe_buy_captured', 'CAPTURED'],
    ['transaction.captured', 'txn_buy', 'txe_buy_captured', 'CAPTURED'],
    ['transaction.voided', 'txn_buy', 'txe_buy_refunded', 'VOIDED'],
  ] as const)('%s of %s', async (type, id, step, status) => {
    const { events } = await eventWorld({ webhooks: 'standard' })
    expect(events.trigger(type, { id }).data).toMatchObject({ id: 'txn_buy', event_id: step, status })
  })

  it.each([
    [undefined, 'cus_ada'],
    ['cus_ben', 'cus_ben'],
  ])('APPLICATION of %s is an example with fields of the caller', async (id, customer) => {
    const { events } = await eventWorld({ webhooks: 'standard' })
    const { data } = events.trigger('APPLICATION', { ...(id && { id }), data: { status: 'REJECTED' } })
    const at = '2026-11-20T09:30:00.000Z'
    expect(data).toEqual({ customer_id: customer, status: 'REJECTED', created_at: at, updated_at: at })
  })

  it('STREAK needs neither an id nor a customer', async () => {
    const { events } = await eventWorld({ webhooks: 'standard', fixtures: { customers: [] } })
    expect(events.trigger('STREAK').data).toMatchObject({ event: 'PERIOD_COMPLETED' })
  })

  it('an id that is required and missing, and one of no row', async () => {
    const { events } = await eventWorld({ webhooks: 'standard' })
    expect(() => events.trigger('reward.updated')).toThrow('id: is required: the id of an existing resource')
    expect(() => events.trigger('STREAK', { id: 'cus_none' })).toThrow(
      "customers: no row has the id 'cus_none'",
    )
    expect(() => events.trigger('transaction.captured', { id: 'txn_none' })).toThrow(
      "transaction_events: no row has the id 'txn_none'",
    )
  })
})
