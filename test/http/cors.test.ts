import { describe, expect, it } from 'vitest'
import { fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'
import { raw, request } from '../helpers/raw.ts'

const allMethods = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'
const exposed = 'x-service-version, x-sandbox-request-id, x-sandbox-assumptions'
const date = new Date(testNow).toUTCString()

/** What a browser sends before a call with a JSON body and a key. */
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
      'access-control-allow-headers':
        'authorization, content-type, x-service-version, x-service-merchant-key, x-sandbox-scenario',
      'access-control-max-age': '600',
      'access-control-expose-headers': exposed,
      vary: 'Origin',
      date,
      'x-sandbox-request-id': 'req_default_1',
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
      'x-sandbox-request-id': 'req_default_1',
    })
  })

  it('case 112: from an origin of --cors-origin -> 204 with CORS; others still without', async () => {
    const { call } = await startSandbox({ corsOrigin: ['https://app.example', 'https://b.example'] })
    const preflight = async (origin: string): Promise<string | null> => {
      const answer = await call('OPTIONS', '/v2/customers', { key: null, headers: asks(origin, 'GET') })
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await preflight('https://app.example')).toBe('https://app.example')
    expect(await preflight('https://b.example')).toBe('https://b.example')
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

  it('case 112: credentials are never allowed, as the key is sent by the page itself', async () => {
    const { call } = await startSandbox()
    const answer = await call('OPTIONS', '/v2/customers', {
      key: null,
      headers: asks('http://localhost:5173'),
    })
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
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

  it('two Origin headers on the wire -> none of them is allowed', async () => {
    const sandbox = await startSandbox()
    const answer = await raw(
      await sandbox.listen(),
      request('OPTIONS', '/v2/customers', {
        Origin: 'http://localhost:5173',
        origin: 'https://evil.example',
        'Access-Control-Request-Method': 'GET',
      }),
    )
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
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
      expect(answer.headers.get('access-control-expose-headers')).toBe(exposed)
      expect(answer.headers.get('vary')).toBe('Origin')
    },
  )

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

describe('never CORS on the control plane', () => {
  it.each([
    ['/_sandbox', 403, 403],
    ['/_sandbox/health', 405, 200],
    ['/_sandbox/assumptions', 403, 403],
    ['/_sandbox/openapi.json', 403, 403],
    ['/_sandbox/unknown', 403, 403],
  ])('%s: a preflight -> %i, a call with an Origin -> %i', async (path, preflight, call) => {
    const { fetch } = await startSandbox({ corsOrigin: 'https://app.example' })
    for (const origin of ['http://localhost:5173', 'https://app.example', 'https://evil.example']) {
      const answers = [
        await fetch(path, { method: 'OPTIONS', headers: asks(origin, 'GET') }),
        await fetch(path, { headers: { origin } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([preflight, call])
      for (const { headers } of answers) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    }
  })

  it('nor on statement documents', async () => {
    const { call, fetch } = await startSandbox()
    const { json } = await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1')
    const answer = await fetch(json.data[0].pdf_url, { headers: { origin: 'http://localhost:5173' } })
    expect(answer.status).toBe(200)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})
