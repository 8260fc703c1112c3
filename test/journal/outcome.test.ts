import { describe, expect, it } from 'vitest'
import { outcomes, outcomeOfStatus, type OutcomeName } from '../../src/contract/outcomes.ts'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { basic } from '../helpers/sandbox.ts'

interface Sent extends SandboxOptions {
  key?: string | null
  headers?: Record<string, string>
  json?: unknown
  body?: string
  /** Built-in scenarios, or one rule for every operation. */
  scenario?: string | object
  on?: string
}

const reward = '/v2/rewards/rwd_ada_pending'
const intents = '/v2/transaction_intents'
const intent = { customer_id: 'cus_ada', amount: 1, currency: 'USD' }
const json = { 'content-type': 'application/json' }
const statements = '/v2/customers/cus_ada/accounts'

/** The journal entry of one call. */
async function journalled(method: string, path: string, sent: Sent = {}): Promise<unknown[]> {
  const { key = 'sk_sandbox_full', headers = {}, json: value, body, scenario, on = '*', ...options } = sent
  const armed =
    typeof scenario === 'object'
      ? [{ name: 'armed', description: 'd', rules: [{ on, effect: scenario }] }]
      : []
  await using sandbox = await createSandbox({
    ...options,
    ...(scenario === undefined ? {} : { scenarios: typeof scenario === 'string' ? [scenario] : armed }),
  })
  const init: RequestInit = {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(value === undefined ? {} : json),
      ...headers,
    },
    signal: AbortSignal.timeout(5_000),
  }
  const content = value === undefined ? body : JSON.stringify(value)
  const call = sandbox.fetch(path, content === undefined ? init : { ...init, body: content })
  // A call that hangs ends with its sandbox.
  if (scenario === 'hang') setImmediate(() => void sandbox.close())
  await call.then((answer) => answer.text()).catch(() => undefined)
  const workspace = sandbox.workspace('default')
  expect(workspace.requests.list()).toHaveLength(1)
  const [entry] = workspace.requests.list()
  return [entry?.status, entry?.outcome, entry?.error_type, entry?.operation]
}

