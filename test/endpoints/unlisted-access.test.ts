import { describe, expect, test } from 'vitest'
import { shapeB } from '../helpers/answers.ts'
import { callerFor, fullKey } from '../helpers/sandbox.ts'
import {
  documented,
  harbor,
  newOrder,
  newOrderEvent,
  newStep,
  outcome,
  startServing,
  succeed,
  unlisted,
} from '../helpers/unlisted.ts'

const cases = unlisted.map((endpoint) => [endpoint.id, endpoint] as const)

describe('two products', () => {
  const idsIn = (text: string): string[] =>
    [...text.matchAll(/"(?:order_event_)?id":"([^"]+)"/g)].map(([, id = '']) => id)

  test.each([
    ['GET', '/v2/customers/cus_ada', 404],
    ['GET', '/v2/customers/cus_ada/accounts', 404],
    ['GET', '/v2/customers/cus_ada/payment_methods', 404],
    ['GET', '/v2/customers/cus_ada/transaction_intents', 404],
    ['GET', '/v2/customers/cus_ada/transactions', 404],
    ['GET', '/v2/customers/cus_ada/rewards', 404],
    ['GET', '/v2/payment_methods?customer_id=cus_ada', 404],
    ['GET', '/v2/transactions/txn_ada_1', 404],
    ['GET', '/v2/customer_sessions/ses_ada_1', 404],
    ['GET', '/v2/offers?partner_customer_id=partner-carla', 404],
    ['POST', '/v2/transaction_intents/int_ada_1', 404, outcome],
    ['POST', '/v2/orders', 404, newOrder],
    ['PUT', '/v2/orders/order_hana_1', 404, newOrder],
    ['PUT', '/v2/orders/order_ada_1', 400, { ...newOrder, payment_method_id: 'pm_hana_card' }],
    ['DELETE', '/v2/orders/order_ada_1', 400],
    ['POST', '/v2/order_events', 400, newOrderEvent],
    ['POST', '/v2/customer_sessions', 400, { customer_id: 'cus_ada' }],
    ['POST', '/v2/simulate_transaction_event', 404, newStep],
    ['POST', '/v2/simulate_reward', 404, { customer_id: 'cus_ada', reward_type: 'STATEMENT' }],
  ] as [string, string, number, object?][])(
    '%s %s with a key of the other product -> %i as for an unknown row, and nothing is changed',
    async (method, path, status, json) => {
      const { call, state } = await startServing()
      const before = state.document()
      const sent = json === undefined ? harbor : { ...harbor, json }
      const answer = await call(method, path, sent)
      expect(answer.status).toBe(status)
      expect(answer.assumptions).toContain('unlisted_operations')
      expect(state.document()).toEqual(before)
      // The same bytes as for ids that no row has.
      const unknown = await call(
        method,
        path.replace(/_ada(_1)?\b|-carla\b/, '_nobody'),
        json === undefined ? sent : { ...sent, json: withoutRows(json) },
      )
      expect(unknown.text).toBe(answer.text.replace(/_ada(_1)?\b/g, '_nobody'))
    },
  )

  const withoutRows = (json: object): object =>
    JSON.parse(JSON.stringify(json).replace(/_ada(_1|_card)?\b/g, '_nobody'))

  test.each([
    ['GET', '/v2/transaction_intents', ['int_hana_1']],
    ['GET', '/v2/rewards', ['rwd_hana_pending', 'rwd_hana_available']],
    ['GET', '/v2/order_events', ['ord_hana_1']],
    ['GET', '/v2/orders', ['order_hana_1']],
    ['POST', '/v2/customers', ['cus_hana', 'cus_ivan']],
    ['GET', '/v2/payment_methods?customer_id=cus_hana', ['pm_hana_card']],
    ['GET', '/v2/customers/cus_hana/transactions', ['txn_hana_1']],
    ['GET', '/v2/customers/cus_hana/rewards', ['rwd_hana_pending', 'rwd_hana_available']],
  ])('%s %s -> the rows of the other product alone', async (method, path, ids) => {
    const { call } = await startServing()
    const answer = await call(method, path, harbor)
    expect([answer.status, idsIn(answer.text).toSorted()]).toEqual([200, ids.toSorted()])
    if (!path.includes('/cus_')) expect(answer.json.total ?? answer.json.data.length).toBe(ids.length)
  })

  test.each(cases)('%s: a key of several products without a product -> 400', async (_, endpoint) => {
    const { call, state } = await startServing()
    const before = state.document()
    expect((await succeed(call, endpoint, { key: 'sk_sandbox_multi' })).status).toBe(400)
    expect(state.document()).toEqual(before)
  })
})

