import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scopeNames, type Scope } from '../../src/contract/scopes.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { fullKey, startSandbox, type Answered } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

const testKey = 'sk_sandbox_test'
const keyWith = (scopes: readonly Scope[]): object => ({
  secret: 'secret_test',
  api_key: testKey,
  scopes,
  products: ['mk_summit'],
  environment: 'sandbox',
})

const intents = '/v2/transaction_intents'
const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
const newIntent = { customer_id: 'cus_ada', amount: 4599, currency: 'USD' }

function expectForbidden(answer: Answered, scope: Scope, type = 'FORBIDDEN_ERROR'): void {
  expect(answer.json).toEqual({ error: { type, message: `The API key lacks the scope ${scope}.` } })
  expect(answer.status).toBe(403)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.version).toBe('2026-10-13')
  expect(answer.assumptions).toEqual(['forbidden_type'])
}

describe('scopes that refuse', () => {
  test.each([
    ['an invalid body', { json: {} }],
    ['a body that is no object', { json: [] }],
    ['malformed JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['another media type', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['a body too large', { body: ' '.repeat(1_048_577), headers: { 'content-type': 'application/json' } }],
    ['no body', {}],
    ['an unknown customer', { json: { ...newIntent, customer_id: 'nobody' } }],
    ['a valid body', { json: newIntent }],
  ])('case 35: creating an intent without TRANSACTION_INTENT_WRITE, %s -> 403', async (_, options) => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const key = 'sk_sandbox_without_transaction_intent_write'
    expectForbidden(await call('POST', intents, { key, ...options }), 'TRANSACTION_INTENT_WRITE')
    expect(state.document()).toEqual(before)
  })

  test.each(['int_ada_1', 'unknown', 'int_hana_1'])(
    'case 36: GET intent %s without TRANSACTION_INTENT_READ -> 403, not 404',
    async (id) => {
      const { call } = await startSandbox()
      const key = 'sk_sandbox_without_transaction_intent_read'
      expectForbidden(await call('GET', `${intents}/${id}`, { key }), 'TRANSACTION_INTENT_READ')
    },
  )

  test('case 36: HEAD without TRANSACTION_INTENT_READ -> 403 without a body', async () => {
    const { call } = await startSandbox()
    const key = 'sk_sandbox_without_transaction_intent_read'
    const answer = await call('HEAD', `${intents}/int_ada_1`, { key })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 403, text: '' })
  })

  test('case 37: TRANSACTION_INTENT_WRITE only: create, then retrieve -> 201, then 403', async () => {
    const { call, state } = await startSandbox()
    state.put('api_keys', 'key_test', keyWith(['TRANSACTION_INTENT_WRITE']))
    const created = await call('POST', intents, { key: testKey, json: newIntent })
    expect(created.status).toBe(201)
    const path = `${intents}/${created.json.id}`
    expectForbidden(await call('GET', path, { key: testKey }), 'TRANSACTION_INTENT_READ')
    expect((await call('GET', path)).json).toEqual(created.json)
  })

  test('case 37: TRANSACTION_INTENT_READ only: retrieve, then create -> 200, then 403', async () => {
    const { call, state } = await startSandbox()
    state.put('api_keys', 'key_test', keyWith(['TRANSACTION_INTENT_READ']))
    expect((await call('GET', `${intents}/int_ada_1`, { key: testKey })).status).toBe(200)
    const refused = await call('POST', intents, { key: testKey, json: newIntent })
    expectForbidden(refused, 'TRANSACTION_INTENT_WRITE')
  })

  test.each([
    statements,
    '/v2/customers/unknown/accounts/acct_ada/statements',
    '/v2/customers/cus_ada/accounts/unknown/statements',
    `${statements}?limit=0`,
    `${statements}?starting_after=nonsense`,
  ])('case 38: GET %s without ACCOUNT_READ -> 403', async (path) => {
    const { call } = await startSandbox()
    expectForbidden(await call('GET', path, { key: 'sk_sandbox_without_account_read' }), 'ACCOUNT_READ')
  })

  test('case 38: ACCOUNT_READ only -> 200', async () => {
    const { call, state } = await startSandbox()
    state.put('api_keys', 'key_test', keyWith(['ACCOUNT_READ']))
    expect((await call('GET', statements, { key: testKey })).status).toBe(200)
  })

  test.each(['ord_ada_1', 'unknown'])(
    'case 39: DELETE order event %s without ORDER_WRITE -> 403',
    async (id) => {
      const { call, state } = await startSandbox()
      const before = state.list('order_events')
      const key = 'sk_sandbox_without_order_write'
      expectForbidden(await call('DELETE', `/v2/order_events/${id}`, { key }), 'ORDER_WRITE')
      expect(state.list('order_events')).toEqual(before)
    },
  )

  test('case 39: ORDER_WRITE only -> 204', async () => {
    const { call, state } = await startSandbox()
    state.put('api_keys', 'key_test', keyWith(['ORDER_WRITE']))
    expect((await call('DELETE', '/v2/order_events/ord_ada_1', { key: testKey })).status).toBe(204)
    expect(state.get('order_events', 'ord_ada_1')).toBeUndefined()
  })
})

