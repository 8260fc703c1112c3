import { describe, expect, it } from 'vitest'
import type { Sandbox, SandboxOptions, SandboxServer } from '../../src/index.ts'
import { guard, type GuardOptions } from '../../src/control/guard.ts'
import { testIsolation } from '../../src/workspaces/isolation-policy.ts'
import { raw, request, type RawAnswer } from '../helpers/raw.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const misdirected = {
  error: {
    type: 'MISDIRECTED',
    message: 'Unknown Host: use localhost or an IP address, or name it in --allowed-hosts.',
  },
}
const fromPage = {
  error: {
    type: 'FORBIDDEN',
    message: 'The control plane takes no requests from web pages (Origin was sent).',
  },
}
const crossSite = {
  error: { type: 'FORBIDDEN', message: 'The control plane takes no cross-site requests.' },
}
const needsToken = {
  error: { type: 'UNAUTHORIZED', message: 'Send Authorization: Bearer with the token of --admin-token.' },
}
const switchedOff = {
  error: { type: 'FORBIDDEN', message: 'The control plane is switched off by --admin off.' },
}
const needsDecision = {
  error: {
    type: 'FORBIDDEN',
    message:
      'Off loopback the control plane is closed by default: start with --admin-token TOKEN, or with --admin open.',
  },
}
const wrongType = {
  error: {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'A body must be sent as Content-Type: application/json.',
  },
}

const guarded = [
  '/_sandbox',
  '/_sandbox/state',
  '/_sandbox/state/api_keys/key_full',
  '/_sandbox/reset',
  '/_sandbox/snapshots/s',
  '/_sandbox/workspaces',
  '/_sandbox/clock/advance',
  '/_sandbox/assumptions',
  '/_sandbox/stream',
  '/_sandbox/openapi.json',
  '/_sandbox/schemas/fixtures.json',
]

interface Serving {
  sandbox: Sandbox
  server: SandboxServer
  get(path: string, headers?: Record<string, string | null>): Promise<RawAnswer>
}

async function serving(options: SandboxOptions = {}, host = '127.0.0.1'): Promise<Serving> {
  const sandbox = await startSandbox(options)
  const server = await sandbox.listen({ host })
  return { sandbox, server, get: (path, headers) => raw(server, request('GET', path, headers)) }
}

/** A link to a document, read over the API as a client does. */
async function pdfPath({ sandbox }: Serving): Promise<string> {
  const answer = await sandbox.fetch('/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1', {
    headers: { authorization: `Bearer ${sandbox.apiKey}` },
  })
  const { data } = (await answer.json()) as { data: { pdf_url: string }[] }
  const { pathname, search } = new URL(data[0]?.pdf_url ?? '')
  return pathname + search
}

const evil = { Host: 'evil.example', Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }

