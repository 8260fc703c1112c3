// The preset `documented`, judged by a verifier that was written from documentation alone: whole bodies of every kind.
import { describe, expect, it } from 'vitest'
import type { EventType } from '../../src/contract/event-types.ts'
import { providerName, sentTypes } from '../../src/events/bodies.ts'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import { presets } from '../../src/events/presets/index.ts'
import { durationMs } from '../../src/runtime/duration.ts'
import { documentedKinds, problemOfDocumented, type KeyReading } from '../helpers/documented-receiver.ts'
import { eventWorld, testNow, triggerIn } from '../helpers/event-world.ts'

const token = 'a-token-of-the-provider'
const { documented } = presets
const readings: [KeyReading, string | WebhookDescription][] = [
  ['bytes', 'documented'],
  ['hex text', { ...documented, signing: { ...documented.signing, key: 'sha256_hex' } }],
]

interface Received {
  headers: Record<string, string>
  body: string
}

/** A sandbox whose events a handler receives. */
async function receiving(webhooks: string | WebhookDescription = 'documented') {
  const world = await eventWorld({ webhooks, webhookSecret: token })
  const received: Received[] = []
  world.webhooks.add({
    handler: async (request) => {
      received.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
      return new Response(null, { status: 204 })
    },
  })
  return { ...world, events: world.events, simulate: world.simulate, call: world.call, received }
}

/** Cases of each type: fields that replace those of the row. */
const variants: Partial<Record<EventType, object[]>> = {
  'reward.created': [{ type: 'OFFER' }, { type: 'ONE_TIME' }],
  'reward.updated': ['AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED'].map((status) => ({ status })),
  'payment_method.updated': [{ status: 'INACTIVE' }, { status: 'CANCELED' }],
  APPLICATION: [{ status: 'REJECTED' }],
  STREAK: [
    { event: 'ENROLLED', status: 'IN_PROGRESS', completed_periods: 0, current_period: 1 },
    { event: 'STREAK_COMPLETED', status: 'COMPLETED', benefits: [{ type: 'POINTS' }] },
    { event: 'STREAK_FAILED', status: 'FAILED' },
  ],
}

describe.each(readings)('with the key as %s', (reading, webhooks) => {
  it('the verifier accepts every delivery', async () => {
    const world = await receiving(webhooks)
    for (const type of sentTypes(documented))
      for (const data of [{}, ...(variants[type] ?? [])]) triggerIn(world, type, data)
    const { delivered, failed } = await world.events.drain()
    expect({ delivered, failed }).toEqual({ delivered: world.received.length, failed: 0 })
    expect(world.received).toHaveLength(24)
    for (const { headers, body } of world.received)
      expect(problemOfDocumented(headers, body, token, reading), body).toBeUndefined()
    const seen = new Set(world.received.map(({ body }) => JSON.parse(body).object))
    expect([...seen].toSorted()).toEqual(documentedKinds.toSorted())
  })

  it('it refuses a changed byte, a wrong token, another time and the other reading', async () => {
    const world = await receiving(webhooks)
    triggerIn(world, 'reward.created')
    await world.events.drain()
    const [{ headers, body } = { headers: {}, body: '' }] = world.received
    expect(problemOfDocumented(headers, body, token, reading)).toBeUndefined()
    for (let at = 0; at < body.length; at++) {
      const changed = body.slice(0, at) + (body[at] === 'a' ? 'b' : 'a') + body.slice(at + 1)
      expect(problemOfDocumented(headers, changed, token, reading), `byte ${at}`).toBe('the signature')
    }
    expect(problemOfDocumented(headers, body, `${token}.`, reading)).toBe('the signature')
    const name = 'x-service-hmac-signature'
    const later = (headers[name] ?? '').replace(/\d(?=,)/, (digit) => String((Number(digit) + 1) % 10))
    expect(later).not.toBe(headers[name])
    expect(problemOfDocumented({ ...headers, [name]: later }, body, token, reading)).toBe('the signature')
    const other = reading === 'bytes' ? 'hex text' : 'bytes'
    expect(problemOfDocumented(headers, body, token, other)).toBe('the signature')
  })
})

