import { describe, expect, it } from 'vitest'
import { fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'

const allMethods = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'
const always = 'x-service-version, x-sandbox-request-id, x-sandbox-assumptions, retry-after'
const date = new Date(testNow).toUTCString()

/** The preflight of a browser before a call with a JSON body and a key. */
const asks = (origin: string, method = 'POST'): Record<string, string> => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization, content-type',
})

const loopback = [
  'http://localhost:5173',
  'http://localhost',
  'https://localhost:8443',
  'http://127.0.0.1:3000',
  'http://127.8.9.1',
  'http://[::1]:3000',
  'http://shop.localhost:5173',
]

const foreign = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example:5173',
  'http://192.168.1.5:3000',
  'http://0.0.0.0:3000',
  'null',
  '',
  'localhost:5173',
  'file://localhost',
  'chrome-extension://localhost',
  'http://notlocalhost',
]

describe('case 112: preflight', () => {
  it.each(loopback)('case 112: from %s, no key -> 204 with CORS', async (origin) => {
    const { call } = await startSandbox()
    const answer = await call('OPTIONS', '/v2/transaction_intents', { key: null, headers: asks(origin) })
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    expect(Object.fromEntries(answer.headers)).toEqual({
      allow: 'POST, OPTIONS',
      'access-control-allow-origin': origin,
      'access-control-allow-methods': allMethods,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '600',
      'access-control-expose-headers': `${always}, allow, date`,
      vary: 'Origin',
      date,
    })
  })

  it.each(foreign)("case 112: from '%s' -> no CORS headers", async (origin) => {
    const { call } = await startSandbox()
    const answer = await call('OPTIONS', '/v2/transaction_intents', { key: null, headers: asks(origin) })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toEqual({
      allow: 'POST, OPTIONS',
      vary: 'Origin',
      date,
    })
  })

  it('case 112: from an origin of --cors-origin -> 204 with CORS; others still without', async () => {
    const { call } = await startSandbox({
      corsOrigin: ['https://app.example', 'https://b.example', 'capacitor://localhost'],
    })
    const preflight = async (origin: string): Promise<string | null> => {
      const answer = await call('OPTIONS', '/v2/customers', { key: null, headers: asks(origin, 'GET') })
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await preflight('https://app.example')).toBe('https://app.example')
    expect(await preflight('https://b.example')).toBe('https://b.example')
    expect(await preflight('capacitor://localhost')).toBe('capacitor://localhost')
    expect(await preflight('ionic://localhost')).toBeNull()
    expect(await preflight('http://app.example')).toBeNull()
    expect(await preflight('https://app.example:8443')).toBeNull()
    expect(await preflight('https://sub.app.example')).toBeNull()
  })

  it('case 112: a preflight needs no key, and one that is there decides nothing', async () => {
    const { call } = await startSandbox()
    for (const key of [null, fullKey, 'sk_unknown']) {
      const answer = await call('OPTIONS', '/v2/customers', { key, headers: asks('http://localhost:5173') })
      expect([key, answer.status, answer.version]).toEqual([key, 204, null])
    }
  })

  it.each([
    ['what it asks for', 'x-trace, X-Custom', 'x-trace, X-Custom'],
    [
      'none -> what any call may have',
      undefined,
      'authorization, content-type, x-service-version, x-service-merchant-key, x-sandbox-scenario, x-sandbox-test',
    ],
  ])('the headers that are allowed: %s', async (_what, requested, allowed) => {
    const { call } = await startSandbox()
    const { 'access-control-request-headers': _, ...headers } = asks('http://localhost:5173')
    const sent =
      requested === undefined ? headers : { ...headers, 'access-control-request-headers': requested }
    const answer = await call('OPTIONS', '/v2/customers', { key: null, headers: sent })
    expect(answer.headers.get('access-control-allow-headers')).toBe(allowed)
  })

  it('OPTIONS with an Origin but without the method it asks for is no preflight -> 401', async () => {
    const { call } = await startSandbox()
    const answer = await call('OPTIONS', '/v2/customers', {
      key: null,
      headers: { origin: 'http://localhost:5173' },
    })
    expect(answer.status).toBe(401)
  })

  it('OPTIONS that asks for a method but has no Origin is no preflight -> 401', async () => {
    const { call } = await startSandbox()
    const answer = await call('OPTIONS', '/v2/customers', {
      key: null,
      headers: { 'access-control-request-method': 'GET' },
    })
    expect(answer.status).toBe(401)
  })
})

