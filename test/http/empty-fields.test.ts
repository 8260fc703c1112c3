import { describe, expect, test } from 'vitest'
import { namedIn, startSandbox } from '../helpers/sandbox.ts'

/** Case 134: optional fields of an answer that have no value. Every answer is checked against the OpenAPI document, too. */

describe('case 134: optional fields without a value', () => {
  test('case 134: absent, and no assumption', async () => {
    const { call } = await startSandbox()
    const headers = { 'x-service-merchant-key': 'mk_summit' }
    const answer = await call('GET', '/v2/rewards/rwd_ada_deducted', { headers })
    expect(answer.json).not.toHaveProperty('metadata')
    expect(namedIn(answer.headers)).toEqual([])
  })

  test.each([
    [{}, {}],
    [{ payment_method_fields: 'as_in_the_state' }, null],
  ])('case 134: scenario null-optionals under %j -> off contract', async (assume, metadata) => {
    const { fetch, requests } = await startSandbox({ scenarios: ['null-optionals'], assume })
    const headers = { authorization: 'Bearer sk_sandbox_without_pci_details_read' }
    for (const [path, nulls] of [
      ['/v2/payment_methods/pm_carla_card', { metadata, updated_at: null }],
      ['/v2/rewards/rwd_ada_deducted', { metadata: null }],
    ] as const) {
      const body: unknown = await (await fetch(path, { headers })).json()
      expect(body).toMatchObject(nulls)
      expect(body).not.toHaveProperty('card.pci_details')
      expect(requests.list()[0]).toMatchObject({ off_contract: true })
    }
  })
})
