import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import type { Sandbox } from '../../src/index.ts'
import { callerFor, fullKey, startSandbox, testNow, type CallApi } from '../helpers/sandbox.ts'
import { raw, request } from '../helpers/raw.ts'

const unknownRoute = { error: { type: 'NOT_FOUND_ERROR', message: 'No endpoint has this path.' } }
const slashAtEnd = {
  error: { type: 'NOT_FOUND_ERROR', message: 'No endpoint has this path. Paths have no trailing slash.' },
}
const withKey = { authorization: `Bearer ${fullKey}` }

/** Every door to the same sandbox, as paths are read by other code on a socket than in process. */
async function doors(): Promise<[name: string, call: CallApi, sandbox: Sandbox][]> {
  const sandbox = await startSandbox()
  const server = await sandbox.listen()
  const overSocket = callerFor({
    fetch: (path, init) => fetch(new URL(String(path), server.url), init),
  })
  return [
    ['in process', sandbox.call, sandbox],
    ['over a socket', overSocket, sandbox],
  ]
}

describe('case 109: unknown routes', () => {
  it.each(['/v2/nothing', '/v2', '/v1/customers', '/v2/rewards/rwd_ada_pending/more'])(
    'case 109: GET %s with a key -> 404 B with the version',
    async (path) => {
      const { call } = await startSandbox()
      const answer = await call('GET', path)
      expect(answer.status).toBe(404)
      expect(answer.json).toEqual(unknownRoute)
      expect(answer.version).toBe('2026-10-13')
      expect(answer.assumptions).toEqual([])
      expect(Object.fromEntries(answer.headers)).toEqual({
        'content-type': 'application/json',
        'content-length': String(answer.text.length),
        date: new Date(testNow).toUTCString(),
        'x-sandbox-request-id': 'req_default_1',
        'x-service-version': '2026-10-13',
      })
    },
  )

  it.each([
    ['/v2/customers/cus_ada', 'retrieveCustomer'],
    ['/v2/rewards', 'listRewards'],
  ])('case 109: GET %s with a key -> 404 B that says how to serve %s', async (path, operation) => {
    const { call } = await startSandbox()
    const answer = await call('GET', path)
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({
      error: {
        type: 'NOT_FOUND_ERROR',
        message: `No endpoint has this path. --assume unlisted_operations=documented serves ${operation}, which is outside the contract.`,
      },
    })
    expect(answer.version).toBe('2026-10-13')
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/json',
      'content-length': String(answer.text.length),
      date: new Date(testNow).toUTCString(),
      'x-sandbox-request-id': 'req_default_1',
      'x-sandbox-assumptions': 'unlisted_operations',
      'x-service-version': '2026-10-13',
    })
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'case 109: %s of an unknown route -> 404 B, whatever the method',
    async (method) => {
      const { call } = await startSandbox()
      const answer = await call(method, '/v2/nothing')
      expect([answer.status, answer.json]).toEqual([404, unknownRoute])
      expect(answer.headers.get('allow')).toBeNull()
    },
  )

  it('case 109: an unknown route without a key -> 401, so that routes are not disclosed', async () => {
    const { call } = await startSandbox()
    const [unknown, known] = [
      await call('GET', '/v2/nothing', { key: null }),
      await call('GET', '/v2/customers', { key: null }),
    ]
    expect(unknown.status).toBe(401)
    expect(unknown.text).toBe(known.text)
    expect(unknown.version).toBeNull()
  })

  it('GET / -> one friendly line that points to /_sandbox, without a key', async () => {
    const { fetch } = await startSandbox()
    const answer = await fetch('/')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await answer.text()).toBe(
      'This is partner-rewards-sandbox. See /_sandbox for its control plane.\n',
    )
  })

  it('POST / -> an unknown route like any other', async () => {
    const { call } = await startSandbox()
    const answer = await call('POST', '/', { json: {} })
    expect([answer.status, answer.json]).toEqual([404, unknownRoute])
  })
})

