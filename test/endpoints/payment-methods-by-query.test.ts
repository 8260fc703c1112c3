import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { startServing } from '../helpers/unlisted.ts'

const path = '/v2/payment_methods'
const newest = ['virtual', 'loan', 'secured', 'bank', 'card', 'old'].map((name) => `pm_ada_${name}`)

describe('listing payment methods by query', () => {
  test.each([
    ['?customer_id=cus_ada', newest, false, 6],
    ['?customer_id=cus_ada&type=LOAN', ['pm_ada_loan'], false, 1],
    ['?customer_id=cus_ada&type=CARD&limit=2', ['pm_ada_virtual', 'pm_ada_secured'], true, 4],
    ['?customer_id=cus_ada&limit=2&starting_after=pm_ada_bank', ['pm_ada_card', 'pm_ada_old'], false, 6],
  ])('%s -> 200 and the whole of each, newest first', async (query, ids, has_more, total) => {
    const { call } = await startServing()
    const answer = await call('GET', path + query)
    const data = await Promise.all(ids.map(async (id) => (await call('GET', `${path}/${id}`)).json))
    expect([answer.status, answer.json]).toEqual([200, { data, has_more, total }])
    expect(answer.assumptions[0]).toBe('unlisted_operations')
  })

  test('of a customer who has none -> 200 and no row', async () => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}?customer_id=cus_ben`)
    expect([answer.status, answer.json]).toEqual([200, { data: [], has_more: false, total: 0 }])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test.each([
    ['cus_nobody', 'not_found', 404],
    ['cus_hana', 'not_found', 404],
    ['cus_nobody', 'empty_list', 200],
    ['cus_hana', 'empty_list', 200],
  ])('of %s: payment_methods_unknown_customer=%s -> %i', async (id, value, status) => {
    const { call } = await startServing({ assume: { payment_methods_unknown_customer: value } })
    const answer = await call('GET', `${path}?customer_id=${id}`)
    const notFound = shapeC('CUSTOMER_NOT_FOUND_ERROR', 'customer_id', 'No customer has this customer_id.')
    const empty = { data: [], has_more: false, total: 0 }
    expect([answer.status, answer.json]).toEqual([status, status === 404 ? notFound : empty])
    expect(answer.assumptions).toContain('unlisted_operations')
    expect(answer.assumptions).toContain('payment_methods_unknown_customer')
  })

  test.each([
    ['', 'customer_id: is required'],
    ['?type=CARD', 'customer_id: is required'],
    ['?customer_id=cus_ada&type=card', 'type: must be one of CARD, BANK_ACCOUNT, LOAN'],
    ['?customer_id=cus_ada&limit=0', 'limit: must be an integer of at least 1'],
    [
      '?customer_id=cus_ada&starting_after=pm_carla_card',
      'starting_after: must be the id of a listed payment method',
    ],
    [
      '?customer_id=cus_ada&type=LOAN&starting_after=pm_ada_card',
      'starting_after: must be the id of a listed payment method',
    ],
  ])('%s -> 400 of shape A', async (query, detail) => {
    const { call } = await startServing()
    const answer = await call('GET', path + query)
    expect([answer.status, answer.json]).toEqual([400, invalid(path, detail)])
    expect(answer.assumptions).toContain('unlisted_operations')
  })
})