type Json = { readonly [name: string]: unknown }

/** A copy of an answer without some fields, wherever they stand. */
function without(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, fields))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !fields.includes(name))
      .map(([name, held]) => [name, without(held, fields)]),
  )
}

describe('scopes that omit', () => {
  const noPci = 'sk_sandbox_without_pci_details_read'
  const noUsers = 'sk_sandbox_without_authorized_user_read'

  test.each(['pm_ada_card', 'pm_ada_virtual', 'pm_ada_old'])(
    'case 40: GET card %s without PCI_DETAILS_READ -> 200, all but pci_details',
    async (id) => {
      const { call } = await startSandbox()
      const full = await call('GET', `/v2/payment_methods/${id}`)
      const reduced = await call('GET', `/v2/payment_methods/${id}`, { key: noPci })
      expect(Object.keys(full.json.card.pci_details)).toEqual(['pan', 'exp_month', 'exp_year', 'cvv'])
      expect(reduced.status).toBe(200)
      expect(reduced.json).toStrictEqual(without(full.json, ['pci_details']))
      expect(reduced.text).not.toMatch(/pci_details|"cvv"/)
      expect(reduced.assumptions).toEqual([])
    },
  )

  test('case 41: GET secured card without PCI_DETAILS_READ -> 200, all but pci_details', async () => {
    const { call } = await startSandbox()
    const full = await call('GET', '/v2/payment_methods/pm_ada_secured')
    const reduced = await call('GET', '/v2/payment_methods/pm_ada_secured', { key: noPci })
    expect(full.json.secured_credit_card.pci_details.pan).toBe('5555555555554444')
    expect(reduced.status).toBe(200)
    expect(reduced.json).toStrictEqual(without(full.json, ['pci_details']))
    expect(reduced.json.secured_credit_card).not.toHaveProperty('pci_details')
  })

  test.each([
    ['case 40', 'of a customer', { customer_id: 'cus_ada' }, 6],
    ['case 40', 'by card number', { pan: '4242424242424242' }, 1],
    ['case 41', 'by the number of a secured card', { pan: '5555555555554444' }, 1],
    ['case 41', 'of type CARD', { customer_id: 'cus_ada', type: 'CARD' }, 4],
  ])('%s: list %s without PCI_DETAILS_READ -> 200, all but pci_details', async (_, __, json, total) => {
    const { call } = await startSandbox()
    const full = await call('POST', '/v2/payment_methods', { json })
    const reduced = await call('POST', '/v2/payment_methods', { json, key: noPci })
    expect(full.text).toContain('pci_details')
    expect(reduced.status).toBe(200)
    expect(reduced.json.total).toBe(total)
    expect(reduced.json).toStrictEqual(without(full.json, ['pci_details']))
  })

  test('case 40: with and without the scope by turns -> what each key may see, every time', async () => {
    // Texts of rows are kept, so an answer to one key must not leak into that of the next.
    const { call } = await startSandbox()
    const keys = [noPci, fullKey, 'sk_sandbox_none', noPci, noUsers, fullKey]
    const seen: boolean[] = []
    for (const key of keys) {
      const { text } = await call('GET', '/v2/payment_methods/pm_ada_card', { key })
      seen.push(text.includes('pci_details'))
    }
    expect(seen).toEqual([false, true, false, false, true, true])
  })

  test.each([
    ['searched', 'GET', '/v2/customers?partner_customer_id=partner-ada', {}],
    ['listed', 'GET', '/v2/customers?limit=100', {}],
    ['linked', 'POST', '/v2/customers/cus_ada/link', { json: { partner_customer_id: 'partner-ada' } }],
  ])('case 42: customers %s without AUTHORIZED_USER_READ -> all but authorized_users', async (...row) => {
    const [, method, path, options] = row
    const { call } = await startSandbox()
    const full = await call(method, path, options)
    const reduced = await call(method, path, { ...options, key: noUsers })
    expect(full.text).toContain('authorized_users')
    expect(reduced.status).toBe(200)
    expect(reduced.json).toStrictEqual(without(full.json, ['authorized_users']))
  })

  test.each([
    ['of the fixtures', 'cus_ben', undefined],
    ['whose row does not have the field', 'cus_bare', {}],
    ['whose row has null', 'cus_bare', { authorized_users: null }],
  ])(
    'case 42: a customer without authorized users %s -> [], and absent without the scope',
    async (...given) => {
      const [, id, row] = given
      const { call, state } = await startSandbox()
      if (row) state.put('customers', id, row)
      const customers = async (key: string): Promise<Json[]> =>
        (await call('GET', '/v2/customers?limit=100', { key })).json.data
      const shown = (await customers(fullKey)).find((customer) => customer['id'] === id)
      expect(shown?.['authorized_users']).toEqual([])
      const reduced = (await customers(noUsers)).find((customer) => customer['id'] === id)
      expect(reduced).not.toHaveProperty('authorized_users')
    },
  )

  test('case 42: a sparse fixture without authorized users -> []', async () => {
    const { call } = await startSandbox({ fixtures: { customers: [{ id: 'cus_only' }] } })
    expect((await call('GET', '/v2/customers')).json.data).toMatchObject([
      { id: 'cus_only', authorized_users: [] },
    ])
  })
})

