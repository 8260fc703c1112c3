import { describe, expect, test } from 'vitest'
import { headersOf, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { startServing } from '../helpers/unlisted.ts'

describe('retrieving a transaction', () => {
  test('a transaction with every field -> 200 and all of it, without the fields of the sandbox', async () => {
    const { call } = await startServing()
    const answer = await call('GET', '/v2/transactions/txn_ada_1')
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: 'txn_ada_1',
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_card',
        amount: 8400,
        currency: 'USD',
        status: 'CAPTURED',
        network_transaction_id: 'ntx_ada_0001',
        created_at: '2026-10-21T06:00:00.000Z',
        intent_id: 'int_ada_1',
        merchant: { name: 'Corner Bistro', category_code: '5812' },
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('a transaction with few fields -> 200 without the others', async () => {
    const { call } = await startServing()
    const answer = await call('GET', '/v2/transactions/txn_ada_2')
    expect(Object.keys(answer.json)).toEqual([
      'id',
      'customer_id',
      'amount',
      'currency',
      'status',
      'network_transaction_id',
      'created_at',
      'merchant',
    ])
  })

  test('one with several steps at one instant of a frozen clock -> as the last of them left it', async () => {
    const { call, simulate } = await startServing()
    const next = { transaction_id: 'txn_ada_1', status: 'REFUNDED' as const }
    for (const amount of [400, 5000, 3]) simulate.transaction({ ...next, amount })
    const { json } = await call('GET', '/v2/transactions/txn_ada_1')
    expect(json).toEqual({
      id: 'txn_ada_1',
      customer_id: 'cus_ada',
      payment_method_id: 'pm_ada_card',
      amount: 3,
      currency: 'USD',
      status: 'REFUNDED',
      network_transaction_id: 'ntx_ada_0001',
      created_at: '2026-10-21T06:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
      intent_id: 'int_ada_1',
      merchant: { name: 'Corner Bistro', category_code: '5812' },
    })
  })

  test.each([
    ['unknown', 'txn_nobody'],
    ['in other casing', 'TXN_ADA_1'],
    ['of the other product', 'txn_hana_1'],
    ['the id of an intent', 'int_ada_1'],
    ['a word that every object has', 'constructor'],
  ])('a transaction that is %s -> 404 C, the same bytes for all', async (_, id) => {
    const { call } = await startServing()
    const answer = await call('GET', `/v2/transactions/${id}`)
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeC('TRANSACTION_FOUND_ERROR', 'transaction_id', 'No transaction has this transaction_id.'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
    )
  })

  test.each([400, 410])('not_found_status=%i -> that status', async (status) => {
    const { call } = await startServing({ assume: { not_found_status: status } })
    expect((await call('GET', '/v2/transactions/txn_nobody')).status).toBe(status)
  })
})
