import { expect, test } from 'vitest'
import { invalid } from '../helpers/answers.ts'
import { startSandbox, type CallOptions } from '../helpers/sandbox.ts'

/** Cases 132 and 133: what a call sends that its operation does not know, and nulls. */

type Sent = [method: string, path: string, options?: CallOptions]

const customers = '/v2/customers'
const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
const categories = '/v2/rewards/rewards_categories'
const reward = '/v2/rewards/rwd_ada_pending'
const harbor: CallOptions = { key: 'sk_sandbox_multi', headers: { 'x-service-merchant-key': 'mk_harbor' } }

test.each<[Sent, string[], string[], string]>([
  [
    ['GET', `${customers}?page_size=5`],
    ['page_size'],
    [
      'default_page_size',
      'customers_without_filter',
      'unknown_query_parameters',
      'customers_page_size_parameter',
      'customers_order',
    ],
    'searchCustomers does not define them; page_size needs customers_page_size_parameter=page_size; the name is now limit',
  ],
  [
    ['GET', `${statements}?per_page=5&x=1`],
    ['per_page', 'x'],
    [
      'default_page_size',
      'unknown_query_parameters',
      'pdf_url_lifetime_seconds',
      'statements_page_size_parameter',
    ],
    'listStatements does not define them; per_page needs statements_page_size_parameter=per_page; the name is now limit',
  ],
  [
    ['GET', `${categories}?lang=es`, harbor],
    ['lang'],
    ['unknown_query_parameters', 'locale_parameter'],
    'listRewardCategories does not define them; lang needs locale_parameter=lang; the name is now locale',
  ],
  [
    ['GET', `${reward}?verbose=1`],
    ['verbose'],
    ['unknown_query_parameters'],
    'retrieveReward does not define them',
  ],
])('case 132: %j -> ignored, named and explained', async ([method, path, options], names, named, note) => {
  const { call, requests } = await startSandbox()
  const answer = await call(method, path, options)
  expect([answer.status, answer.assumptions]).toEqual([200, named])
  const sections = requests.explain(String(answer.requestId))?.sections
  expect(sections?.find(({ about }) => about === 'ignored')?.facts).toEqual([
    { name: 'query_parameters', value: names, note },
  ])
})

test('case 132: body fields -> listed in the explanation', async () => {
  const { call, requests } = await startSandbox()
  const json = { amount: 5, note: 'x', by: { whom: 'y' } }
  const answer = await call('PATCH', reward, { json })
  expect([answer.status, answer.assumptions]).toEqual([200, ['unknown_body_fields']])
  const sections = requests.explain(String(answer.requestId))?.sections
  expect(sections?.find(({ about }) => about === 'ignored')?.facts).toEqual([
    { name: 'body_fields', value: ['note', 'by'], note: 'updateReward does not define them' },
  ])
})

test('case 132: nothing unknown -> nothing is said of it', async () => {
  const { call, requests } = await startSandbox()
  const answer = await call('GET', `${customers}?limit=5&starting_after=cus_ben`)
  const sections = requests.explain(String(answer.requestId))?.sections
  expect(sections?.map(({ about }) => about)).not.toContain('ignored')
})

test.each<[Sent, string[]]>([
  [['GET', `${customers}?page_size=5`], ['page_size: is not a known parameter']],
  [
    ['GET', `${reward}?a=1&b=2&a=3`],
    ['a: is not a known parameter', 'b: is not a known parameter'],
  ],
  [
    ['GET', `${customers}?limit=0&x=1`],
    ['limit: must be an integer of at least 1', 'x: is not a known parameter'],
  ],
  [['POST', '/v2/keys?name=x'], ['name: is not a known parameter']],
  [['DELETE', '/v2/order_events/ord_ada_1?force=1'], ['force: is not a known parameter']],
])('case 132: unknown_query_parameters=refuse, %j -> 400 A', async ([method, path], details) => {
  const { call } = await startSandbox({ assume: { unknown_query_parameters: 'refuse' } })
  const answer = await call(method, path)
  expect([answer.status, answer.json]).toEqual([400, invalid(path.replace(/\?.*/, ''), ...details)])
  expect(answer.assumptions).toContain('unknown_query_parameters')
})

const whole = { customer_id: 'cus_ada', amount: 5, currency: 'USD', payment_method_id: 'pm_ada_card' }
const intents = '/v2/transaction_intents'

test.each<[Sent, number, string[]]>([
  [['POST', intents, { json: { ...whole, merchant_name: null } }], 200, ['merchant_name: must be a string']],
  [['POST', intents, { json: { ...whole, metadata: null } }], 200, ['metadata: must be a JSON object']],
  [
    ['POST', intents, { json: { ...whole, merchant_address: { city: null, country: 'US' } } }],
    200,
    ['merchant_address.city: must be a string'],
  ],
  [
    ['POST', '/v2/payment_methods', { json: { customer_id: 'cus_ada', pan: null } }],
    200,
    ['pan: must be a string'],
  ],
  [
    ['PATCH', reward, { json: { amount: 5, status: null } }],
    200,
    ['status: must be one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED'],
  ],
])(
  'case 133: null in %j -> as if it was left out, or 400 A',
  async ([method, path, options], status, details) => {
    const { call } = await startSandbox()
    const absent = await call(method, path, options)
    expect(absent.status).toBe(status)
    expect(absent.assumptions).toContain('null_request_fields')
    const refusing = await startSandbox({ assume: { null_request_fields: 'refuse' } })
    const refused = await refusing.call(method, path, options)
    expect([refused.status, refused.json]).toEqual([400, invalid(path, ...details)])
    expect(refused.assumptions).toContain('null_request_fields')
  },
)

test('case 133: null in a required field is a wrong type, and in metadata a value', async () => {
  const { call } = await startSandbox()
  const required = await call('POST', intents, { json: { ...whole, customer_id: null } })
  expect(required.json).toEqual(invalid(intents, 'customer_id: must be a string'))
  const kept = await call('POST', intents, { json: { ...whole, metadata: { a: null } } })
  expect(kept.json.metadata).toEqual({ a: null })
  expect(kept.assumptions).not.toContain('null_request_fields')
})