describe('case 112: calls from a page', () => {
  it.each([
    { what: 'a success', method: 'GET', path: '/v2/rewards/rwd_ada_pending', key: fullKey, status: 200 },
    { what: 'a missing key', method: 'GET', path: '/v2/customers', key: null, status: 401 },
    { what: 'an unknown route', method: 'GET', path: '/v2/nothing', key: fullKey, status: 404 },
    { what: 'a refused body', method: 'POST', path: '/v2/transaction_intents', key: fullKey, status: 400 },
  ])(
    'case 112: $what is readable by a page on this machine, with its headers',
    async ({ method, path, key, status }) => {
      const { call } = await startSandbox()
      const origin = 'http://localhost:5173'
      const body = method === 'POST' ? { json: {} } : {}
      const answer = await call(method, path, { key, headers: { origin }, ...body })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
      expect(answer.headers.get('vary')).toBe('Origin')
      // A page can read each header that the answer has.
      const readable = (answer.headers.get('access-control-expose-headers') ?? '').split(', ')
      expect(readable).toEqual(expect.arrayContaining(always.split(', ')))
      const carried = [...answer.headers.keys()].filter(
        (name) => !/^(?:access-control-|content-|vary)/.test(name),
      )
      expect(readable).toEqual(expect.arrayContaining(carried))
    },
  )

  it('headers that a scenario answers with can be read, too', async () => {
    const rule = { on: '*', effect: { respond: { status: 429, headers: { 'X-Quota': '0' }, body: {} } } }
    const { fetch } = await startSandbox({ scenarios: { name: 'quota', description: 'q', rules: [rule] } })
    const headers = { origin: 'http://localhost:5173', authorization: `Bearer ${fullKey}` }
    const answer = await fetch('/v2/customers', { headers })
    expect([answer.status, answer.headers.get('x-quota')]).toEqual([429, '0'])
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/^x-service-version, .*\bx-quota\b/i)
  })

  it('case 112: a call from elsewhere is answered, but no page may read it', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/customers', { headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('vary')).toBe('Origin')
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('a call without Origin -> no CORS headers, and none of its caches', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/customers')
    expect([...answer.headers.keys()].filter((name) => /^access-control-|^vary$/.test(name))).toEqual([])
  })
})

const corsNames = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

const allowedOrigins = ['http://localhost:5173', 'https://app.example']
const readable = { 'access-control-allow-credentials': 'true', vary: 'Origin' }

