import { expect, test } from 'vitest'
import type { AssumptionId } from '../../src/contract/assumptions.ts'
import { startSandbox, type CallOptions } from '../helpers/sandbox.ts'

/** Case 131: where an alternative sets another status, the type in the body is one of that status. */

type Sent = [method: string, path: string, options?: CallOptions]

const reward = '/v2/rewards/rwd_ada_pending'
const typed: CallOptions = { body: '{}', headers: { 'content-type': 'text/plain' } }
const product = (name: string): CallOptions => ({ headers: { 'x-service-merchant-key': name } })

test.each<[AssumptionId, number, string, Sent]>([
  ['unauthenticated_status', 401, 'UNAUTHORIZED_ERROR', ['GET', reward, { key: null }]],
  ['unauthenticated_status', 403, 'FORBIDDEN_ERROR', ['GET', reward, { key: null }]],
  ['missing_merchant_key_status', 400, 'BAD_REQUEST_ERROR', ['GET', reward, { key: 'sk_sandbox_multi' }]],
  ['missing_merchant_key_status', 403, 'FORBIDDEN_ERROR', ['GET', reward, { key: 'sk_sandbox_multi' }]],
  ['unknown_merchant_key_status', 400, 'BAD_REQUEST_ERROR', ['GET', reward, product('mk_none')]],
  ['unknown_merchant_key_status', 403, 'FORBIDDEN_ERROR', ['GET', reward, product('mk_none')]],
  ['unknown_merchant_key_status', 404, 'NOT_FOUND_ERROR', ['GET', reward, product('mk_none')]],
  ['unsupported_media_type', 415, 'UNSUPPORTED_MEDIA_TYPE_ERROR', ['PATCH', reward, typed]],
  ['unsupported_media_type', 400, 'BAD_REQUEST_ERROR', ['PATCH', reward, typed]],
  ['not_found_status', 400, 'REWARD_NOT_FOUND_ERROR', ['GET', '/v2/rewards/none']],
  ['not_found_status', 410, 'REWARD_NOT_FOUND_ERROR', ['GET', '/v2/rewards/none']],
])('case 131: %s=%s -> %s', async (id, status, type, [method, path, options]) => {
  const { call } = await startSandbox({ assume: { [id]: status } })
  const { json, ...answer } = await call(method, path, options)
  expect([answer.status, json.error?.type ?? json.type]).toEqual([status, type])
})

test('case 131: the type of a status is the one that an assumption gives it', async () => {
  const { call } = await startSandbox({
    assume: {
      unauthenticated_status: 403,
      missing_merchant_key_status: 403,
      forbidden_type: 'MISSING_SCOPE_ERROR',
    },
  })
  const unauthenticated = await call('GET', reward, { key: null })
  const unselected = await call('GET', reward, { key: 'sk_sandbox_multi' })
  const types = [unauthenticated, unselected].map(({ json }) => json.error.type)
  expect(types).toEqual(['MISSING_SCOPE_ERROR', 'MISSING_SCOPE_ERROR'])
  expect(unauthenticated.assumptions).toEqual(['unauthenticated_status', 'forbidden_type'])
})