describe('case 110: wrong methods', () => {
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  const methodsOf = (path: string): string[] =>
    endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method)

  it('case 110: PUT /v2/customers -> 405 B, Allow: GET, HEAD, OPTIONS, with the version', async () => {
    const { call } = await startSandbox()
    const answer = await call('PUT', '/v2/customers', { json: {} })
    expect(answer.status).toBe(405)
    expect(answer.json).toEqual({
      error: { type: 'METHOD_NOT_ALLOWED_ERROR', message: 'This path has the methods GET, HEAD, OPTIONS.' },
    })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(answer.version).toBe('2026-10-13')
    // An operation outside the contract would be one more method.
    expect(answer.assumptions).toEqual(['unlisted_operations'])
  })

  it('case 110: every method that a path does not have -> 405 with the ones it has', async () => {
    const { call } = await startSandbox()
    for (const path of paths) {
      const has = methodsOf(path)
      const allow = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (method) =>
          has.includes(method) || method === 'OPTIONS' || (method === 'HEAD' && has.includes('GET')),
      )
      const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (method) => !allow.includes(method.toUpperCase()),
      )
      for (const method of others) {
        const answer = await call(method, path.replace(/\{\w+\}/g, 'x'))
        expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([
          method,
          path,
          405,
          allow.join(', '),
        ])
        expect(answer.version).toBe('2026-10-13')
      }
    }
  })

  it('case 110: a path with several methods lists them all', async () => {
    const { call } = await startSandbox()
    const answer = await call('DELETE', '/v2/rewards/rwd_ada_pending')
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PATCH, OPTIONS')
    expect((await call('GET', '/v2/rewards/rwd_ada_pending')).status).toBe(200)
  })

  it('case 110: a wrong method without a key -> 401', async () => {
    const { call } = await startSandbox()
    const answer = await call('PUT', '/v2/customers', { key: null })
    expect([answer.status, answer.version, answer.headers.get('allow')]).toEqual([401, null, null])
  })

  it('OPTIONS of each path with a key -> 204 with Allow and the version, without a body', async () => {
    const { call } = await startSandbox()
    for (const path of paths) {
      const answer = await call('OPTIONS', path.replace(/\{\w+\}/g, 'x'))
      expect([path, answer.status, answer.text, answer.version]).toEqual([path, 204, '', '2026-10-13'])
      expect(answer.headers.get('allow')).toMatch(/, OPTIONS$/)
    }
  })

  it('OPTIONS without a key and without a preflight -> 401', async () => {
    const { call } = await startSandbox()
    expect((await call('OPTIONS', '/v2/customers', { key: null })).status).toBe(401)
  })
})

describe('case 111: HEAD', () => {
  const targets = [
    '/v2/transaction_intents/int_ada_1',
    '/v2/payment_methods/pm_ada_card',
    '/v2/customers',
    '/v2/customers/cus_ada/accounts/acct_ada/statements',
    '/v2/customers/cus_ada/rewards_balance',
    '/v2/rewards/rewards_categories',
    '/v2/rewards/rwd_ada_pending',
  ]

  it('case 111: the targets below are every GET there is', () => {
    const shapes = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path)
    const fits = (path: string, target: string): boolean =>
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(target)
    expect(shapes.filter((path) => !targets.some((target) => fits(path, target)))).toEqual([])
    expect(targets).toHaveLength(shapes.length)
  })

  const cases = [
    ...targets.map((target) => ({ target, status: 200 })),
    { target: '/v2/rewards/unknown', status: 404 },
    { target: '/v2/customers?limit=0', status: 400 },
  ]

  it.each(cases)('case 111: HEAD $target -> the headers of GET, no body', async ({ target, status }) => {
    // Two fresh sandboxes, so that even the request ids are the same.
    const [first, second] = [await startSandbox(), await startSandbox()]
    const got = await first.call('GET', target)
    const head = await second.call('HEAD', target)
    expect(got.status).toBe(status)
    expect(head.status).toBe(status)
    expect(head.text).toBe('')
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(got.headers))
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(got.text))
  })

  it.each(cases)('case 111: HEAD $target over a socket -> the same', async ({ target, status }) => {
    const [first, second] = [await startSandbox(), await startSandbox()]
    // The origin is part of a pdf_url, so both sandboxes are reached under one name.
    const host = { Host: 'sandbox.example', Authorization: `Bearer ${fullKey}` }
    const got = await raw(await first.listen(), request('GET', target, host))
    const text = await raw(await second.listen(), request('HEAD', target, host), { isHead: true })
    expect(got.status).toBe(status)
    expect(text).toEqual({ ...got, body: '', json: undefined })
  })

  it('case 111: HEAD without a key -> 401 without a body', async () => {
    const { call } = await startSandbox()
    const answer = await call('HEAD', '/v2/customers', { key: null })
    expect([answer.status, answer.text, answer.version]).toEqual([401, '', null])
  })
})