describe('the control plane', () => {
  it.each([
    ['/_sandbox', 403, 403],
    ['/_sandbox/health', 405, 200],
    ['/_sandbox/assumptions', 403, 403],
    ['/_sandbox/openapi.json', 403, 403],
    ['/_sandbox/schemas/fixtures.json', 403, 403],
    ['/_sandbox/unknown', 403, 403],
  ])('%s from elsewhere: a preflight -> %i, a call -> %i, and no CORS', async (path, preflight, call) => {
    const { fetch } = await startSandbox({ corsOrigin: 'https://app.example' })
    const origin = 'https://evil.example'
    const answers = [
      await fetch(path, { method: 'OPTIONS', headers: asks(origin, 'GET') }),
      await fetch(path, { headers: { origin } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([preflight, call])
    for (const { headers } of answers) expect(corsNames(headers)).toEqual([])
  })

  it.each([
    ['/_sandbox', 'GET', 403],
    ['/_sandbox/assumptions', 'GET', 403],
    ['/_sandbox/state', 'GET', 403],
    ['/_sandbox/schemas/fixtures.json', 'GET', 403],
    ['/_sandbox/unknown', 'GET', 403],
    ['/_sandbox/openapi.json', 'POST', 403],
    ['/_sandbox/openapi.json', 'OPTIONS', 403],
    ['/_sandbox/health', 'OPTIONS', 405],
    ['/_sandbox/health', 'POST', 405],
  ])('%s from an allowed origin by %s -> %i as before, and no CORS', async (path, method, status) => {
    const { fetch } = await startSandbox({ corsOrigin: 'https://app.example' })
    for (const origin of allowedOrigins) {
      const headers = method === 'OPTIONS' ? asks(origin, 'GET') : { origin }
      const answer = await fetch(path, { method, headers })
      expect([answer.status, corsNames(answer.headers)]).toEqual([status, []])
    }
  })

  it.each(['/_sandbox/openapi.json', '/_sandbox/health'])(
    'GET and HEAD of %s answer allowed origins, also across sites',
    async (path) => {
      const { fetch } = await startSandbox({ corsOrigin: 'https://app.example' })
      const plain = await (await fetch(path)).text()
      for (const origin of allowedOrigins) {
        const headers = { origin, 'sec-fetch-site': 'cross-site' }
        const got = await fetch(path, { headers })
        expect([got.status, await got.text()]).toEqual([200, plain])
        const head = await fetch(path, { headers, method: 'HEAD' })
        expect(head.status).toBe(200)
        for (const answer of [got, head]) {
          expect(Object.fromEntries(answer.headers)).toMatchObject({
            ...readable,
            'access-control-allow-origin': origin,
            'access-control-expose-headers': path.endsWith('/health') ? `${always}, x-sandbox` : always,
          })
        }
      }
    },
  )

  it('an allowed origin opens no other door: token, --admin off and Host are asked for as before', async () => {
    const origin = 'http://localhost:5173'
    const status = async (options: object, url = '/_sandbox/openapi.json'): Promise<number> =>
      (await (await startSandbox(options)).fetch(url, { headers: { origin } })).status
    expect(await status({ adminToken: 't' })).toBe(401)
    expect(await status({ admin: 'off' })).toBe(403)
    expect(await status({}, 'http://evil.example/_sandbox/openapi.json')).toBe(421)
  })
})

describe('statement documents', () => {
  it('a page of an allowed origin may read them; others are answered without CORS', async () => {
    const { call, fetch } = await startSandbox({ corsOrigin: 'https://app.example' })
    const { json } = await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1')
    const url: string = json.data[0].pdf_url
    for (const origin of allowedOrigins) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(url, { method, headers: { origin } })
        expect(answer.status).toBe(200)
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          ...readable,
          'access-control-allow-origin': origin,
          'access-control-expose-headers': `${always}, content-disposition, x-content-type-options`,
        })
      }
      const refused = await fetch(`${url}x`, { headers: { origin } })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, origin])
    }
    for (const origin of foreign) {
      const answer = await fetch(url, { headers: { origin } })
      expect([answer.status, corsNames(answer.headers)]).toEqual([200, []])
    }
  })
})

describe('what a browser sends of itself', () => {
  it.each<[string, string, string, string | null, Record<string, string>, number]>([
    ['a preflight', 'OPTIONS', '/v2/customers', null, asks('http://localhost:5173'), 204],
    [
      'a preflight of a page that may not',
      'OPTIONS',
      '/v2/customers',
      null,
      asks('https://evil.example'),
      204,
    ],
    ['a preflight of what there is not', 'OPTIONS', '/v2/nothing', null, asks('http://localhost:5173'), 204],
    ['/favicon.ico', 'GET', '/favicon.ico', null, {}, 401],
    ['/favicon.ico with a key', 'GET', '/favicon.ico', fullKey, {}, 404],
    ['/favicon.ico with a query', 'GET', '/favicon.ico?v=2', fullKey, {}, 404],
  ])('%s takes no number and no room in the journal, and is no call that met no endpoint', async (...row) => {
    const [, method, path, key, headers, status] = row
    const { fetch, requests, findings } = await startSandbox({}, { fresh: true })
    const withKey = key === null ? headers : { ...headers, authorization: `Bearer ${key}` }
    const answer = await fetch(path, { method, headers: withKey })
    expect([answer.status, answer.headers.has('x-sandbox-request-id')]).toEqual([status, false])
    expect([requests.list(), findings.unmatchedCalls().total]).toEqual([[], 0])
    const next = await fetch('/v2/customers', { headers: { authorization: `Bearer ${fullKey}` } })
    expect(next.headers.get('x-sandbox-request-id')).toBe('req_default_1')
  })

  it('/favicon.ico is answered as any unknown path is', async () => {
    const { call, fetch } = await startSandbox()
    const icon = await fetch('/favicon.ico', { headers: { authorization: `Bearer ${fullKey}` } })
    const other = await call('GET', '/favicon.png')
    expect(await icon.text()).toBe(other.text)
    const { 'x-sandbox-request-id': _, ...rest } = Object.fromEntries(other.headers)
    expect(Object.fromEntries(icon.headers)).toEqual(rest)
  })

  it('OPTIONS of a program is a call like any other', async () => {
    const { call, requests } = await startSandbox()
    const answer = await call('OPTIONS', '/v2/customers')
    expect([answer.status, answer.requestId, requests.list()]).toMatchObject([204, 'req_default_1', [{}]])
  })
})
