import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scopeNames, type Scope } from '../../src/contract/scopes.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { createdKey } from '../helpers/created-key.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { drawn, samples } from '../setup/samples.ts'
import { expectForbidden, keyWith, newIntent, testKey, without } from './scopes.ts'

/**
 * The scopes of the endpoints, as the contract has them (Authentication 5-7; Endpoints), and a valid call of each.
 * Written down here a second time on purpose: the declarations are what is under test.
 */
interface Expected {
  scope?: Scope
  assume?: Readonly<Record<string, string>>
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
  linkCustomer: { params: { customer_id: 'cus_ben' }, json: { partner_customer_id: 'partner-ben' } },
  listStatements: { scope: 'ACCOUNT_READ', params: { customer_id: 'cus_ada', account_id: 'acct_ada' } },
  retrieveRewardsBalance: { params: { customer_id: 'cus_ada' } },
  listRewardCategories: {},
  retrieveReward: { params: { reward_id: 'rwd_ada_pending' } },
  updateReward: { params: { reward_id: 'rwd_ada_pending' }, json: { status: 'AVAILABLE' } },
  deleteOrderEvent: { scope: 'ORDER_WRITE', params: { order_event_id: 'ord_ada_1' } },
  createApiKey: {},
}

/** The same under earlier values of assumptions that decide which fields an answer has. */
const alternatives: typeof expectations = {
  linkCustomer: {
    assume: { link_response: 'customer', link_replaces: 'replace' },
    omits: ['AUTHORIZED_USER_READ', 'authorized_users'],
    params: { customer_id: 'cus_ada' },
    json: { partner_customer_id: 'partner-ada-2' },
  },
  createApiKey: { assume: { create_key_shape: 'id_key_secret_scopes_created_at' } },
}

describe('the lattice of scopes', () => {
  const subsets = drawn(
    Array.from({ length: 2 ** scopeNames.length }, (_, bits) =>
      scopeNames.filter((_scope, bit) => (bits & (1 << bit)) !== 0),
    ),
  )

  test('each endpoint has an expectation', () => {
    expect(Object.keys(expectations)).toEqual(endpoints.map(({ id }) => id))
  })

  const rows = [expectations, alternatives].flatMap((table) =>
    endpoints.flatMap((endpoint) => {
      const expected = table[endpoint.id]
      return expected ? [[endpoint.id, expected.assume ?? {}, endpoint, expected] as const] : []
    }),
  )

  test.each(rows)(
    '%s under %j: 403 exactly when the required scope is missing, fields omitted exactly when the optional one is',
    async (id, assume, endpoint, { scope, omits, params = {}, query = '', json }) => {
      const { call, state, reset } = await startSandbox({ assume })
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
        const inherited =
          id === 'createApiKey' && 'scopes' in all.answer.json ? { ...(body as object), scopes } : body
        if (id === 'createApiKey') {
          expect(createdKey(state.list('api_keys'), answer.json.key).scopes).toEqual(scopes)
        }
        expect({ status: answer.status, json: answer.json, changed }).toStrictEqual({
          status: all.answer.status,
          json: inherited,
          changed: all.changed,
        })
      })
      // Each set once, then the same sets in other orders.
      const examples = subsets.map((scopes): [Scope[]] => [scopes])
      await fc.assert(property, { seed: 5, examples, numRuns: examples.length + samples(16) })
    },
  )
})