describe('scopes', () => {
  const required: Readonly<Record<string, string>> = {
    listAccounts: 'account_read',
    listCustomerTransactionIntents: 'transaction_intent_read',
    listTransactionIntents: 'transaction_intent_read',
    updateTransactionIntent: 'transaction_intent_write',
    createOrderEvent: 'order_write',
    createOrder: 'order_write',
    replaceOrder: 'order_write',
    deleteOrder: 'order_write',
  }

  test.each(cases)('%s: with all scopes but one, and with none', async (id, endpoint) => {
    const scope = required[id]
    const sandbox = await startServing()
    for (const key of ['sk_sandbox_none', ...(scope === undefined ? [] : [`sk_sandbox_without_${scope}`])]) {
      const before = sandbox.state.document()
      const answer = await succeed(sandbox.call, endpoint, { key })
      if (scope === undefined) {
        expect(answer.status).toBeLessThan(300)
        continue
      }
      expect(answer.status).toBe(403)
      expect(answer.json.error.type).toBe('FORBIDDEN_ERROR')
      expect(answer.assumptions).toContain('unlisted_operations')
      expect(sandbox.state.document()).toEqual(before)
    }
  })

  const withoutCardData = { key: 'sk_sandbox_without_pci_details_read' }
  const withoutUsers = { key: 'sk_sandbox_without_authorized_user_read' }

  test.each(['/v2/customers/cus_ada/payment_methods', '/v2/payment_methods?customer_id=cus_ada'])(
    '%s without PCI_DETAILS_READ -> without pci_details, and else the same',
    async (path) => {
      const { call } = await startServing()
      const [full, less] = [await call('GET', path), await call('GET', path, withoutCardData)]
      expect(full.text.match(/"pci_details"/g)).toHaveLength(4)
      expect(less.text).not.toMatch(/pci_details|4242424242424242/)
      const omit = (key: string, value: unknown): unknown => (key === 'pci_details' ? undefined : value)
      expect(less.json).toEqual(JSON.parse(full.text, omit))
    },
  )

  test.each<[string, string, object?]>([
    ['GET', '/v2/customers/cus_ada'],
    ['POST', '/v2/customers', { partner_customer_id: 'partner-ada' }],
  ])(
    '%s %s without AUTHORIZED_USER_READ -> without authorized_users, and else the same',
    async (method, path, json) => {
      const { call } = await startServing()
      const body = json === undefined ? {} : { json }
      const [full, less] = [
        await call(method, path, body),
        await call(method, path, { ...body, ...withoutUsers }),
      ]
      expect(full.text).toContain('"authorized_users":[{')
      expect(less.text).not.toContain('authorized_users')
      const omit = (key: string, value: unknown): unknown => (key === 'authorized_users' ? undefined : value)
      expect(less.json).toEqual(JSON.parse(full.text, omit))
    },
  )
})

describe('workspaces', () => {
  const inWorkspace = { key: `${fullKey}.w1` }

  test('writes with a key of a workspace -> that workspace alone has them', async () => {
    const sandbox = await startServing()
    const { call, state } = sandbox
    const before = state.document()
    const order = await call('POST', '/v2/orders', { json: newOrder, ...inWorkspace })
    const event = await call('POST', '/v2/order_events', {
      json: { ...newOrderEvent, order_id: order.json.id },
      ...inWorkspace,
    })
    await call('POST', '/v2/transaction_intents/int_ada_1', { json: outcome, ...inWorkspace })
    await call('DELETE', '/v2/orders/order_ada_2', inWorkspace)
    const session = await call('POST', '/v2/customer_sessions', {
      json: { partner_customer_id: 'partner-w1' },
      ...inWorkspace,
    })
    expect(state.document()).toEqual(before)
    expect(sandbox.workspace('w1').state.get('transaction_intents', 'int_ada_1')).toMatchObject({
      amount: 8000,
    })

    for (const [path, status] of [
      [`/v2/orders?id=${order.json.id}`, 200],
      [`/v2/order_events?order_event_id=${event.json.order_event_id}`, 200],
      [`/v2/customer_sessions/${session.json.id}`, 404],
      ['/v2/offers?partner_customer_id=partner-w1', 404],
    ] as const) {
      const [own, other] = [await call('GET', path, inWorkspace), await call('GET', path)]
      expect([path, own.status, other.status]).toEqual([path, 200, status])
      if (status === 200) expect([own.json.data.length, other.json.data.length]).toEqual([1, 0])
    }
    expect((await call('GET', '/v2/orders?id=order_ada_2')).json.data).toHaveLength(1)
    expect((await call('GET', '/v2/orders?id=order_ada_2', inWorkspace)).json.data).toEqual([])
  })

  test('the same call in two workspaces -> each has an id of its own workspace, and sees no other', async () => {
    const sandbox = await startServing()
    const ids = await Promise.all(
      ['w1', 'w2'].map(async (name) => {
        const call = callerFor(sandbox.workspace(name), { assume: documented })
        return (await call('POST', '/v2/orders', { json: newOrder })).json.id as string
      }),
    )
    for (const [at, name] of ['w1', 'w2'].entries()) {
      const orders = sandbox.workspace(name).state.list('orders') as { id: string }[]
      expect(orders.map(({ id }) => id)).toContain(ids[at])
      expect(orders).toHaveLength(4)
    }
  })
})