describe('case 118: Host', () => {
  it.each([
    'localhost',
    'localhost:4010',
    'LOCALHOST:4010',
    'sandbox.localhost',
    '127.0.0.1',
    '127.0.0.1:80',
    '127.9.9.9:4010',
    '[::1]:4010',
    '10.0.0.5:4010',
    '[2001:db8::1]',
  ])('case 118: %s, loopback or an IP literal -> 200', async (host) => {
    const { get } = await serving()
    expect((await get('/_sandbox/assumptions', { Host: host })).status).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:4010',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'notlocalhost',
    'localhost.',
    'sandbox',
    '1.2.3.4.nip.io',
  ])('case 118: %s, a name that DNS could point here -> 421', async (host) => {
    const { get } = await serving()
    for (const path of [...guarded, '/_sandbox/unknown']) {
      const answer = await get(path, { Host: host })
      expect([path, answer.status, answer.json]).toEqual([path, 421, misdirected])
      expect(answer.headers['content-type']).toBe('application/json')
    }
  })

  it.each(['0.0.0.0', '0.0.0.0:4010', '0', '[::]:4010', '[::ffff:0:0]'])(
    'case 118: %s, by which a page gets here without Origin and Sec-Fetch-Site -> 421, and no workspace is forked',
    async (host) => {
      const { sandbox, get } = await serving()
      const answer = await get('/_sandbox/state?workspace=w1', { Host: host })
      expect([answer.status, answer.json]).toEqual([421, misdirected])
      expect(sandbox.workspaces.get('w1')).toBeUndefined()
    },
  )

  it('case 118: an unspecified address is known where it was allowed', async () => {
    const { get } = await serving({ allowedHosts: ['0.0.0.0'] })
    expect((await get('/_sandbox/assumptions', { Host: '0.0.0.0:4010' })).status).toBe(200)
  })

  it.each([
    ['sandbox', 'sandbox', 200],
    ['sandbox', 'sandbox:4010', 200],
    ['sandbox', 'SANDBOX', 200],
    ['Sandbox.Example', 'sandbox.example', 200],
    ['sandbox:4010', 'sandbox:4010', 200],
    ['sandbox:4010', 'sandbox:4011', 421],
    ['sandbox', 'sub.sandbox', 421],
    ['sandbox', 'sandbox.evil.example', 421],
  ])('case 118: --allowed-hosts %s, Host %s -> %i', async (allowedHosts, host, status) => {
    const { get } = await serving({ allowedHosts })
    expect((await get('/_sandbox', { Host: host })).status).toBe(status)
  })

  it('case 118: the API itself is served under any name', async () => {
    const { sandbox, get } = await serving()
    const answer = await get('/v2/customers?limit=1', {
      Host: 'evil.example',
      Authorization: `Bearer ${sandbox.apiKey}`,
    })
    expect(answer.status).toBe(200)
  })

  it.each([
    ['http://127.0.0.1/_sandbox', '127.0.0.1', 200],
    ['http://localhost:4010/_sandbox', 'localhost:4010', 200],
    ['http://127.0.0.1/_sandbox', 'localhost', 421],
    ['http://127.0.0.1:1/_sandbox', '127.0.0.1:2', 421],
    ['http://127.0.0.1/_sandbox', 'evil.example', 421],
    ['http://evil.example/_sandbox', '127.0.0.1', 421],
    ['http://evil.example/_sandbox', 'evil.example', 421],
  ])('case 118: the absolute target %s with Host %s -> %i', async (target, host, status) => {
    const { get } = await serving()
    expect((await get(target, { Host: host })).status).toBe(status)
  })

  it.each([
    ['http://localhost/_sandbox', 200],
    ['http://127.0.0.1:4010/_sandbox', 200],
    ['https://sandbox.localhost/_sandbox', 200],
    ['http://evil.example/_sandbox', 421],
  ])('case 118: in process, the URL tells the host: %s -> %i', async (url, status) => {
    const { fetch } = await startSandbox()
    expect((await fetch(url)).status).toBe(status)
  })
})

describe('case 119: web pages', () => {
  it.each(['https://evil.example', 'http://localhost:5173', 'http://127.0.0.1', 'null', ''])(
    "case 119: Origin '%s' -> 403",
    async (origin) => {
      const { get } = await serving({ corsOrigin: 'http://localhost:5173' })
      const isAllowed = /^http:\/\/(?:localhost|127)/.test(origin)
      for (const path of [...guarded, '/_sandbox/unknown']) {
        // Reads by pages of allowed origins are tested with the option that allows them.
        if (isAllowed && path === '/_sandbox/openapi.json') continue
        const answer = await get(path, { Origin: origin })
        expect([path, answer.status, answer.json]).toEqual([path, 403, fromPage])
      }
    },
  )

  it('case 119: the own origin of the page is no exception', async () => {
    const { server, get } = await serving()
    const answer = await get('/_sandbox', { Host: new URL(server.url).host, Origin: server.url })
    expect([answer.status, answer.json]).toEqual([403, fromPage])
  })

  it('case 119: Node fetch sends no Origin -> 200', async () => {
    const { server } = await serving()
    expect((await fetch(`${server.url}/_sandbox/assumptions`)).status).toBe(200)
  })

  it.each([
    ['cross-site', 403],
    ['same-site', 200],
    ['same-origin', 200],
    ['none', 200],
    ['cross-site, none', 403],
  ])('Sec-Fetch-Site: %s, as an <img> of a page sends it without Origin -> %i', async (site, status) => {
    const { get } = await serving()
    const answer = await get('/_sandbox', { 'Sec-Fetch-Site': site })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.json).toEqual(crossSite)
  })
})

describe('case 120: what changes something is no GET', () => {
  it.each([
    '/_sandbox/reset',
    '/_sandbox/clock/advance',
    '/_sandbox/snapshots/s/restore',
    '/_sandbox/reset?workspace=w1',
  ])('case 120: GET and HEAD of %s, as an <img> asks for it -> 405, and nothing happens', async (path) => {
    const { sandbox, server } = await serving()
    sandbox.snapshot('s')
    sandbox.state.delete('order_events', 'ord_ada_1')
    const before = [sandbox.state.document(), sandbox.clock.read(), sandbox.workspaces.list()]
    for (const method of ['GET', 'HEAD']) {
      const answer = await raw(server, request(method, path), { isHead: method === 'HEAD' })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST'])
    }
    expect([sandbox.state.document(), sandbox.clock.read(), sandbox.workspaces.list()]).toEqual(before)
  })

  it('case 120: no other method does it either, whatever a header says of it', async () => {
    const { sandbox, server } = await serving()
    sandbox.state.delete('order_events', 'ord_ada_1')
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const headers = { 'X-HTTP-Method-Override': 'POST' }
      expect((await raw(server, request(method, '/_sandbox/reset', headers))).status).toBe(405)
    }
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
  })
})

