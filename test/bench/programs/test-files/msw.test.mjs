// The same 100 tests with handlers of MSW.
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { fiveCalls } from './five-calls.mjs'

const url = 'https://partner.example'
const customers = ['cus_ben', 'cus_zoe'].map((id) => ({ id, first_name: 'Ben', last_name: 'Osei' }))

const server = setupServer(
  http.get(`${url}/v2/rewards/:id`, ({ params }) =>
    HttpResponse.json({ id: params['id'], customer_id: 'cus_ada', amount: 252, status: 'PENDING' }),
  ),
  http.get(`${url}/v2/customers/:id/rewards_balance`, ({ params }) =>
    HttpResponse.json({ customer_id: params['id'], reward_balance: 29_590, reward_symbol: 'points' }),
  ),
  http.get(`${url}/v2/customers`, () => HttpResponse.json({ data: customers, has_more: true, total: 4 })),
  http.post(`${url}/v2/transaction_intents`, async ({ request }) => {
    const body = /** @type {object} */ (await request.json())
    return HttpResponse.json({ id: 'int_1', status: 'CONFIRMED', ...body })
  }),
)
beforeAll(() => server.listen())
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

for (let at = 0; at < 100; at++) {
  test(`test ${at}`, async () => {
    await fiveCalls((path, init) => fetch(url + path, init))
  })
}