it('the verifier accepts the events of a whole life of a purchase, of a card and of an account', async () => {
  const { simulate, events, received } = await receiving()
  const first = {
    customer_id: 'cus_ada',
    payment_method_id: 'pm_ada_card',
    amount: 5000,
    currency: 'USD',
    merchant_name: 'Skyline Air',
    status: 'APPROVED',
  } as const
  const voided = simulate.transaction(first).transaction.id
  simulate.transaction({ transaction_id: voided, status: 'VOIDED' })
  const { id: transaction_id } = simulate.transaction(first).transaction
  simulate.transaction({ transaction_id, status: 'UPDATED', amount: 4000 })
  simulate.transaction({ transaction_id, status: 'CAPTURED', amount: 3000 })
  simulate.transaction({ transaction_id, status: 'REFUNDED', amount: 1000 })
  simulate.reward({ customer_id: 'cus_ada', reward_type: 'STATEMENT' })
  simulate.paymentMethod({ id: 'pm_ada_card', status: 'INACTIVE' })
  simulate.paymentMethod({ id: 'pm_ada_card', reissue: true })
  simulate.paymentMethod({ customer_id: 'cus_ada', type: 'CARD' })
  simulate.account({ id: 'acct_ada', status: 'CLOSED' })
  await events.drain()
  const told = received.map(({ body }) => {
    const { object, data } = JSON.parse(body)
    return `${object} ${data.status ?? data.new_status}`
  })
  expect(told.slice(0, 8)).toEqual([
    'TRANSACTION APPROVED',
    'TRANSACTION VOIDED',
    'TRANSACTION APPROVED',
    'TRANSACTION UPDATED',
    'TRANSACTION CAPTURED',
    'REWARD PENDING',
    'TRANSACTION REFUNDED',
    'REWARD PENDING_DEDUCTION',
  ])
  expect(told.slice(-4)).toEqual([
    'PAYMENT_METHOD INACTIVE',
    'PAYMENT_METHOD ACTIVE',
    'PAYMENT_METHOD ACTIVE',
    'ACCOUNT_STATUS CLOSED',
  ])
  expect(told.slice(8, -4).every((text) => /^REWARD (AVAILABLE|DEDUCTED)$/.test(text))).toBe(true)
  for (const { headers, body } of received)
    expect(problemOfDocumented(headers, body, token), body).toBeUndefined()
})