describe('case 113: paths are exact', () => {
  it.each(['/v2/customers/', '/v2/rewards/rwd_ada_pending/', '/v2/rewards/rewards_categories/'])(
    'case 113: %s, a slash at the end -> 404 B that says so',
    async (path) => {
      for (const [, call] of await doors()) {
        const answer = await call('GET', path)
        expect([answer.status, answer.json, answer.version]).toEqual([404, slashAtEnd, '2026-10-13'])
        expect(answer.assumptions).toEqual([])
      }
    },
  )

  it.each(['/V2/customers', '/v2/Customers', '/v2/CUSTOMERS', '/v2/rewards/REWARDS_CATEGORIES'])(
    'case 113: %s, other letter case -> 404',
    async (path) => {
      for (const [, call] of await doors()) expect((await call('GET', path)).status).toBe(404)
    },
  )

  it.each([
    '//v2/customers',
    '/v2//customers',
    '/v2/customers//cus_ada/rewards_balance',
    '/v2/customers//rewards_balance',
  ])('case 113: %s, an empty segment -> 404 B', async (path) => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const answer = await raw(server, request('GET', path, { Authorization: withKey.authorization }))
    expect([answer.status, answer.json]).toEqual([404, unknownRoute])
    const inProcess = await sandbox.fetch(`http://localhost${path}`, { headers: withKey })
    expect([inProcess.status, await inProcess.json()]).toEqual([404, unknownRoute])
  })
})

describe('case 114: dot segments', () => {
  const target = [
    '/v2/customers/../rewards/rwd_ada_pending',
    '/v2/customers/%2e%2e/rewards/rwd_ada_pending',
    '/v2/customers/%2E%2E/rewards/rwd_ada_pending',
    '/v2/customers/.%2e/rewards/rwd_ada_pending',
    '/v2/./rewards/rwd_ada_pending',
    '/../v2/rewards/rwd_ada_pending',
    '/v2/rewards/%2e/rwd_ada_pending',
  ]

  it.each(target)('case 114: GET %s -> the reward, as WHATWG URLs are read', async (path) => {
    const sandbox = await startSandbox()
    const answer = await raw(
      await sandbox.listen(),
      request('GET', path, { Authorization: withKey.authorization }),
    )
    const inProcess = await sandbox.call('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.json.id).toBe('rwd_ada_pending')
    expect(inProcess.json).toEqual(answer.json)
  })

  it.each(target)('case 114: GET %s without a key -> 401', async (path) => {
    const sandbox = await startSandbox()
    expect((await raw(await sandbox.listen(), request('GET', path))).status).toBe(401)
  })

  it.each(['/v2/../_sandbox/assumptions', '/v2/%2e%2e/_sandbox/assumptions', '/_sandbox/x/../assumptions'])(
    'case 114: GET %s does not get past the guard of the control plane',
    async (path) => {
      const sandbox = await startSandbox()
      const answer = await raw(
        await sandbox.listen(),
        request('GET', path, { Origin: 'http://localhost:5173' }),
      )
      expect(answer.status).toBe(403)
      expect(answer.json.error.type).toBe('FORBIDDEN')
    },
  )

  it('case 114: dots that leave the open health path are guarded as what they reach', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    for (const path of ['/_sandbox/health/../assumptions', '/_sandbox/files/statements/../../assumptions']) {
      const answer = await raw(server, request('GET', path, { Host: 'evil.example' }))
      expect([path, answer.status, answer.json.error.type]).toEqual([path, 421, 'MISDIRECTED'])
    }
  })

  it('case 114: an encoded slash is no dot segment', async () => {
    const sandbox = await startSandbox()
    const answer = await raw(
      await sandbox.listen(),
      request('GET', '/v2/rewards/..%2Frwd_ada_pending', { Authorization: withKey.authorization }),
    )
    expect([answer.status, answer.json.type]).toEqual([404, 'REWARD_NOT_FOUND_ERROR'])
  })
})

