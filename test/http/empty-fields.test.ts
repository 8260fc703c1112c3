import { describe, expect, test } from 'vitest'
import { namedIn, startSandbox } from '../helpers/sandbox.ts'

/** Case 134: optional fields of an answer that have no value. Every answer is held against the OpenAPI document, too. */

const assume = { empty_optional_fields: 'null' }
const product = { 'x-service-merchant-key': 'mk_summit' }

describe('case 134: empty_optional_fields', () => {
  test('case 134: absent -> left out, and named', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/rewards/rwd_ada_deducted', { headers: product })
    expect(answer.json).not.toHaveProperty('metadata')
    expect(namedIn(answer.headers)).toEqual(['empty_optional_fields'])
  })

  test('case 134: null -> null, in the order of the fields', async () => {
    const { call } = await startSandbox({ assume })
    const answer = await call('GET', '/v2/rewards/rwd_ada_deducted', { headers: product })
    expect(answer.text).toBe(
      '{"id":"rwd_ada_deducted","customer_id":"cus_ada","transaction_event_id":null,"amount":5000,"type":"STATEMENT","currency":"POINTS","status":"DEDUCTED","created_at":"2026-03-01T12:00:00Z","updated_at":"2026-04-02T12:00:00Z","metadata":null}',
    )
    expect(namedIn(answer.headers)).toEqual(['empty_optional_fields'])
  })

  test('case 134: what is kept as text is right when it is read again, alone and in a page', async () => {
    const { call } = await startSandbox({ assume })
    const [first, second] = [
      await call('GET', '/v2/customers?limit=2'),
      await call('GET', '/v2/customers?limit=2'),
    ]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('x-sandbox-assumptions')).toBe(first.headers.get('x-sandbox-assumptions'))
  })

  test('case 134: left out for want of a scope -> absent under every value', async () => {
    const { call } = await startSandbox({ assume })
    const key = 'sk_sandbox_without_pci_details_read'
    const { json } = await call('GET', '/v2/payment_methods/pm_ada_card', { key })
    expect(json.card).not.toHaveProperty('pci_details')
    const people = await call('GET', '/v2/customers', { key: 'sk_sandbox_without_authorized_user_read' })
    for (const person of people.json.data) expect(person).not.toHaveProperty('authorized_users')
  })

  test('case 134: of another kind, or of no next page -> absent under every value', async () => {
    const { call } = await startSandbox({ assume })
    const { json } = await call('GET', '/v2/payment_methods/pm_ada_card')
    for (const other of ['secured_credit_card', 'bank_account', 'loan'])
      expect(json).not.toHaveProperty(other)
    const page = await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=100')
    expect(page.json).not.toHaveProperty('next_page_token')
  })

  test.each([
    ['absent', true],
    ['null', false],
  ])(
    'case 134: %s, scenario null-optionals -> off contract: %s',
    async (empty_optional_fields, off_contract) => {
      const { fetch, requests } = await startSandbox({
        assume: { empty_optional_fields },
        scenarios: ['null-optionals'],
      })
      const headers = { authorization: 'Bearer sk_sandbox_without_pci_details_read' }
      for (const path of ['/v2/payment_methods/pm_ada_card', '/v2/rewards/rwd_ada_deducted']) {
        const body: unknown = await (await fetch(path, { headers })).json()
        expect(body).toMatchObject({ metadata: path.endsWith('card') ? expect.anything() : null })
        expect(body).not.toHaveProperty('card.pci_details')
        expect(requests.list()[0]).toMatchObject({ off_contract })
      }
    },
  )
})
