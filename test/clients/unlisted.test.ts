import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import type { paths } from './typescript/api.generated.ts'

it('a generated client calls operations outside the contract', async () => {
  const sandbox = await startSandbox({ assume: { unlisted_operations: 'documented' } })
  const api = createClient<paths>({
    baseUrl: 'http://localhost',
    headers: { authorization: 'Bearer sk_sandbox_full' },
    fetch: sandbox.fetch,
  })
  const order = { payment_method_id: 'pm_ada_card', partner_order_id: 'A-9', total_order_amount: 500 }
  const made = await api.POST('/v2/orders', { body: order })
  expect(made.data).toMatchObject({ ...order, customer_id: 'cus_ada' })
  const id = made.data?.id ?? ''
  const listed = await api.GET('/v2/orders', { params: { query: { partner_order_id: 'A-9' } } })
  expect(listed.data).toEqual({ data: [made.data] })
  const changed = { ...order, total_order_amount: 450 }
  const replaced = await api.PUT('/v2/orders/{order_id}', {
    params: { path: { order_id: id } },
    body: changed,
  })
  expect(replaced.data?.total_order_amount).toBe(450)
  const gone = await api.DELETE('/v2/orders/{order_id}', { params: { path: { order_id: id } } })
  expect(gone.response.status).toBe(204)
  const { error } = await api.GET('/v2/transactions/{transaction_id}', {
    params: { path: { transaction_id: 'txn_none' } },
  })
  expect(error).toEqual({
    type: 'TRANSACTION_FOUND_ERROR',
    message: 'No transaction has this transaction_id.',
    param: 'transaction_id',
  })
})
