import { expect, test } from 'vitest'
import { handle } from '../../src/http/stages/handle.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { endpoint } from '../../src/endpoints/define.ts'
import { groupByPath } from '../../src/endpoints/routes.ts'
import { callOf, serviceWithOneReward } from '../helpers/served-call.ts'

test('a handler that fails after it wrote -> nothing that it wrote stands', () => {
  const service = serviceWithOneReward()
  const failing = endpoint({
    id: 'deleteOrderEvent',
    method: 'DELETE',
    path: '/x',
    summary: 'Fails',
    params: {},
    status: 204,
    errors: [],
    handler({ tx }) {
      tx.delete('rewards', 'rwd_1')
      tx.nextId('rewards', 'rwd')
      throw new ApiError('BAD_REQUEST_ERROR')
    },
  })
  const call = callOf(service, 'DELETE', groupByPath([failing])[0])
  call.resolution.key = {
    id: 'key_1',
    secret: 's',
    api_key: 'k',
    scopes: [],
    products: ['mk_1'],
    created_at: '2026-01-01T00:00:00.000Z',
    environment: 'sandbox',
  }
  call.resolution.product = {
    merchant_key: 'mk_1',
    name: 'P',
    rewards: {
      currency: 'POINTS',
      symbol: 'points',
      description: 'P',
      precision: 0,
      categories: [],
      special_categories: [],
    },
  }

  expect(() => handle.run(call)).toThrow(ApiError)
  const { state } = service.workspaces.default
  expect(state.get('rewards', 'rwd_1')).toMatchObject({ status: 'PENDING' })
  expect(state.ids).toBe(0)
})