describe('case 115: hostile ids', () => {
  const notFound = {
    reward: {
      type: 'REWARD_NOT_FOUND_ERROR',
      message: 'No reward has this reward_id.',
      param: 'reward_id',
    },
    customer: {
      type: 'CUSTOMER_NOT_FOUND_ERROR',
      message: 'No customer has this customer_id.',
      param: 'customer_id',
    },
    account: {
      type: 'ACCOUNT_NOT_FOUND_ERROR',
      message: 'No account of this customer has this account_id.',
      param: 'account_id',
    },
    paymentMethod: {
      type: 'PAYMENT_METHOD_NOT_FOUND_ERROR',
      message: 'No payment method has this payment_method_id.',
      param: 'payment_method_id',
    },
    intent: {
      type: 'TRANSACTION_INTENT_FOUND_ERROR',
      message: 'No transaction intent has this intent_id.',
      param: 'intent_id',
    },
  }

  const calls: { method: string; path(id: string): string; body?: object; answer: object }[] = [
    { method: 'GET', path: (id) => `/v2/rewards/${id}`, answer: notFound.reward },
    {
      method: 'PATCH',
      path: (id) => `/v2/rewards/${id}`,
      body: { amount: 1 },
      answer: notFound.reward,
    },
    { method: 'GET', path: (id) => `/v2/transaction_intents/${id}`, answer: notFound.intent },
    { method: 'GET', path: (id) => `/v2/payment_methods/${id}`, answer: notFound.paymentMethod },
    { method: 'GET', path: (id) => `/v2/customers/${id}/rewards_balance`, answer: notFound.customer },
    {
      method: 'GET',
      path: (id) => `/v2/customers/${id}/accounts/acct_ada/statements`,
      answer: notFound.customer,
    },
    {
      method: 'GET',
      path: (id) => `/v2/customers/cus_ada/accounts/${id}/statements`,
      answer: notFound.account,
    },
    {
      method: 'POST',
      path: (id) => `/v2/customers/${id}/link`,
      body: { partner_customer_id: 'p' },
      answer: notFound.customer,
    },
  ]

  const ids: [what: string, id: string][] = [
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['toString', 'toString'],
    ['hasOwnProperty', 'hasOwnProperty'],
    ['an encoded slash', 'a%2Fb'],
    ['an encoded NUL', 'a%00b'],
    ['a broken escape', '%zz'],
    ['a cut escape', 'a%2'],
    ['invalid UTF-8', '%ff%fe'],
    ['an encoded newline', 'a%0d%0ab'],
    ['5 KB', 'x'.repeat(5 * 1024)],
    ['an encoded question mark', 'rwd_ada_pending%3F'],
    ['a space', '%20'],
    ['braces', '%7B%7D'],
    ['an asterisk', '*'],
    ['a colon', ':reward_id'],
    ['emoji', '%F0%9F%92%B3'],
    ['the id in other case', 'RWD_ADA_PENDING'],
    ['the id and a space', 'rwd_ada_pending%20'],
    ['a semicolon parameter', 'rwd_ada_pending;v=1'],
  ]

  it.each(ids)('case 115: an id that is %s -> 404 C of each endpoint', async (_what, id) => {
    for (const [door, call, sandbox] of await doors()) {
      const before = sandbox.state.document()
      for (const { method, path, body, answer } of calls) {
        const answered = await call(method, path(id), body ? { json: body } : {})
        expect([door, method, path(id), answered.status]).toEqual([door, method, path(id), 404])
        expect(answered.json).toEqual(answer)
        expect(answered.version).toBe('2026-10-13')
      }
      expect(sandbox.state.document()).toEqual(before)
    }
  })

  // The text that the RESTler fuzzer appends to the id of an existing object.
  it.each([
    ['?injected_query_string=123', 200, undefined],
    ['??', 200, undefined],
    ['/?/', 404, 'NOT_FOUND_ERROR'],
    ['/rwd_ada_pending', 404, 'NOT_FOUND_ERROR'],
    ['{}', 404, 'REWARD_NOT_FOUND_ERROR'],
  ])('case 115: RESTler: an id followed by %s -> %i', async (suffix, status, type) => {
    for (const [, call] of await doors()) {
      const answer = await call('GET', `/v2/rewards/rwd_ada_pending${suffix}`)
      expect(answer.status).toBe(status)
      expect(answer.json.type ?? answer.json.error?.type).toBe(status === 200 ? 'TRANSACTION' : type)
    }
  })

  it('case 115: DELETE of an order event with a hostile id -> 400 B, as for any unknown one', async () => {
    for (const [, call] of await doors()) {
      const unknown = await call('DELETE', '/v2/order_events/unknown')
      for (const id of ['__proto__', 'a%00b', '%zz', 'x'.repeat(5 * 1024)]) {
        const answer = await call('DELETE', `/v2/order_events/${id}`)
        expect([id, answer.status, answer.text]).toEqual([id, 400, unknown.text])
      }
    }
  })

  it('case 115: an id is decoded once', async () => {
    const id = 'a/b?c=%2F é'
    const sandbox = await startSandbox()
    sandbox.state.put('rewards', id, {
      customer_id: 'cus_ada',
      amount: 1,
      type: 'OFFER',
      status: 'PENDING',
      created_at: testNow,
    })
    const answer = await sandbox.call('GET', `/v2/rewards/${encodeURIComponent(id)}`)
    expect(answer.json.id).toBe(id)
    expect(
      (await sandbox.call('GET', `/v2/rewards/${encodeURIComponent(encodeURIComponent(id))}`)).status,
    ).toBe(404)
  })
})

describe('--base-url with a path', () => {
  it.each([
    ['/api/v2/rewards/rwd_ada_pending', 200],
    ['/v2/rewards/rwd_ada_pending', 200],
    ['/api/_sandbox/health', 200],
    ['/api', 200],
    ['/apiv2/rewards/rwd_ada_pending', 404],
    ['/api/api/v2/rewards/rwd_ada_pending', 404],
    ['/API/v2/rewards/rwd_ada_pending', 404],
  ])('GET %s -> %i', async (path, status) => {
    const { fetch } = await startSandbox({ baseUrl: 'https://gateway.example/api' })
    expect((await fetch(path, { headers: withKey })).status).toBe(status)
  })
})