describe('a page that reaches for the control plane', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['a form', 'POST', { Origin: 'null', 'Content-Type': 'text/plain' }, '{}'],
    ['fetch of a page on this machine', 'POST', { Origin: 'http://localhost:5173' }, ''],
    ['rebinding', 'POST', { Host: 'rebound.example:4010' }, ''],
    ['sendBeacon', 'POST', { Origin: 'https://evil.example', 'Content-Type': 'application/json' }, '{}'],
  ])('%s -> refused, and nothing changes', async (_what, method, headers, body) => {
    const { sandbox, server } = await serving()
    sandbox.state.delete('order_events', 'ord_ada_1')
    for (const path of ['/_sandbox/reset', '/_sandbox/../_sandbox/reset', '/%5fsandbox/reset']) {
      const sent = body === '' ? {} : { 'Content-Length': String(body.length) }
      const answer = await raw(server, request(method, path, { ...headers, ...sent }, body))
      expect([403, 421]).toContain(answer.status)
    }
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
  })
})

describe('media types', () => {
  const send = (
    { server }: Serving,
    method: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<RawAnswer> =>
    raw(server, request(method, '/_sandbox', { 'Content-Length': String(body.length), ...headers }, body))

  it.each([
    ['POST', undefined],
    ['POST', 'text/plain'],
    ['POST', 'application/x-www-form-urlencoded'],
    ['POST', 'multipart/form-data; boundary=x'],
    ['POST', 'application/jsonx'],
    ['POST', 'application/json; charset=latin1'],
    ['PATCH', 'application/merge-patch+json; charset=utf-16'],
    ['POST', 'text/json'],
    ['POST', 'text/plain, application/json'],
    ['PUT', 'text/plain'],
    ['PATCH', 'text/plain'],
    ['DELETE', 'text/plain'],
    ['POST', 'application/merge-patch+json'],
    ['PUT', 'application/merge-patch+json'],
  ])('%s with a body of type %s, as a form can send it -> 415', async (method, type) => {
    const answer = await send(
      await serving(),
      method,
      type === undefined ? {} : { 'Content-Type': type },
      '{}',
    )
    expect([answer.status, answer.json]).toEqual([415, wrongType])
  })

  it.each([
    ['POST', 'application/json'],
    ['POST', 'application/json; charset=utf-8'],
    ['POST', 'Application/JSON'],
    ['PATCH', 'application/merge-patch+json'],
    ['PATCH', 'application/merge-patch+json; charset="UTF-8"'],
    ['DELETE', 'application/json'],
  ])('%s with a body of type %s -> past the guard', async (method, type) => {
    expect((await send(await serving(), method, { 'Content-Type': type }, '{}')).status).toBe(405)
  })

  it('a chunked body needs its type as well', async () => {
    const { server } = await serving()
    const chunked = { 'Transfer-Encoding': 'chunked' }
    expect((await raw(server, request('POST', '/_sandbox', chunked, '2\r\n{}\r\n0\r\n\r\n'))).status).toBe(
      415,
    )
  })

  it.each(['gzip', 'br', 'GZIP', 'identity, gzip'])(
    'a body with Content-Encoding: %s -> 415, nothing is decompressed',
    async (encoding) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding }
      const answer = await send(await serving(), 'POST', headers, '{}')
      expect([answer.status, answer.json]).toEqual([
        415,
        { error: { type: 'UNSUPPORTED_MEDIA_TYPE', message: 'A body must not be compressed.' } },
      ])
    },
  )

  it('no body needs no type', async () => {
    const { server } = await serving()
    for (const headers of [{}, { 'Content-Length': '0' }, { 'Content-Type': 'text/plain' }]) {
      expect((await raw(server, request('POST', '/_sandbox', headers))).status).toBe(405)
    }
  })

  it('in process, a body without its type -> 415; with it, or without a body -> past the guard', async () => {
    const { fetch } = await startSandbox()
    const status = async (init: RequestInit): Promise<number> =>
      (await fetch('/_sandbox', { method: 'POST', ...init })).status
    expect(await status({ body: '{}' })).toBe(415)
    expect(await status({ body: '{}', headers: { 'content-type': 'application/json' } })).toBe(405)
    expect(await status({})).toBe(405)
  })
})