const table: [string, OutcomeName, string, string, Sent, (string | number | null)[]][] = [
  // success
  ['a read', 'success', 'GET', reward, {}, [200, null, 'retrieveReward']],
  ['HEAD', 'success', 'HEAD', reward, {}, [200, null, 'retrieveReward']],
  ['OPTIONS with a key', 'success', 'OPTIONS', reward, {}, [204, null, null]],
  ['a creation', 'success', 'POST', intents, { json: intent }, [200, null, 'createTransactionIntent']],
  ['a deletion', 'success', 'DELETE', '/v2/order_events/ord_ada_1', {}, [204, null, 'deleteOrderEvent']],
  [
    'fields left out',
    'success',
    'GET',
    '/v2/customers',
    { key: 'sk_sandbox_none' },
    [200, null, 'searchCustomers'],
  ],
  // unauthenticated
  ['no key', 'unauthenticated', 'GET', reward, { key: null }, [401, 'UNAUTHORIZED_ERROR', 'retrieveReward']],
  [
    'a wrong secret',
    'unauthenticated',
    'GET',
    reward,
    { key: null, headers: basic('key_full', 'x') },
    [401, 'UNAUTHORIZED_ERROR', 'retrieveReward'],
  ],
  [
    'under other assumptions',
    'unauthenticated',
    'GET',
    reward,
    { key: 'nobody', assume: { unauthenticated_status: 403, unauthenticated_type: 'AUTHENTICATION_ERROR' } },
    [403, 'FORBIDDEN_ERROR', 'retrieveReward'],
  ],
  [
    'no key, no such path',
    'unauthenticated',
    'GET',
    '/v2/x',
    { key: null },
    [401, 'UNAUTHORIZED_ERROR', null],
  ],
  [
    'a scenario',
    'unauthenticated',
    'GET',
    reward,
    { scenario: 'key-revoked' },
    [401, 'UNAUTHORIZED_ERROR', 'retrieveReward'],
  ],
  // unsupported_version
  [
    'an unknown version',
    'unsupported_version',
    'GET',
    reward,
    { headers: { 'x-service-version': 'v2' } },
    [400, 'BAD_REQUEST_ERROR', 'retrieveReward'],
  ],
  [
    'an unknown version of no path',
    'unsupported_version',
    'GET',
    '/v2/x',
    { headers: { 'x-service-version': '' } },
    [400, 'BAD_REQUEST_ERROR', null],
  ],
  [
    'a scenario',
    'unsupported_version',
    'GET',
    reward,
    { scenario: 'version-unsupported' },
    [400, 'BAD_REQUEST_ERROR', 'retrieveReward'],
  ],
  // forbidden
  [
    'no scope',
    'forbidden',
    'POST',
    intents,
    { key: 'sk_sandbox_none', json: {} },
    [403, 'FORBIDDEN_ERROR', 'createTransactionIntent'],
  ],
  [
    'under another assumption',
    'forbidden',
    'POST',
    intents,
    { key: 'sk_sandbox_none', assume: { forbidden_type: 'PERMISSION_ERROR' } },
    [403, 'PERMISSION_ERROR', 'createTransactionIntent'],
  ],
  [
    'a scenario',
    'forbidden',
    'POST',
    intents,
    { json: intent, scenario: 'scope-missing-transaction-intent-write' },
    [403, 'FORBIDDEN_ERROR', 'createTransactionIntent'],
  ],
  // not_found
  ['a row', 'not_found', 'GET', '/v2/rewards/x', {}, [404, 'REWARD_NOT_FOUND_ERROR', 'retrieveReward']],
  [
    'HEAD of none',
    'not_found',
    'HEAD',
    '/v2/rewards/x',
    {},
    [404, 'REWARD_NOT_FOUND_ERROR', 'retrieveReward'],
  ],
  [
    'under another status',
    'not_found',
    'GET',
    '/v2/rewards/x',
    { assume: { not_found_status: 400 } },
    [400, 'REWARD_NOT_FOUND_ERROR', 'retrieveReward'],
  ],
  [
    'a row that the body names',
    'not_found',
    'POST',
    intents,
    { json: { ...intent, customer_id: 'x' } },
    [404, 'CUSTOMER_NOT_FOUND_ERROR', 'createTransactionIntent'],
  ],
  [
    'an account',
    'not_found',
    'GET',
    `${statements}/x/statements`,
    {},
    [404, 'ACCOUNT_NOT_FOUND_ERROR', 'listStatements'],
  ],
  [
    'an account under another assumption',
    'not_found',
    'GET',
    `${statements}/x/statements`,
    { assume: { unknown_account_type: 'BAD_REQUEST_ERROR' } },
    [400, 'BAD_REQUEST_ERROR', 'listStatements'],
  ],
  [
    'an order event',
    'not_found',
    'DELETE',
    '/v2/order_events/x',
    {},
    [400, 'BAD_REQUEST_ERROR', 'deleteOrderEvent'],
  ],
  [
    'an order event under another assumption',
    'not_found',
    'DELETE',
    '/v2/order_events/x',
    { assume: { delete_missing_order_event: 'not_found' } },
    [404, 'NOT_FOUND_ERROR', 'deleteOrderEvent'],
  ],
  [
    'a scenario',
    'not_found',
    'GET',
    reward,
    { scenario: 'not-found-reward' },
    [404, 'REWARD_NOT_FOUND_ERROR', 'retrieveReward'],
  ],
  [
    'a scenario for an order event',
    'not_found',
    'DELETE',
    '/v2/order_events/ord_ada_1',
    {
      scenario: { error: 'NOT_FOUND_ERROR' },
      on: 'deleteOrderEvent',
      assume: { delete_missing_order_event: 'not_found' },
    },
    [404, 'NOT_FOUND_ERROR', 'deleteOrderEvent'],
  ],
  // invalid
  ['rules of a body', 'invalid', 'POST', intents, { json: {} }, [400, null, 'createTransactionIntent']],
  ['rules of a query', 'invalid', 'GET', '/v2/customers?limit=0', {}, [400, null, 'searchCustomers']],
  [
    'an unknown cursor',
    'invalid',
    'GET',
    '/v2/customers?starting_after=x',
    {},
    [400, null, 'searchCustomers'],
  ],
  [
    'malformed JSON',
    'invalid',
    'POST',
    intents,
    { headers: json, body: '{' },
    [400, 'BAD_REQUEST_ERROR', 'createTransactionIntent'],
  ],
  [
    'malformed JSON in shape A',
    'invalid',
    'POST',
    intents,
    { headers: json, body: '{', assume: { malformed_json_shape: 'A' } },
    [400, null, 'createTransactionIntent'],
  ],
  [
    'too deep',
    'invalid',
    'POST',
    intents,
    { headers: json, body: `${'['.repeat(90)}${']'.repeat(90)}` },
    [400, 'BAD_REQUEST_ERROR', 'createTransactionIntent'],
  ],
  [
    '413',
    'invalid',
    'POST',
    intents,
    { headers: json, body: 'x'.repeat(1_048_577) },
    [413, 'PAYLOAD_TOO_LARGE_ERROR', 'createTransactionIntent'],
  ],
  [
    '415',
    'invalid',
    'POST',
    intents,
    { headers: { 'content-type': 'text/plain' }, body: '{}' },
    [415, 'UNSUPPORTED_MEDIA_TYPE_ERROR', 'createTransactionIntent'],
  ],
  [
    'no product',
    'invalid',
    'GET',
    reward,
    { key: 'sk_sandbox_multi' },
    [400, 'BAD_REQUEST_ERROR', 'retrieveReward'],
  ],
  [
    'no product, 403',
    'invalid',
    'GET',
    reward,
    { key: 'sk_sandbox_multi', assume: { missing_merchant_key_status: 403 } },
    [403, 'FORBIDDEN_ERROR', 'retrieveReward'],
  ],
  [
    'another product',
    'invalid',
    'GET',
    reward,
    { headers: { 'x-service-merchant-key': 'mk_harbor' } },
    [400, 'BAD_REQUEST_ERROR', 'retrieveReward'],
  ],
  [
    'an idempotency key',
    'invalid',
    'POST',
    intents,
    { json: intent, headers: { 'idempotency-key': '1' }, assume: { idempotency_key: 'refused' } },
    [400, 'BAD_REQUEST_ERROR', 'createTransactionIntent'],
  ],
  [
    'an unknown scenario',
    'invalid',
    'GET',
    reward,
    { headers: { 'x-sandbox-scenario': 'none' } },
    [400, 'BAD_REQUEST_ERROR', 'retrieveReward'],
  ],
  [
    'a scenario',
    'invalid',
    'GET',
    reward,
    { scenario: { invalid: ['x must be y'] } },
    [400, null, 'retrieveReward'],
  ],
  [
    'a scenario with a bad request',
    'invalid',
    'GET',
    reward,
    { scenario: { error: 'BAD_REQUEST_ERROR' } },
    [400, 'BAD_REQUEST_ERROR', 'retrieveReward'],
  ],
  // refused
  [
    'a reward that is not pending',
    'refused',
    'PATCH',
    '/v2/rewards/rwd_ada_available',
    { json: { amount: 1 } },
    [400, 'BAD_REQUEST_ERROR', 'updateReward'],
  ],
  [
    'the same as a conflict',
    'refused',
    'PATCH',
    '/v2/rewards/rwd_ada_available',
    { json: { amount: 1 }, assume: { reward_not_pending: 'conflict' } },
    [409, 'CONFLICT_ERROR', 'updateReward'],
  ],
  [
    '409',
    'refused',
    'POST',
    '/v2/customers/cus_ben/link',
    { json: { partner_customer_id: 'partner-ada' } },
    [409, 'CUSTOMER_ALREADY_LINKED', 'linkCustomer'],
  ],
  [
    '409, a customer who is linked',
    'refused',
    'POST',
    '/v2/customers/cus_ada/link',
    { json: { partner_customer_id: 'new' } },
    [409, 'CUSTOMER_ALREADY_LINKED', 'linkCustomer'],
  ],
  [
    '409 of the earlier type',
    'refused',
    'POST',
    '/v2/customers/cus_ben/link',
    { json: { partner_customer_id: 'partner-ada' }, assume: { link_conflict_type: 'CONFLICT_ERROR' } },
    [409, 'CONFLICT_ERROR', 'linkCustomer'],
  ],
  [
    '409 as 422',
    'refused',
    'POST',
    '/v2/customers/cus_ben/link',
    { json: { partner_customer_id: 'partner-ada' }, assume: { link_conflict_status: 422 } },
    [422, 'CUSTOMER_ALREADY_LINKED', 'linkCustomer'],
  ],
  [
    '409 of the earlier type as 422',
    'refused',
    'POST',
    '/v2/customers/cus_ben/link',
    {
      json: { partner_customer_id: 'partner-ada' },
      assume: { link_conflict_status: 422, link_conflict_type: 'CONFLICT_ERROR' },
    },
    [422, 'CONFLICT_ERROR', 'linkCustomer'],
  ],
  [
    '429',
    'refused',
    'GET',
    reward,
    { scenario: 'rate-limited' },
    [429, 'RATE_LIMIT_ERROR', 'retrieveReward'],
  ],
  // unmatched
  ['no such path', 'unmatched', 'GET', '/v2/x', {}, [404, 'NOT_FOUND_ERROR', null]],
  ['no such method', 'unmatched', 'PUT', reward, {}, [405, 'METHOD_NOT_ALLOWED_ERROR', null]],
  ['a slash at the end', 'unmatched', 'GET', `${reward}/`, {}, [404, 'NOT_FOUND_ERROR', null]],
  // fault
  ...['reset', 'empty', 'truncate', 'malformed_json'].flatMap((fault) =>
    ['before', 'after'].map((at): (typeof table)[number] => [
      `${fault} ${at} the commit`,
      'fault',
      'POST',
      intents,
      { json: intent, scenario: { transport: fault, at } },
      [fault === 'malformed_json' ? 200 : null, null, 'createTransactionIntent'],
    ]),
  ),
  [
    'a slow answer',
    'fault',
    'GET',
    reward,
    { scenario: { transport: { drip: { bytes_per_second: 1_000_000 } } } },
    [200, null, 'retrieveReward'],
  ],
  ['no answer', 'fault', 'GET', reward, { scenario: 'hang' }, [null, null, 'retrieveReward']],
  [
    'a refusal that is lost',
    'fault',
    'POST',
    intents,
    { json: {}, scenario: { transport: 'reset', at: 'after' } },
    [null, null, 'createTransactionIntent'],
  ],
  // error
  [
    '500',
    'error',
    'GET',
    reward,
    { scenario: { error: 'INTERNAL_ERROR' } },
    [500, 'INTERNAL_ERROR', 'retrieveReward'],
  ],
  [
    '503',
    'error',
    'GET',
    reward,
    { scenario: 'unavailable' },
    [503, 'SERVICE_UNAVAILABLE_ERROR', 'retrieveReward'],
  ],
  [
    'too many workspaces',
    'error',
    'GET',
    reward,
    { key: 'sk_sandbox_full.w1', maxWorkspaces: 0 },
    [503, 'SERVICE_UNAVAILABLE_ERROR', 'retrieveReward'],
  ],
  // Answers that a scenario made up count by their status.
  ...(
    [
      [299, 'success'],
      [302, 'success'],
      [401, 'unauthenticated'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [405, 'unmatched'],
      [409, 'refused'],
      [418, 'invalid'],
      [429, 'refused'],
      [502, 'error'],
    ] as [number, OutcomeName][]
  ).map(([status, outcome]): (typeof table)[number] => [
    `any answer at all, ${status}`,
    outcome,
    'GET',
    reward,
    { scenario: { respond: { status, body: { error: { type: 'MADE_UP' } } } } },
    [status, status < 400 ? null : 'MADE_UP', 'retrieveReward'],
  ]),
]

describe('the outcome of every kind of answer', () => {
  it.each(table)('%s -> %s', async (_, outcome, method, path, sent, [status, type, operation]) => {
    expect(await journalled(method, path, sent)).toEqual([status, outcome, type, operation])
  })

  it('there is a case for every outcome', () => {
    expect(outcomes.filter((outcome) => !table.some(([, of]) => of === outcome))).toEqual([])
  })
})

it.each<[number, OutcomeName]>([
  [200, 'success'],
  [399, 'success'],
  [400, 'invalid'],
  [401, 'unauthenticated'],
  [410, 'invalid'],
  [500, 'error'],
  [599, 'error'],
])('a bare %i is %s', (status, outcome) => {
  expect(outcomeOfStatus(status)).toBe(outcome)
})