describe('deleting the key of the call', () => {
  const unauthenticated = shapeB('UNAUTHORIZED_ERROR', 'The API key is not usable here.')

  test('the key -> 200 with its dates; from then on it is 401, others are not', async () => {
    const { call } = await startServing()
    const answer = await call('DELETE', '/v2/keys')
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        key: fullKey,
        created_at: '2024-06-03T08:00:00.000Z',
        deleted_at: '2026-11-21T12:00:00.000Z',
      },
    ])
    expect(answer.assumptions).toEqual(['unlisted_operations'])
    for (const [method, path] of [
      ['GET', '/v2/customers/cus_ada'],
      ['GET', '/v2/customers'],
      ['DELETE', '/v2/keys'],
    ] as const) {
      const refused = await call(method, path)
      expect([refused.status, refused.json]).toEqual([401, unauthenticated])
    }
    expect((await call('GET', '/v2/customers/cus_ada', { key: 'sk_sandbox_none' })).status).toBe(200)
  })

  test('by its id and secret -> the same key is deleted', async () => {
    const { call } = await startServing()
    const basic = { authorization: `Basic ${btoa('key_full:secret_full')}` }
    expect((await call('DELETE', '/v2/keys', { headers: basic })).json.key).toBe(fullKey)
    expect((await call('GET', '/v2/customers', { headers: basic })).status).toBe(401)
    expect((await call('GET', '/v2/customers')).status).toBe(401)
  })

  test.each([
    ['', 'default'],
    ['.w1', 'w1'],
  ])('a rotation with the suffix "%s" -> both keys work until the old one is deleted', async (suffix) => {
    const { call } = await startServing()
    const old = { key: fullKey + suffix }
    const created = await call('POST', '/v2/keys', old)
    expect(created.json.key).toMatch(suffix === '' ? /^sk_sandbox_\w+$/ : /^sk_sandbox_\w+\.w1$/)
    const next = { key: created.json.key as string }
    for (const each of [old, next]) expect((await call('GET', '/v2/orders', each)).status).toBe(200)
    const deleted = await call('DELETE', '/v2/keys', old)
    expect([deleted.status, deleted.json.key]).toEqual([200, old.key])
    expect((await call('GET', '/v2/orders', old)).status).toBe(401)
    expect((await call('GET', '/v2/orders', next)).status).toBe(200)
    const own = await call('DELETE', '/v2/keys', next)
    expect(own.json).toEqual({
      key: next.key,
      created_at: '2026-11-21T12:00:00.000Z',
      deleted_at: '2026-11-21T12:00:00.000Z',
    })
    expect((await call('GET', '/v2/orders', next)).status).toBe(401)
  })

  test('in a workspace -> the key of the other workspaces stays', async () => {
    const { call } = await startServing()
    expect((await call('DELETE', '/v2/keys', { key: `${fullKey}.w1` })).json.key).toBe(`${fullKey}.w1`)
    expect((await call('GET', '/v2/orders', { key: `${fullKey}.w1` })).status).toBe(401)
    for (const key of [fullKey, `${fullKey}.w2`])
      expect((await call('GET', '/v2/orders', { key })).status).toBe(200)
  })

  test('twice at once -> one succeeds', async () => {
    const { call } = await startServing()
    const answers = await Promise.all([call('DELETE', '/v2/keys'), call('DELETE', '/v2/keys')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})