describe('--admin-token', () => {
  const token = 'a-token_of.ours'
  const bearer = { Authorization: `Bearer ${token}` }

  for (const host of ['127.0.0.1', '0.0.0.0']) {
    it.each<[string, Record<string, string>]>([
      ['nothing', {}],
      ['another token', { Authorization: 'Bearer another' }],
      ['the start of it', { Authorization: `Bearer ${token.slice(0, -1)}` }],
      ['more than it', { Authorization: `Bearer ${token}x` }],
      ['it in other letters', { Authorization: `Bearer ${token.toUpperCase()}` }],
      ['it as Basic', { Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }],
      ['it without a scheme', { Authorization: token }],
      ['an API key', { Authorization: 'Bearer sk_sandbox_full' }],
      ['an empty token', { Authorization: 'Bearer ' }],
      ['it twice', { Authorization: `Bearer ${token}`, authorization: `Bearer ${token}` }],
      ['it and another', { Authorization: `Bearer ${token}`, authorization: 'Bearer another' }],
    ])(`on ${host}, %s -> 401 with a challenge`, async (_what, headers) => {
      const { get } = await serving({ adminToken: token }, host)
      for (const path of [...guarded, '/_sandbox/unknown']) {
        const answer = await get(path, headers)
        expect([path, answer.status, answer.json]).toEqual([path, 401, needsToken])
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
    })

    it.each<[string, Record<string, string>, number]>([
      ['it', bearer, 200],
      ['it with another case of Bearer', { Authorization: `bearer ${token}` }, 200],
      ['it, under any Host', { ...bearer, Host: 'evil.example' }, 200],
      ['it, from a page that was given it', { ...bearer, Origin: 'https://app.example' }, 200],
      ['it, cross-site', { ...bearer, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ])(`on ${host}, %s -> %j is answered %i`, async (_what, headers, status) => {
      const { get } = await serving({ adminToken: token }, host)
      expect((await get('/_sandbox', headers)).status).toBe(status)
    })
  }

  it('an answer to a page that has the token is still without CORS', async () => {
    const { get } = await serving({ adminToken: token })
    const { headers } = await get('/_sandbox', { ...bearer, Origin: 'http://localhost:5173' })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('in process it is asked for as well', async () => {
    const { fetch } = await startSandbox({ adminToken: token })
    expect((await fetch('/_sandbox')).status).toBe(401)
    expect((await fetch('/_sandbox', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  it('--admin token with a token is the same as the token alone', async () => {
    const { get } = await serving({ admin: 'token', adminToken: token })
    expect((await get('/_sandbox')).status).toBe(401)
    expect((await get('/_sandbox', bearer)).status).toBe(200)
  })

  it('--admin off beside a token -> nobody', async () => {
    const { get } = await serving({ admin: 'off', adminToken: token })
    const answer = await get('/_sandbox', bearer)
    expect([answer.status, answer.json]).toEqual([403, switchedOff])
  })
})

describe('off loopback', () => {
  it('without a decision -> 403 that says how to decide; the API, health and documents serve', async () => {
    const open = await serving({}, '0.0.0.0')
    for (const path of [...guarded, '/_sandbox/unknown']) {
      const answer = await open.get(path)
      expect([path, answer.status, answer.json]).toEqual([path, 403, needsDecision])
    }
    expect((await open.get('/_sandbox/health')).status).toBe(200)
    expect((await open.get(await pdfPath(open))).status).toBe(200)
    const key = { Authorization: `Bearer ${open.sandbox.apiKey}` }
    expect((await open.get('/v2/customers?limit=1', key)).status).toBe(200)
  })

  it.each([
    ['any Host', { Host: 'sandbox.internal' }, 200],
    ['an Origin', { Origin: 'http://localhost:5173' }, 403],
    ['a cross-site request', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ])('--admin open: %s -> %s is answered %i', async (_what, headers, status) => {
    const { get } = await serving({ admin: 'open' }, '0.0.0.0')
    expect((await get('/_sandbox', headers)).status).toBe(status)
  })

  it.each(['127.0.0.1', '0.0.0.0'])(
    '--admin off on %s -> 403; API, health and documents serve',
    async (host) => {
      const off = await serving({ admin: 'off' }, host)
      for (const path of [...guarded, '/_sandbox/unknown']) {
        const answer = await off.get(path)
        expect([path, answer.status, answer.json]).toEqual([path, 403, switchedOff])
      }
      expect((await off.get('/_sandbox/health')).status).toBe(200)
      expect((await off.get(await pdfPath(off))).status).toBe(200)
      const key = { Authorization: `Bearer ${off.sandbox.apiKey}` }
      expect((await off.get('/v2/customers?limit=1', key)).status).toBe(200)
    },
  )

  it.each(['127.0.0.1', 'localhost', '127.0.0.2'])('%s is loopback', async (host) => {
    const { get } = await serving({}, host).catch(() => serving())
    expect((await get('/_sandbox')).status).toBe(200)
  })

  it('one port off loopback is enough, and ends when that port closes', async () => {
    const { sandbox, get } = await serving()
    expect((await get('/_sandbox')).status).toBe(200)
    const wide = await sandbox.listen({ host: '0.0.0.0' })
    expect((await get('/_sandbox')).status).toBe(403)
    await wide.close()
    expect((await get('/_sandbox')).status).toBe(200)
  })
})

describe('outside the guard', () => {
  it.each<[string, SandboxOptions]>([
    ['as it is', {}],
    ['with a token', { adminToken: 'token' }],
    ['switched off', { admin: 'off' }],
  ])('health and documents answer anybody, %s', async (_what, options) => {
    const open = await serving(options)
    for (const headers of [{}, evil]) {
      const health = await open.get('/_sandbox/health', headers)
      expect(health.status).toBe(200)
      expect(health.json.status).toBe('ok')
      const document = await open.get(await pdfPath(open), headers)
      expect(document.status).toBe(200)
      expect(document.headers['content-type']).toBe('application/pdf')
    }
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s of health -> 405, whoever asks', async (method) => {
    const { server } = await serving({ admin: 'off' })
    const answer = await raw(server, request(method, '/_sandbox/health', evil))
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe('GET, HEAD')
    expect(answer.json).toEqual({
      error: { type: 'METHOD_NOT_ALLOWED', message: 'This path has the methods GET, HEAD.' },
    })
  })

  it.each(['/_sandbox/healthy', '/_sandbox/health/', '/_sandbox/health/x', '/_sandbox/HEALTH'])(
    'a path like that of health, %s -> guarded',
    async (path) => {
      const { get } = await serving()
      expect((await get(path, { Host: 'evil.example' })).status).toBe(421)
      expect((await get(path)).status).toBe(404)
    },
  )
})

describe('pages, by every combination of what a browser sends', () => {
  const origins = ['', 'http://localhost:4010', 'https://sandbox.example', 'http://localhost:5173', 'null']
  const sites = ['', 'same-origin', 'same-site', 'none', 'cross-site']
  const requestedHosts = [
    ['localhost', 'http://localhost:4010'],
    ['rebound', 'http://evil.example:4010'],
    ['0.0.0.0', 'http://0.0.0.0:4010'],
  ] as const
  const base: GuardOptions = {
    admin: undefined,
    token: undefined,
    policy: testIsolation,
    allowedHosts: ['sandbox.example'],
    corsOrigins: [],
    baseUrl: new URL('https://sandbox.example/api'),
    onLoopback: () => true,
  }
  const modes: readonly (readonly [string, Partial<GuardOptions>, Record<string, string>])[] = [
    ['closed to nobody', {}, {}],
    ['--admin open', { admin: 'open' }, {}],
    ['the token', { token: 'secret' }, { authorization: 'Bearer secret' }],
    ['no token', { token: 'secret' }, {}],
    ['--admin off', { admin: 'off' }, {}],
    ['undecided', { onLoopback: () => false }, {}],
  ]
  const headersOf = (origin: string, site: string, more: Record<string, string> = {}) => ({
    ...more,
    ...(origin === '' ? {} : { origin }),
    ...(site === '' ? {} : { 'sec-fetch-site': site }),
  })
  const status = (url: string, init: RequestInit, options: Partial<GuardOptions>, about = {}): number =>
    guard(new Request(url, init), undefined, { ...base, ...options }, about)?.status ?? 200

  /** Who passes, of all that there are, and what the others are answered. */
  function outcomes(method: string, path: string, about = {}, extra: Record<string, string> = {}) {
    const passing: string[] = []
    const statuses: Record<string, number[]> = {}
    for (const [mode, options, sent] of modes) {
      for (const [host, at] of requestedHosts) {
        for (const origin of origins) {
          for (const site of sites) {
            // A page that was opened by the name that is asked for is of that origin.
            const own = origin === 'http://localhost:4010' ? at : origin
            const headers = headersOf(own, site, { ...sent, ...extra })
            const code = status(at + path, { method, headers }, options, about)
            if (code === 200) passing.push(`${mode}; ${host}; ${own || '-'}; ${site || '-'}`)
            const seen = (statuses[mode] ??= [])
            if (!seen.includes(code)) seen.push(code)
          }
        }
      }
    }
    const sorted = Object.entries(statuses).map(([mode, seen]) => [mode, seen.toSorted((a, b) => a - b)])
    return { passing, statuses: Object.fromEntries(sorted) as Record<string, number[]> }
  }

  /** A token allows everything except requests that declare themselves cross-site. */
  const withToken = (isPassing: (site: string) => boolean): string[] =>
    requestedHosts.flatMap(([host, at]) =>
      origins.flatMap((origin) =>
        sites
          .filter(isPassing)
          .map(
            (site) =>
              `the token; ${host}; ${(origin === 'http://localhost:4010' ? at : origin) || '-'}; ${site || '-'}`,
          ),
      ),
    )

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s: programs, the own page by a known name, and whoever has the token',
    (method) => {
      const { passing, statuses } = outcomes(method, '/_sandbox/reset')
      expect(passing).toEqual([
        'closed to nobody; localhost; -; -',
        'closed to nobody; localhost; http://localhost:4010; same-origin',
        'closed to nobody; localhost; https://sandbox.example; same-origin',
        '--admin open; localhost; -; -',
        '--admin open; localhost; http://localhost:4010; same-origin',
        '--admin open; localhost; https://sandbox.example; same-origin',
        '--admin open; rebound; -; -',
        '--admin open; rebound; https://sandbox.example; same-origin',
        '--admin open; 0.0.0.0; -; -',
        '--admin open; 0.0.0.0; https://sandbox.example; same-origin',
        ...withToken((site) => site !== 'cross-site'),
      ])
      expect(statuses).toEqual({
        'closed to nobody': [200, 403, 421],
        '--admin open': [200, 403],
        'the token': [200, 403],
        'no token': [401],
        '--admin off': [403],
        undecided: [403],
      })
    },
  )

  it.each(['GET', 'HEAD'])('%s: as ever, who sends no Origin and is not cross-site', (method) => {
    const { passing, statuses } = outcomes(method, '/_sandbox/state')
    const near = ['-', 'same-origin', 'same-site', 'none']
    expect(passing).toEqual([
      ...near.map((site) => `closed to nobody; localhost; -; ${site}`),
      ...requestedHosts.flatMap(([host]) => near.map((site) => `--admin open; ${host}; -; ${site}`)),
      ...withToken((site) => site !== 'cross-site'),
    ])
    expect(statuses['no token']).toEqual([401])
  })

  it('files of the page need no token, and are there for whoever follows a link', () => {
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const { passing, statuses } = outcomes('GET', '/_sandbox/ui', { isPage: true }, navigation)
    const all = (mode: string, hosts: readonly string[]): string[] =>
      requestedHosts
        .filter(([host]) => hosts.includes(host))
        .flatMap(([host, at]) =>
          origins.flatMap((origin) =>
            sites.map(
              (site) =>
                `${mode}; ${host}; ${(origin === 'http://localhost:4010' ? at : origin) || '-'}; ${site || '-'}`,
            ),
          ),
        )
    const everywhere = requestedHosts.map(([host]) => host)
    expect(passing).toEqual([
      ...all('closed to nobody', ['localhost']),
      ...all('--admin open', everywhere),
      ...all('the token', everywhere),
      ...all('no token', ['localhost']),
    ])
    expect(statuses).toMatchObject({ '--admin off': [403], undecided: [403], 'no token': [200, 421] })
  })

  it.each(['script', 'iframe', 'image'])('files of the page are no %s of a foreign page', (dest) => {
    const sent = { 'sec-fetch-mode': dest === 'iframe' ? 'navigate' : 'no-cors', 'sec-fetch-dest': dest }
    const { passing } = outcomes('GET', '/_sandbox/ui/page.js', { isPage: true }, sent)
    expect(passing.filter((one) => one.endsWith('cross-site'))).toEqual([])
    expect(passing).toContain('no token; localhost; -; same-origin')
  })

  it.each([
    ['POST', undefined, 200],
    ['POST', 'application/json', 200],
    ['POST', 'application/json; charset=utf-8', 200],
    ['POST', 'text/plain', 415],
    ['POST', 'application/x-www-form-urlencoded', 415],
    ['PATCH', 'application/json', 200],
    ['PATCH', 'application/merge-patch+json', 415],
    ['DELETE', 'text/plain', 415],
  ])('%s of the own page with a body of type %s -> %i', (method, type, outcome) => {
    const headers = headersOf('http://localhost:4010', 'same-origin')
    const sent =
      type === undefined ? { headers } : { headers: { ...headers, 'content-type': type }, body: '{}' }
    expect(status('http://localhost:4010/_sandbox/x', { method, ...sent }, {})).toBe(outcome)
  })

  it.each([
    ['http://localhost:4010', 'http://localhost:4010', 200],
    ['http://localhost', 'http://localhost:80', 200],
    ['http://[::1]:4010', 'http://[::1]:4010', 200],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010', 200],
    ['http://10.0.0.5:4010', 'http://10.0.0.5:4010', 200],
    ['http://sandbox.example', 'http://sandbox.example', 200],
    ['http://localhost:4010', 'http://127.0.0.1:4010', 403],
    ['http://localhost:4011', 'http://localhost:4010', 403],
    ['http://localhost', 'http://localhost:4010', 403],
    ['https://localhost:4010', 'http://localhost:4010', 403],
    ['http://localhost:4010/', 'http://localhost:4010', 403],
    ['http://LOCALHOST:4010', 'http://localhost:4010', 403],
    ['http://localhost:4010, http://localhost:4010', 'http://localhost:4010', 403],
    ['http://sandbox.example', 'http://localhost:4010', 403],
    ['https://sandbox.example', 'http://localhost:4010', 200],
    ['https://sandbox.example:443', 'http://localhost:4010', 403],
    ['https://sub.sandbox.example', 'http://localhost:4010', 403],
  ])('the very origin: %s at %s -> %i', (origin, at, outcome) => {
    const init = { method: 'POST', headers: headersOf(origin, 'same-origin') }
    expect(status(`${at}/_sandbox/reset`, init, {})).toBe(outcome)
    expect(status(`${at}/_sandbox/reset`, init, { admin: 'open' })).toBe(outcome)
  })

  it('the origin of --base-url is known only where its host is allowed', () => {
    const init = { method: 'POST', headers: headersOf('https://sandbox.example', 'same-origin') }
    const at = 'http://localhost:4010/_sandbox/reset'
    expect(status(at, init, { allowedHosts: [] })).toBe(403)
    expect(status(at, init, { allowedHosts: [], admin: 'open' })).toBe(403)
  })

  it.each([
    ['a file of the page', 'sandbox.example', { isPage: true }, { token: 'secret' }, 200],
    ['a file of the page, of another name', 'evil.example', { isPage: true }, { token: 'secret' }, 421],
    ['without a token: what it asks for is no use', 'sandbox.example', { isPage: true }, {}, 421],
    ['anything else', 'sandbox.example', {}, { token: 'secret' }, 401],
  ])('the host of --base-url, not allowed: %s at %s -> %#', (_what, host, about, options, outcome) => {
    const at = `http://${host}/_sandbox/ui`
    expect(status(at, {}, { allowedHosts: [], ...options }, about)).toBe(outcome)
  })

  it.each([
    ['', 'same-origin', 'The control plane takes this from a web page only with its Origin.'],
    [
      'http://localhost:5173',
      'same-site',
      "The control plane takes this from no web page but the sandbox's own: open it at localhost or an IP address, or at the address of --base-url with its host in --allowed-hosts.",
    ],
    [
      'http://localhost:4010',
      '',
      'Over plain http off loopback a browser does not say which page asks (Sec-Fetch-Site), so that a page can only read: open it at localhost or over https, or start with --admin-token TOKEN and send the token.',
    ],
    [
      'http://localhost:4010',
      'cross-site',
      "The control plane takes this from the sandbox's own page only (Sec-Fetch-Site: same-origin).",
    ],
  ])("a refusal says why and what to do: Origin '%s', Sec-Fetch-Site '%s'", async (origin, site, message) => {
    const asking = new Request('http://localhost:4010/_sandbox/reset', {
      method: 'POST',
      headers: headersOf(origin, site),
    })
    const refused = guard(asking, undefined, base)
    expect([refused?.status, await refused?.json()]).toEqual([403, { error: { type: 'FORBIDDEN', message } }])
  })

  it('over a socket: the own page resets; a page of another port does not', async () => {
    const { sandbox, server } = await serving()
    const { host } = new URL(server.url)
    const ask = (headers: Record<string, string>) =>
      raw(server, request('POST', '/_sandbox/reset', { Host: host, ...headers }))
    const gone = (): boolean => sandbox.state.get('order_events', 'ord_ada_1') === undefined
    sandbox.state.delete('order_events', 'ord_ada_1')
    for (const refused of [
      { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
      { Origin: server.url },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
    ]) {
      expect((await ask(refused)).status).toBe(403)
    }
    expect(gone()).toBe(true)
    expect((await ask({ Origin: server.url, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
    expect(gone()).toBe(false)
  })
})

describe('GET / of a browser', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const line = 'This is partner-rewards-sandbox. See /_sandbox for its control plane.\n'

  it.each<[string, SandboxOptions, string, string, string]>([
    ['on loopback', {}, '127.0.0.1', '/', '/_sandbox/ui'],
    ['with a token', { adminToken: 'secret' }, '0.0.0.0', '/', '/_sandbox/ui'],
    ['open', { admin: 'open' }, '0.0.0.0', '/', '/_sandbox/ui'],
    ['behind a proxy', { baseUrl: 'https://proxy.example/api/' }, '127.0.0.1', '/', '/api/_sandbox/ui'],
    ['below its path', { baseUrl: 'https://proxy.example/api' }, '127.0.0.1', '/api', '/api/_sandbox/ui'],
  ])('%s -> 302 to the page; curl gets its line', async (_what, options, host, path, location) => {
    const { get } = await serving(options, host)
    const answer = await get(path, browser)
    expect([answer.status, answer.headers['location'], answer.body]).toEqual([302, location, ''])
    for (const headers of [{}, { Accept: '*/*' }]) {
      const plain = await get(path, headers)
      expect([plain.status, plain.body]).toEqual([200, line])
    }
  })

  it.each<[string, SandboxOptions, string, string, string]>([
    ['on loopback', {}, '127.0.0.1', '/_sandbox', '/_sandbox/ui'],
    ['with a slash', {}, '127.0.0.1', '/_sandbox/', '/_sandbox/ui'],
    ['with a token', { adminToken: 'secret' }, '0.0.0.0', '/_sandbox', '/_sandbox/ui'],
    ['open', { admin: 'open' }, '0.0.0.0', '/_sandbox', '/_sandbox/ui'],
    ['below its path', { baseUrl: 'http://localhost/api' }, '127.0.0.1', '/api/_sandbox', '/api/_sandbox/ui'],
  ])(
    '/_sandbox, %s -> 302 to the page; programs get the list',
    async (_what, options, host, path, location) => {
      const { get } = await serving(options, host)
      const followed = {
        ...browser,
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
      }
      for (const headers of [browser, followed]) {
        const answer = await get(path, headers)
        expect([answer.status, answer.headers['location'], answer.body]).toEqual([302, location, ''])
      }
      const plain = await get(path, {})
      expect(plain.status).toBe(options.adminToken === undefined ? 200 : 401)
      const posted = await get(path, {
        ...browser,
        Authorization: 'Bearer secret',
        Accept: 'application/json',
      })
      expect(JSON.parse(posted.body)).toMatchObject({ name: 'partner-rewards-sandbox' })
    },
  )

  it.each<[string, SandboxOptions, string, Record<string, string>, number]>([
    ['--admin off', { admin: 'off' }, '127.0.0.1', {}, 403],
    ['off loopback without a decision', {}, '0.0.0.0', {}, 403],
    ['a name of a foreign page', {}, '127.0.0.1', { Host: 'evil.example' }, 421],
    ['a page of another origin', {}, '127.0.0.1', { Origin: 'https://evil.example' }, 403],
    [
      'a page of another site that reads it',
      {},
      '127.0.0.1',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
      403,
    ],
  ])('/_sandbox, %s -> refused as the page is', async (_what, options, host, headers, status) => {
    const { get } = await serving(options, host)
    for (const path of ['/_sandbox', '/_sandbox/ui'])
      expect((await get(path, { ...browser, ...headers })).status).toBe(status)
  })

  it.each<[string, SandboxOptions, string]>([
    ['--admin off', { admin: 'off' }, '127.0.0.1'],
    ['--admin off with a token', { admin: 'off', adminToken: 'secret' }, '127.0.0.1'],
    ['off loopback without a decision', {}, '0.0.0.0'],
  ])('%s -> the line', async (_what, options, host) => {
    const { get } = await serving(options, host)
    const answer = await get('/', browser)
    expect([answer.status, answer.body]).toEqual([200, line])
  })
})
