import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders } from '../helpers/answers.ts'
import { startServing } from '../helpers/unlisted.ts'

const path = '/v2/rewards'

const newestChanged = [
  'rwd_carla_statement',
  'rwd_carla_one_time',
  'rwd_carla_offer',
  'rwd_ada_referral',
  'rwd_ada_pending_deduction',
  'rwd_ada_pending',
  'rwd_carla_available',
  'rwd_ada_available',
  'rwd_ada_offer',
  'rwd_ada_deducted',
  'rwd_ada_one_time',
]

describe('listing rewards', () => {
  test.each([
    ['?limit=11', newestChanged, false, 11],
    ['?limit=100', newestChanged, false, 11],
    ['?limit=10', newestChanged.slice(0, 10), true, 11],
    ['?limit=3&starting_after=rwd_ada_referral', newestChanged.slice(4, 7), true, 11],
    ['?starting_after=rwd_ada_one_time', [], false, 11],
    ['?transaction_event_id=txe_ada_1', ['rwd_ada_pending'], false, 1],
    ['?transaction_event_id=txe_nobody', [], false, 0],
  ])(
    '%s -> 200 and the rewards of the product, the last changed first',
    async (query, ids, has_more, total) => {
      const { call, state } = await startServing()
      const answer = await call('GET', path + query)
      const data = ids.map((id) => state.get('rewards', id))
      expect([answer.status, answer.json]).toEqual([200, { data, has_more, total }])
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    },
  )

  test('without a limit -> a page of the default size, which it names', async () => {
    const { call } = await startServing()
    const answer = await call('GET', path)
    expect([answer.json.data.length, answer.json.has_more]).toEqual([10, true])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'default_page_size']),
    )
  })

  test('an update during a walk -> the reward moves to the front', async () => {
    const { call } = await startServing()
    await call('PATCH', `${path}/rwd_carla_offer`, { json: { status: 'AVAILABLE' } })
    const { json } = await call('GET', `${path}?limit=1`)
    expect(json.data[0]).toMatchObject({ id: 'rwd_carla_offer', status: 'AVAILABLE' })
  })

  test.each([
    ['limit=0', 'limit: must be an integer of at least 1'],
    ['starting_after=rwd_hana_pending', 'starting_after: must be the id of a listed reward'],
    [
      'transaction_event_id=txe_ada_1&starting_after=rwd_ada_available',
      'starting_after: must be the id of a listed reward',
    ],
  ])('%s -> 400 of shape A', async (query, detail) => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}?${query}`)
    expect([answer.status, answer.json]).toEqual([400, invalid(path, detail)])
    expect(answer.assumptions).toContain('unlisted_operations')
  })
})