it('the verifier accepts the events of calls', async () => {
  const world = await receiving()
  await world.call('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'p-ben' } })
  await world.call('PATCH', '/v2/rewards/rwd_buy', { json: { customer_id: 'cus_ada', status: 'AVAILABLE' } })
  await world.events.drain()
  expect(world.received.map(({ body }) => JSON.parse(body).object)).toEqual(['CUSTOMER_LINK', 'REWARD'])
  for (const { headers, body } of world.received)
    expect(problemOfDocumented(headers, body, token)).toBeUndefined()
})

const common = {
  customer_metadata: { segment: 'gold' },
  merchant_key: 'mk_summit',
  partner_customer_id: 'partner-ada',
}

const card = {
  ...common,
  card_type: 'PHYSICAL',
  customer_id: 'cus_ada',
  new_status: 'ACTIVE',
}
const transaction = {
  ...common,
  transaction_id: 'txn_buy',
  customer_id: 'cus_ada',
  payment_method_id: 'pm_ada_card',
  intent_id: 'int_ada_1',
  created_at: '2026-11-20T10:00:00.000Z',
  currency: 'USD',
  authorization_code: 'A1B2C3',
  network_transaction_id: 'ntx_buy',
  purchase_method: 'CHIP',
  merchant: { category_code: '4511', name: 'Skyline Air' },
}
const { partner_customer_id: _linked, ...ofReward } = common
const at = '2026-11-20T09:30:00.000Z'

const bodies: [EventType, object][] = [
  [
    'reward.created',
    {
      ...ofReward,
      reward_id: 'rwd_buy',
      customer_id: 'cus_ada',
      transaction_id: 'txn_buy',
      type: 'TRANSACTION',
      amount: 92,
      status: 'PENDING',
      currency: 'POINTS',
      created_at: '2026-11-20T10:02:00.000Z',
    },
  ],
  [
    'reward.updated',
    {
      ...ofReward,
      reward_id: 'rwd_ada_pending',
      customer_id: 'cus_ada',
      type: 'TRANSACTION',
      amount: 252,
      status: 'PENDING',
      currency: 'POINTS',
      created_at: '2026-10-20T18:05:00.000Z',
      metadata: { merchant_name: 'Corner Bistro' },
    },
  ],
  [
    'customer.linked',
    {
      ...common,
      customer_id: 'cus_ada',
      status: 'ACTIVE',
      created_at: testNow,
      updated_at: '2026-09-02T16:45:10.000Z',
    },
  ],
  [
    'transaction.approved',
    { ...transaction, event_id: 'txe_buy_approved', status: 'APPROVED', amount: 5000, updated_at: null },
  ],
  ...(
    [
      ['updated', 4599, '01'],
      ['captured', 4599, '02'],
      ['refunded', 1000, '03'],
    ] as const
  ).map(([step, amount, minute]): [EventType, object] => [
    `transaction.${step}`,
    {
      ...transaction,
      event_id: `txe_buy_${step}`,
      status: step.toUpperCase(),
      amount,
      updated_at: `2026-11-20T10:${minute}:00.000Z`,
    },
  ]),
  [
    'transaction.voided',
    {
      ...transaction,
      transaction_id: 'txn_void',
      event_id: 'txe_void_voided',
      intent_id: null,
      status: 'VOIDED',
      amount: 4599,
      updated_at: '2026-11-20T10:01:00.000Z',
      authorization_code: null,
      network_transaction_id: 'ntx_void',
      purchase_method: null,
    },
  ],
  [
    'payment_method.created',
    {
      ...card,
      payment_method_id: 'pm_ada_card',
      card_design_id: 'design_summit_blue',
      tokens: [
        {
          created_at: '2024-08-01T12:00:00.000Z',
          expires_at: '2029-09-30T23:59:59.000Z',
          pan_reference_id: 'panref_ada_1',
          token: 'tok_ada_apple',
          type: 'APPLE_WALLET',
          updated_at: '2025-08-01T12:00:00.000Z',
        },
        {
          created_at: '2025-02-11T08:30:00.000Z',
          expires_at: '2029-09-30T23:59:59.000Z',
          pan_reference_id: 'panref_ada_2',
          token: 'tok_ada_google',
          type: 'ADYEN',
          updated_at: '2025-02-11T08:30:00.000Z',
        },
      ],
      created_at: '2024-07-16T10:00:00.000Z',
      updated_at: '2025-08-01T12:00:00.000Z',
    },
  ],
  [
    'payment_method.updated',
    {
      ...card,
      payment_method_id: 'pm_ada_secured',
      card_design_id: 'design_summit_secured',
      previous_status: 'ACTIVE',
      created_at: '2025-03-02T14:20:00.000Z',
    },
  ],
  ['account.closed', { ...common, customer_id: 'cus_ada', status: 'CLOSED', updated_at: testNow }],
  [
    'APPLICATION',
    { ...common, customer_id: 'cus_ada', status: 'OFFER_ACCEPTED', created_at: at, updated_at: at },
  ],
  [
    'STREAK',
    {
      ...common,
      customer_id: 'cus_ada',
      streak_id: 'str_4fz8t1vw6n3r',
      streak_config_id: 'stc_autumn',
      event: 'PERIOD_COMPLETED',
      status: 'IN_PROGRESS',
      period_type: 'STATEMENT',
      current_period: 2,
      completed_periods: 1,
      total_periods: 3,
      current_period_start_at: '2026-11-01T00:00:00.000Z',
      current_period_end_at: '2026-12-01T00:00:00.000Z',
      benefits: [],
      created_at: at,
      metadata: { campaign: 'autumn' },
    },
  ],
]

it.each(bodies)('the whole body of %s', async (type, data) => {
  const world = await eventWorld({ webhooks: 'documented' })
  const { id } = triggerIn(world, type)
  const request = world.events.request(id)
  const object = providerName(documented, type)
  expect(await request.json()).toEqual({ object, data })
})

it('a card with an empty list of tokens has no tokens', async () => {
  const world = await receiving()
  world.state.patch('payment_methods', 'pm_ada_card', { card: { card_type: 'PHYSICAL', tokens: [] } })
  triggerIn(world, 'payment_method.created')
  await world.events.drain()
  const [{ headers, body } = { headers: {}, body: '' }] = world.received
  expect(problemOfDocumented(headers, body, token)).toBeUndefined()
  expect(JSON.parse(body).data).not.toHaveProperty('tokens')
})

it.each(['OFFER', 'ONE_TIME', 'STATEMENT', 'REFERRAL'] as const)(
  'a reward of type %s has no transaction, of its row and of data',
  async (type) => {
    const world = await eventWorld({ webhooks: 'documented' })
    const ids = [triggerIn(world, 'reward.created', { type }).id]
    world.state.patch('rewards', 'rwd_buy', { type })
    ids.push(triggerIn(world, 'reward.created').id)
    for (const id of ids) {
      const { data } = JSON.parse(await world.events.request(id).text())
      expect(data).toMatchObject({ reward_id: 'rwd_buy', type, customer_metadata: { segment: 'gold' } })
      expect(data).not.toHaveProperty('transaction_id')
    }
  },
)

it('a failed streak has no current period, unless the caller gives it', async () => {
  const { events } = await eventWorld({ webhooks: 'documented' })
  const failed = { event: 'STREAK_FAILED', status: 'FAILED' }
  const { data } = events.trigger('STREAK', { data: failed })
  expect(data).not.toHaveProperty('current_period_start_at')
  expect(data).not.toHaveProperty('current_period_end_at')
  expect(data).toMatchObject({ ...failed, current_period: 2, total_periods: 3 })
  const own = { ...failed, current_period_end_at: at }
  expect(events.trigger('STREAK', { data: own }).data).toMatchObject(own)
})

it('a customer without a link and a session has null and no texts', async () => {
  const world = await receiving()
  world.events.trigger('APPLICATION', { id: 'cus_ben' })
  await world.events.drain()
  const [{ headers, body } = { headers: {}, body: '' }] = world.received
  expect(problemOfDocumented(headers, body, token)).toBeUndefined()
  expect(JSON.parse(body).data).toEqual({
    customer_id: 'cus_ben',
    customer_metadata: {},
    merchant_key: 'mk_summit',
    partner_customer_id: null,
    status: 'OFFER_ACCEPTED',
    created_at: at,
    updated_at: at,
  })
})

it('repeats with doubled waits, for at least a day', () => {
  const waits = documented.retries.map((wait) => durationMs(wait) ?? 0)
  waits.slice(1).forEach((wait, index) => expect(wait).toBe(2 * (waits[index] ?? 0)))
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(24 * 60 * 60 * 1000)
})