describe('no scope', () => {
  test.each([
    ['GET', '/v2/customers', {}, 200],
    ['POST', '/v2/payment_methods', { json: { customer_id: 'cus_ada' } }, 200],
    ['GET', '/v2/payment_methods/pm_ada_card', {}, 200],
    ['GET', '/v2/customers/cus_ada/rewards_balance', {}, 200],
    ['GET', '/v2/rewards/rewards_categories', {}, 200],
    ['GET', '/v2/rewards/rwd_ada_pending', {}, 200],
    ['PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } }, 200],
    ['POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'partner-ben' } }, 200],
    ['POST', '/v2/keys', {}, 201],
  ])('case 43: %s %s by a key without scopes -> 2xx', async (method, path, options, status) => {
    const { call } = await startSandbox()
    const answer = await call(method, path, { key: 'sk_sandbox_none', ...options })
    expect({ status: answer.status, version: answer.version }).toEqual({ status, version: '2026-10-13' })
    expect(answer.text).not.toMatch(/pci_details|authorized_users/)
  })
})

/**
 * The scopes of the endpoints, as the contract has them (Authentication 5-7; Endpoints), and a valid call of each.
 * Written down here a second time on purpose: the declarations are what is under test.
 */
interface Expected {
  scope?: Scope
  omits?: readonly [Scope, string]
  params?: Readonly<Record<string, string>>
  query?: string
  json?: object
}
const expectations: Readonly<Record<string, Expected>> = {
  createTransactionIntent: { scope: 'TRANSACTION_INTENT_WRITE', json: newIntent },
  retrieveTransactionIntent: { scope: 'TRANSACTION_INTENT_READ', params: { intent_id: 'int_ada_1' } },
  listPaymentMethods: { omits: ['PCI_DETAILS_READ', 'pci_details'], json: { customer_id: 'cus_ada' } },
  retrievePaymentMethod: {
    omits: ['PCI_DETAILS_READ', 'pci_details'],
    params: { payment_method_id: 'pm_ada_secured' },
  },
  searchCustomers: { omits: ['AUTHORIZED_USER_READ', 'authorized_users'], query: '?limit=100' },
  linkCustomer: {
    omits: ['AUTHORIZED_USER_READ', 'authorized_users'],
    params: { customer_id: 'cus_ada' },
    json: { partner_customer_id: 'partner-ada-2' },
  },
  listStatements: { scope: 'ACCOUNT_READ', params: { customer_id: 'cus_ada', account_id: 'acct_ada' } },
  retrieveRewardsBalance: { params: { customer_id: 'cus_ada' } },
  listRewardCategories: {},
  retrieveReward: { params: { reward_id: 'rwd_ada_pending' } },
  updateReward: { params: { reward_id: 'rwd_ada_pending' }, json: { status: 'AVAILABLE' } },
  deleteOrderEvent: { scope: 'ORDER_WRITE', params: { order_event_id: 'ord_ada_1' } },
  createApiKey: {},
}

describe('the lattice of scopes', () => {
  const subsets = Array.from({ length: 2 ** scopeNames.length }, (_, bits) =>
    scopeNames.filter((_scope, bit) => (bits & (1 << bit)) !== 0),
  )

  test('there are 6 scopes, 64 sets of them, and 13 endpoints with an expectation each', () => {
    expect(scopeNames).toHaveLength(6)
    expect(new Set(subsets.map((scopes) => scopes.join())).size).toBe(64)
    expect(endpoints).toHaveLength(13)
    expect(Object.keys(expectations)).toEqual(endpoints.map(({ id }) => id))
  })

  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s: 403 exactly when the required scope is missing, fields omitted exactly when the optional one is',
    async (id, endpoint) => {
      const { scope, omits, params = {}, query = '', json } = expectations[id] ?? {}
      const { call, state, reset } = await startSandbox()
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name) + query

      /** A valid call by a key with these scopes, from the state right after start. */
      async function callWith(scopes: readonly Scope[]) {
        reset()
        state.put('api_keys', 'key_test', keyWith(scopes))
        const before = JSON.stringify(state.document())
        const answer = await call(endpoint.method, path, { key: testKey, ...(json ? { json } : {}) })
        return { answer, changed: JSON.stringify(state.document()) !== before }
      }

      const all = await callWith(scopeNames)
      // The expectation itself is worth something: the optional field is there to be omitted.
      if (omits) expect(all.answer.text).toContain(`"${omits[1]}"`)

      const property = fc.asyncProperty(fc.shuffledSubarray([...scopeNames]), async (scopes) => {
        const { answer, changed } = await callWith(scopes)
        if (scope !== undefined && !scopes.includes(scope)) {
          expectForbidden(answer, scope)
          expect(changed).toBe(false)
          return
        }
        const hidden = omits !== undefined && !scopes.includes(omits[0]) ? [omits[1]] : []
        const body = without(all.answer.json, hidden)
        const inherited = id === 'createApiKey' ? { ...(body as object), scopes } : body
        expect({ status: answer.status, json: answer.json, changed }).toStrictEqual({
          status: all.answer.status,
          json: inherited,
          changed: all.changed,
        })
      })
      // Every set once, then the same sets in other orders.
      const examples = subsets.map((scopes): [Scope[]] => [scopes])
      await fc.assert(property, { seed: 5, examples, numRuns: examples.length + samples(16) })
    },
  )
})

describe('assumptions', () => {
  test.each([
    ['default', {}, 'FORBIDDEN_ERROR'],
    ['FORBIDDEN_ERROR', { forbidden_type: 'FORBIDDEN_ERROR' }, 'FORBIDDEN_ERROR'],
    ['PERMISSION_ERROR', { forbidden_type: 'PERMISSION_ERROR' }, 'PERMISSION_ERROR'],
    ['MISSING_SCOPE_ERROR', { forbidden_type: 'MISSING_SCOPE_ERROR' }, 'MISSING_SCOPE_ERROR'],
  ])('forbidden_type %s -> that type', async (_, assume, type) => {
    const { call } = await startSandbox({ assume })
    const key = 'sk_sandbox_none'
    expectForbidden(await call('POST', intents, { key, json: newIntent }), 'TRANSACTION_INTENT_WRITE', type)
    expectForbidden(await call('GET', `${intents}/int_ada_1`, { key }), 'TRANSACTION_INTENT_READ', type)
    expectForbidden(await call('GET', statements, { key }), 'ACCOUNT_READ', type)
    expectForbidden(await call('DELETE', '/v2/order_events/ord_ada_1', { key }), 'ORDER_WRITE', type)
  })
})
