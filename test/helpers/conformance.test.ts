import { describe, expect, it } from 'vitest'
import { resolveAssumptions, type UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { describeApi } from '../../src/openapi/index.ts'
import { conformance, type Answered } from './conformance.ts'

const documentUnder = (settings: UnvalidatedSettings = {}) =>
  describeApi({
    assumptions: resolveAssumptions(settings),
    serverUrl: 'http://127.0.0.1:4010',
    environment: 'sandbox',
    sandboxVersion: '0.1.0',
    sandbox: true,
  })

const { check } = conformance(documentUnder())

const version = { 'x-service-version': '2026-10-13' }
const always = { 'x-sandbox-request-id': 'req_default_1' }
const json = { 'content-type': 'application/json' }
const base = { ...json, ...always, ...version }

const reward = {
  id: 'rwd_1',
  customer_id: 'cus_1',
  amount: 100,
  type: 'OFFER',
  status: 'PENDING',
  created_at: '2026-01-01T00:00:00.000Z',
}
const errorB = (type: string, message = 'No.') => ({ error: { type, message } })
const notFound = { type: 'REWARD_NOT_FOUND_ERROR', message: 'No.', param: 'reward_id' }
const invalid = {
  path: '/v2/rewards/rwd_1',
  details: ['amount: must be an integer'],
  error: 'Bad Request',
  status: 400,
  timestamp: '2026-01-01T00:00:00.000Z',
}
const unsupported = errorB('BAD_REQUEST_ERROR', "Unsupported x-service-version 'x'. Supported versions: a.")
const customers = { data: [{ ...customer(), statuses: { 'Any Card': 'ANY' } }], has_more: false, total: 1 }

function customer() {
  return {
    id: 'cus_1',
    email: 'a@example.com',
    first_name: 'A',
    last_name: 'B',
    statuses: {},
    created_at: '2026-01-01T00:00:00.000Z',
    metadata: { any: { thing: [1] } },
  }
}

function answered(status: number, body: unknown, headers: Record<string, string> = base): Answered {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

describe('answers that are as declared', () => {
  it.each<[string, string, Answered]>([
    ['GET', '/v2/rewards/rwd_1', answered(200, reward)],
    ['GET', '/v2/rewards/%zz?x=1', answered(404, notFound)],
    ['GET', '/v2/customers?limit=1', answered(200, customers)],
    ['GET', '/v2/customers/../customers', answered(200, customers)],
    [
      'GET',
      '/v2/rewards/rewards_categories',
      answered(200, { currency: 'USD', categories: [], special_categories: [] }),
    ],
    [
      'PATCH',
      '/v2/rewards/rwd_1',
      answered(200, reward, {
        ...base,
        'x-sandbox-assumptions': 'reward_target_statuses, negative_amount',
      }),
    ],
    ['PATCH', '/v2/rewards/rwd_1', answered(400, invalid)],
    ['PATCH', '/v2/rewards/rwd_1', answered(400, errorB('BAD_REQUEST_ERROR'))],
    ['PATCH', '/v2/rewards/rwd_1', answered(400, unsupported, { ...json, ...always })],
    [
      'PATCH',
      '/v2/rewards/rwd_1',
      answered(415, errorB('UNSUPPORTED_MEDIA_TYPE_ERROR'), {
        ...base,
        'accept-encoding': 'identity',
      }),
    ],
    [
      'GET',
      '/v2/rewards/rwd_1',
      answered(401, errorB('UNAUTHORIZED_ERROR'), {
        ...json,
        ...always,
        'www-authenticate': 'Basic realm="x", Bearer',
      }),
    ],
    [
      'GET',
      '/v2/rewards/rwd_1',
      answered(503, errorB('SERVICE_UNAVAILABLE_ERROR'), { ...json, ...always, 'retry-after': '1' }),
    ],
    [
      'GET',
      '/v2/rewards/rwd_1',
      answered(503, errorB('SERVICE_UNAVAILABLE_ERROR'), { ...base, 'retry-after': '1' }),
    ],
    ['GET', '/v2/rewards/rwd_1', answered(429, errorB('RATE_LIMIT_ERROR'), { ...base, 'retry-after': '1' })],
    ['GET', '/v2/rewards/rwd_1', answered(500, errorB('INTERNAL_ERROR'))],
    ['DELETE', '/v2/order_events/evt_1', answered(204, '', { ...always, ...version })],
    ['HEAD', '/v2/rewards/rwd_1', answered(200, '')],
    ['HEAD', '/v2/rewards/rwd_1', answered(404, '')],
    ['GET', '/v2/nothing', answered(404, errorB('NOT_FOUND_ERROR'))],
    ['GET', '/v2/rewards/', answered(404, errorB('NOT_FOUND_ERROR'))],
    [
      'PUT',
      '/v2/customers',
      answered(405, errorB('METHOD_NOT_ALLOWED_ERROR'), { ...base, allow: 'GET, HEAD, OPTIONS' }),
    ],
    ['OPTIONS', '/v2/customers', answered(204, '', { ...always, allow: 'GET, HEAD, OPTIONS' })],
    ['OPTIONS', '/v2/nothing', answered(204, '', { ...always, allow: 'GET, POST, OPTIONS' })],
    ['OPTIONS', '/v2/customers', answered(204, '', { ...always, ...version, allow: 'GET, HEAD, OPTIONS' })],
  ])('%s %s', (method, path, answer) => {
    expect(() => check({ method, path }, answer)).not.toThrow()
    expect(() => check({ method, path }, { ...answer, headers: new Headers(answer.headers) })).not.toThrow()
  })
})

describe('answers that are not as declared', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(base).filter(([key]) => key !== name))
  const get = 'GET /v2/rewards/rwd_1'

  it.each<[string, string, Answered, string]>([
    [
      'status',
      get,
      answered(418, reward),
      'the status is not declared, only 200, 400, 401, 404, 408, 417, 429, 431, 500, 503 are',
    ],
    [
      'status of another method',
      'GET /v2/keys',
      answered(201, {}),
      'only 400, 401, 405, 408, 417, 431, 503 are',
    ],
    ['missing field', get, answered(200, { ...reward, amount: undefined }), "required property 'amount'"],
    [
      'undeclared field',
      get,
      answered(200, { ...reward, product: 'mk_1' }),
      'additional properties (product)',
    ],
    [
      'undeclared field, deep down',
      'GET /v2/customers',
      answered(200, { ...customers, data: [{ ...customer(), product: 'mk_1' }] }),
      '/data/0 must NOT have additional properties (product)',
    ],
    ['null field', get, answered(200, { ...reward, currency: null }), '/currency must be string'],
    [
      'enum',
      get,
      answered(200, { ...reward, status: 'GONE' }),
      '/status must be equal to one of the allowed values',
    ],
    ['fraction', get, answered(200, { ...reward, amount: 1.5 }), '/amount must be integer'],
    ['timestamp', get, answered(200, { ...reward, created_at: 'today' }), 'must match format "date-time"'],
    [
      'error of another endpoint',
      get,
      answered(404, { ...notFound, type: 'CUSTOMER_NOT_FOUND_ERROR' }),
      '/type must be equal to constant (REWARD_NOT_FOUND_ERROR)',
    ],
    [
      'param',
      get,
      answered(404, { ...notFound, param: 'id' }),
      '/param must be equal to constant (reward_id)',
    ],
    [
      'shape C where B is declared',
      get,
      answered(400, { type: 'BAD_REQUEST_ERROR', message: 'No.' }),
      "required property 'error'",
    ],
    [
      'error with extras',
      get,
      answered(400, { error: { type: 'BAD_REQUEST_ERROR', message: 'No.', stack: '' } }),
      'additional properties (stack)',
    ],
    [
      'no details',
      'PATCH /v2/rewards/rwd_1',
      answered(400, { ...invalid, details: [] }),
      '/details must NOT have fewer than 1 items',
    ],
    [
      'two sub-objects',
      'GET /v2/payment_methods/pm_1',
      answered(200, {
        id: 'pm_1',
        type: 'CARD',
        customer_id: 'cus_1',
        created_at: '2026-01-01T00:00:00Z',
        status: 'ACTIVE',
        card: { last4: '4242' },
        loan: {},
      }),
      'must NOT be valid',
    ],
    [
      'no sub-object',
      'GET /v2/payment_methods/pm_1',
      answered(200, {
        id: 'pm_1',
        type: 'LOAN',
        customer_id: 'cus_1',
        created_at: '2026-01-01T00:00:00Z',
        status: 'ACTIVE',
      }),
      "required property 'loan'",
    ],
    [
      'token on the last page',
      'GET /v2/customers/c/accounts/a/statements',
      answered(200, { data: [], has_more: false, next_page_token: 'x' }),
      'must NOT be valid',
    ],
    [
      'no token on a page before',
      'GET /v2/customers/c/accounts/a/statements',
      answered(200, { data: [], has_more: true }),
      "required property 'next_page_token'",
    ],
    ['no JSON', get, answered(200, '<html>'), 'the body is not JSON'],
    ['empty body', get, answered(200, ''), 'the body is not JSON'],
    [
      'body of a deletion',
      'DELETE /v2/order_events/evt_1',
      answered(204, {}),
      'there is a body, and none is declared',
    ],
    [
      'type of no body',
      'DELETE /v2/order_events/evt_1',
      answered(204, ''),
      'content-type is application/json',
    ],
    [
      'content type',
      get,
      answered(200, reward, { ...base, 'content-type': 'text/html' }),
      'content-type is text/html',
    ],
    ['no content type', get, answered(200, reward, without('content-type')), 'content-type is null'],
    ['body of HEAD', 'HEAD /v2/rewards/rwd_1', answered(200, reward), 'HEAD is answered with a body'],
    [
      'no request id',
      get,
      answered(200, reward, without('x-sandbox-request-id')),
      'the header x-sandbox-request-id is missing',
    ],
    [
      'request id',
      get,
      answered(200, reward, { ...base, 'x-sandbox-request-id': '1' }),
      'the header x-sandbox-request-id must match pattern',
    ],
    [
      'unknown assumption',
      get,
      answered(200, reward, { ...base, 'x-sandbox-assumptions': 'not_found_status, x' }),
      'the header x-sandbox-assumptions names x, which is none',
    ],
    [
      'no version',
      get,
      answered(200, reward, without('x-service-version')),
      'the header x-service-version is missing',
    ],
    [
      'unknown version',
      get,
      answered(200, reward, { ...base, 'x-service-version': '2020-01-01' }),
      'the header x-service-version must be equal',
    ],
    [
      'version on 401',
      get,
      answered(401, errorB('UNAUTHORIZED_ERROR'), { ...base, 'www-authenticate': 'Bearer' }),
      'the header x-service-version is not declared for this answer',
    ],
    [
      'no challenge',
      get,
      answered(401, errorB('UNAUTHORIZED_ERROR'), { ...json, ...always }),
      'the header www-authenticate is missing',
    ],
    [
      'version on an unsupported one',
      get,
      answered(400, unsupported),
      'x-service-version is there, though no version was chosen',
    ],
    [
      '400 A without version',
      'PATCH /v2/rewards/rwd_1',
      answered(400, invalid, { ...json, ...always }),
      'the header x-service-version is missing',
    ],
    [
      '400 B without version',
      get,
      answered(400, errorB('BAD_REQUEST_ERROR'), { ...json, ...always }),
      'the header x-service-version is missing',
    ],
    [
      'header of ours that is not declared',
      get,
      answered(200, reward, { ...base, 'x-sandbox-debug': '1' }),
      'the header x-sandbox-debug is not declared',
    ],
    [
      'Retry-After where there is none',
      get,
      answered(500, errorB('INTERNAL_ERROR'), { ...base, 'retry-after': '1' }),
      'the header retry-after is not declared',
    ],
    [
      '405 without Allow',
      'PUT /v2/customers',
      answered(405, errorB('METHOD_NOT_ALLOWED_ERROR')),
      'the header allow is missing',
    ],
    [
      '405 with a wrong Allow',
      'PATCH /v2/rewards/rewards_categories',
      answered(405, errorB('METHOD_NOT_ALLOWED_ERROR'), { ...base, allow: 'GET, PATCH' }),
      'Allow is GET, PATCH, and the path has GET, HEAD, OPTIONS',
    ],
    [
      '429 without Retry-After',
      get,
      answered(429, errorB('RATE_LIMIT_ERROR')),
      'the header retry-after is missing',
    ],
    [
      '429 with a date in Retry-After',
      get,
      answered(429, errorB('RATE_LIMIT_ERROR'), {
        ...base,
        'retry-after': 'Sat, 21 Nov 2026 12:00:00 GMT',
      }),
      'the header retry-after must match pattern',
    ],
    [
      '429 without version',
      get,
      answered(429, errorB('RATE_LIMIT_ERROR'), { ...json, ...always, 'retry-after': '1' }),
      'the header x-service-version is missing',
    ],
    [
      '429 of another type',
      get,
      answered(429, errorB('TOO_MANY_REQUESTS_ERROR'), { ...base, 'retry-after': '1' }),
      '/error/type must be equal to constant (RATE_LIMIT_ERROR)',
    ],
    [
      '500 without version',
      get,
      answered(500, errorB('INTERNAL_ERROR'), { ...json, ...always }),
      'the header x-service-version is missing',
    ],
    ['429 of an unknown path', 'GET /v2/nothing', answered(429, errorB('RATE_LIMIT_ERROR')), 'not declared'],
    [
      'unknown path in another shape',
      'GET /v2/nothing',
      answered(404, notFound),
      "required property 'error'",
    ],
  ])('%s', (_title, call, answer, problem) => {
    const [method = '', path = ''] = call.split(' ')
    expect(() => check({ method, path }, answer)).toThrow(problem)
  })

  it('lists every problem at once, with the call and the body', () => {
    const answer = answered(200, { ...reward, amount: 'x', status: 'GONE' }, { ...json, ...version })
    expect(() => check({ method: 'GET', path: '/v2/rewards/rwd_1' }, answer)).toThrow(
      [
        'GET /v2/rewards/rwd_1 (retrieveReward) answered 200 against its declaration:',
        '- the header x-sandbox-request-id is missing',
        '- the body/amount must be integer (integer)',
        '- the body/status must be equal to one of the allowed values (PENDING,AVAILABLE,PENDING_DEDUCTION,DEDUCTED)',
        'The body: {"id":"rwd_1",',
      ].join('\n'),
    )
  })
})

describe('answers under other assumptions', () => {
  it('tells two kinds of 403 apart, of which one has a version', () => {
    const under = conformance(documentUnder({ unauthenticated_status: 403 }))
    const request = { method: 'DELETE', path: '/v2/order_events/evt_1' }
    const challenged = { ...json, ...always, 'www-authenticate': 'Bearer' }
    const forbidden = errorB('FORBIDDEN_ERROR')
    expect(() => under.check(request, answered(403, forbidden, challenged))).not.toThrow()
    expect(() => under.check(request, answered(403, forbidden))).not.toThrow()
    expect(() => under.check(request, answered(403, forbidden, { ...challenged, ...version }))).toThrow(
      'no version was chosen',
    )
    expect(() => under.check(request, answered(403, forbidden, { ...json, ...always }))).toThrow('is missing')
  })

  it('finds no path with a slash at its end', () => {
    const request = { method: 'GET', path: '/v2/rewards/rwd_1/' }
    expect(() => check(request, answered(200, reward))).toThrow('no such path')
  })
})
