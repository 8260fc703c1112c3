import { describe, expect, test } from 'vitest'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { expectForbidden, keyWith, newIntent, testKey, without } from './scopes.ts'

const intents = '/v2/transaction_intents'
const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'

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

  test.each([
    [{}, 200],
    [{ create_status: 201 }, 201],
  ])(
    'case 37: %j, TRANSACTION_INTENT_WRITE only: create, then retrieve -> %i, then 403',
    async (assume, made) => {
      const { call, state } = await startSandbox({ assume })
      state.put('api_keys', 'key_test', keyWith(['TRANSACTION_INTENT_WRITE']))
      const created = await call('POST', intents, { key: testKey, json: newIntent })
      expect(created.status).toBe(made)
      const path = `${intents}/${created.json.id}`
      expectForbidden(await call('GET', path, { key: testKey }), 'TRANSACTION_INTENT_READ')
      expect((await call('GET', path)).json).toEqual(created.json)
    },
  )

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

describe('scopes that omit', () => {
  const noPci = 'sk_sandbox_without_pci_details_read'
  const noUsers = 'sk_sandbox_without_authorized_user_read'
  const link = '/v2/customers/cus_ada/link'
  const ofAda = { partner_customer_id: 'partner-ada' }

  test.each([
    ['pm_ada_card', {}, []],
    ['pm_ada_virtual', {}, ['payment_method_fields']],
    ['pm_ada_old', {}, ['payment_method_fields']],
    ['pm_ada_card', { payment_method_fields: 'as_in_the_state' }, []],
    ['pm_ada_virtual', { payment_method_fields: 'as_in_the_state' }, ['payment_method_fields']],
    ['pm_ada_old', { payment_method_fields: 'as_in_the_state' }, ['payment_method_fields']],
  ])(
    'case 40: GET card %s without PCI_DETAILS_READ, under %j -> 200, all but pci_details',
    async (id, assume, named) => {
      const { call } = await startSandbox({ assume })
      const full = await call('GET', `/v2/payment_methods/${id}`)
      const reduced = await call('GET', `/v2/payment_methods/${id}`, { key: noPci })
      expect(Object.keys(full.json.card.pci_details)).toEqual(['pan', 'exp_month', 'exp_year', 'cvv'])
      expect(reduced.status).toBe(200)
      expect(reduced.json).toStrictEqual(without(full.json, ['pci_details']))
      expect(reduced.text).not.toMatch(/pci_details|"cvv"/)
      expect(reduced.assumptions).toEqual(named)
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
    ['case 40', 'by card number', { customer_id: 'cus_ada', pan: '4242424242424242' }, 1],
    ['case 41', 'by the number of a secured card', { customer_id: 'cus_ada', pan: '5555555555554444' }, 1],
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
    ['searched', {}, 'GET', '/v2/customers?partner_customer_id=partner-ada', {}],
    ['listed', {}, 'GET', '/v2/customers?limit=100', {}],
    ['linked', { link_response: 'customer' }, 'POST', link, { json: ofAda }],
  ])('case 42: customers %s without AUTHORIZED_USER_READ -> all but authorized_users', async (...row) => {
    const [, assume, method, path, options] = row
    const { call } = await startSandbox({ assume })
    const full = await call(method, path, options)
    const reduced = await call(method, path, { ...options, key: noUsers })
    expect(full.text).toContain('authorized_users')
    expect(reduced.status).toBe(200)
    expect(reduced.json).toStrictEqual(without(full.json, ['authorized_users']))
  })

  test('case 42: a link without AUTHORIZED_USER_READ -> the whole link', async () => {
    const { call } = await startSandbox()
    const [full, reduced] = [
      await call('POST', link, { json: ofAda }),
      await call('POST', link, { json: ofAda, key: noUsers }),
    ]
    expect([reduced.status, reduced.json]).toEqual([
      200,
      {
        customer_id: 'cus_ada',
        partner_customer_id: 'partner-ada',
        status: 'ACTIVE',
        created_at: '2024-07-15T09:30:00.000Z',
      },
    ])
    expect(reduced.text).toBe(full.text)
  })

  test.each([
    ['of the fixtures', 'cus_ben', undefined],
    ['whose row does not have the field', 'cus_bare', {}],
    ['whose row has null', 'cus_bare', { authorized_users: null }],
  ])(
    'case 42: a customer without authorized users %s -> [], and absent without the scope',
    async (...example) => {
      const [, id, row] = example
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
    ['POST', '/v2/keys', {}, 200],
  ])('case 43: %s %s by a key without scopes -> 2xx', async (method, path, options, status) => {
    const { call } = await startSandbox()
    const answer = await call(method, path, { key: 'sk_sandbox_none', ...options })
    expect({ status: answer.status, version: answer.version }).toEqual({ status, version: '2026-10-13' })
    expect(answer.text).not.toMatch(/pci_details|authorized_users/)
  })
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
