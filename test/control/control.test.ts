import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as formats from 'ajv-formats'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { assumptionIds } from '../../src/contract/assumptions.ts'
import { resources } from '../../src/control/index.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { get } from './get.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** Every path with what it has, written out; a path that is missing here fails the tests that use it. */
const methodsOf: Readonly<Record<string, string>> = {
  '/_sandbox/state': 'GET, HEAD, PUT',
  '/_sandbox/state/account': 'GET, HEAD, PUT, PATCH',
  '/_sandbox/state/stubs': 'GET, HEAD, PUT',
  '/_sandbox/state/:collection/:id': 'GET, HEAD, PUT, PATCH, DELETE',
  '/_sandbox/reset': 'POST',
  '/_sandbox/snapshots/:name': 'GET, HEAD, PUT, DELETE',
  '/_sandbox/snapshots/:name/restore': 'POST',
  '/_sandbox/workspaces': 'GET, HEAD, POST',
  '/_sandbox/workspaces/:name': 'GET, HEAD, DELETE',
  '/_sandbox/workspaces/:name/rotate': 'POST',
  '/_sandbox/clock': 'GET, HEAD, PUT',
  '/_sandbox/clock/advance': 'POST',
  '/_sandbox/scenarios': 'GET, HEAD, POST',
  '/_sandbox/scenarios/active': 'GET, HEAD, PUT, PATCH, DELETE',
  '/_sandbox/scenarios/:name': 'GET, HEAD, DELETE',
  '/_sandbox/scenarios/:name/restart': 'POST',
  '/_sandbox/simulate/transaction': 'POST',
  '/_sandbox/simulate/reward': 'POST',
  '/_sandbox/simulate/statement': 'POST',
  '/_sandbox/simulate/payment_method': 'POST',
  '/_sandbox/simulate/account': 'POST',
  '/_sandbox/requests': 'GET, HEAD, DELETE',
  '/_sandbox/requests/verify': 'POST',
  '/_sandbox/requests/:id/replay': 'POST',
  '/_sandbox/events/trigger': 'POST',
  '/_sandbox/events/drain': 'POST',
  '/_sandbox/events/wait': 'POST',
  '/_sandbox/events/:id/resend': 'POST',
  '/_sandbox/events/:id/deliveries/:n': 'POST',
  '/_sandbox/webhook_endpoints': 'GET, HEAD, POST',
  '/_sandbox/webhook_endpoints/:id': 'GET, HEAD, PATCH, DELETE',
  '/_sandbox/webhook_endpoints/:id/rotate': 'POST',
  '/_sandbox/stop': 'POST',
  '/_sandbox/coverage': 'GET, HEAD, DELETE',
}

describe('GET /_sandbox', () => {
  it('lists what is here', async () => {
    const { status, type, json } = await get(await startSandbox(), '/_sandbox')
    expect([status, type]).toEqual([200, 'application/json'])
    expect(json).toEqual({
      name: 'partner-rewards-sandbox',
      paths: resources.map((resource) => ({
        path: resource.path,
        methods: methodsOf[resource.path] ?? 'GET, HEAD',
        about: expect.any(String),
      })),
    })
    expect(json.paths).toContainEqual({
      path: '/_sandbox/clock',
      methods: 'GET, HEAD, PUT',
      about: 'GET: print the clock; PUT: move the clock forward, freeze it or let it run',
    })
  })

  it.each(['GET', 'HEAD'])('%s /_sandbox/ is /_sandbox', async (method) => {
    const sandbox = await startSandbox()
    const [with_, without] = await Promise.all([
      get(sandbox, '/_sandbox/', { method }),
      get(sandbox, '/_sandbox', { method }),
    ])
    expect(with_).toEqual(without)
    expect(with_.status).toBe(200)
  })

  it('every path of the list that can be read answers', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard' })
    sandbox.snapshot('slow')
    await sandbox.workspaces.create({ name: 'slow' })
    const { json } = await get(sandbox, '/_sandbox')
    for (const { path, methods } of json.paths) {
      // Files of the build and metrics are no JSON.
      if (['/_sandbox/ui', '/_sandbox/trace', '/_sandbox/metrics'].includes(path)) continue
      // A reset forgets it, and it is the first one again.
      await sandbox.workspace('default').fetch('/v2/customers')
      if (!sandbox.events.get('evt_1')) sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
      // The body of a stream has no end; what it says is tested by itself.
      const method = path === '/_sandbox/stream' ? 'HEAD' : (methods.split(', ')[0] ?? '')
      // A reset forgets it, too.
      if (!sandbox.webhooks.list().some(({ listener }) => listener))
        sandbox.webhooks.add({ url: 'http://localhost/', listener: true, events: ['order_event.deleted'] })
      const called = path
        .replace(':name', 'slow')
        .replace(':collection/:id', 'rewards/rwd_ada_pending')
        .replace(':collection', 'rewards')
        .replace('assumptions/:id', 'assumptions/create_status')
        .replace('events/:id', `events/${sandbox.events.list().at(-1)?.id ?? 'evt_1'}`)
        .replace('webhook_endpoints/:id', 'webhook_endpoints/we_1')
        .replace(':n', '1')
        .replace(':id', 'req_default_1')
      const bodies: Readonly<Record<string, object>> = {
        '/_sandbox/clock/advance': { seconds: 1 },
        '/_sandbox/simulate/transaction': { intent_id: 'int_ada_1' },
        '/_sandbox/simulate/reward': { customer_id: 'cus_ada', reward_type: 'STATEMENT' },
        '/_sandbox/simulate/statement': { account_id: 'acct_ada' },
        '/_sandbox/simulate/payment_method': { id: 'pm_ada_card', reissue: true },
        '/_sandbox/simulate/account': { id: 'acct_ada', status: 'CLOSED' },
        '/_sandbox/requests/verify': { at_least: 1 },
        '/_sandbox/events/trigger': { type: 'reward.updated', id: 'rwd_ada_pending' },
        '/_sandbox/events/wait': {},
        '/_sandbox/events/:id/deliveries/:n': { status: 204, duration_ms: 1 },
      }
      const body = Object.hasOwn(bodies, path) ? JSON.stringify(bodies[path]) : undefined
      const init = body ? { body, headers: { 'content-type': 'application/json' } } : {}
      const { status } = await get(sandbox, called, { method, ...init })
      expect([method, path, status]).toEqual([
        method,
        path,
        // There are keys to rotate only where partners are kept apart, and no endpoint receives the event.
        /workspaces\/:name\/rotate$|\/resend$|\/deliveries\/:n$/.test(path)
          ? 409
          : path === '/_sandbox/stop'
            ? 202
            : /\/simulate\/|\/replay$|\/trigger$/.test(path)
              ? 201
              : 200,
      ])
    }
  })
})

describe('GET /_sandbox/health', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('says that all is well, which version this is, and since when it runs', async () => {
    const sandbox = await startSandbox()
    vi.advanceTimersByTime(61_900)
    const { status, type, json } = await get(sandbox, '/_sandbox/health')
    expect([status, type]).toEqual([200, 'application/json'])
    expect(json).toEqual({ status: 'ok', version, uptime_seconds: 61 })
  })

  it('is what the library says', async () => {
    const sandbox = await startSandbox()
    vi.advanceTimersByTime(2_000)
    expect(sandbox.health()).toEqual((await get(sandbox, '/_sandbox/health')).json)
  })

  it('does not count as a request of the API', async () => {
    const sandbox = await startSandbox()
    for (let at = 0; at < 3; at++) await get(sandbox, '/_sandbox/health')
    expect((await sandbox.call('GET', '/v2/customers')).requestId).toBe('req_default_1')
  })

  it('does not follow the sandbox clock', async () => {
    const sandbox = await startSandbox()
    sandbox.clock.advance({ days: 365 })
    expect((await get(sandbox, '/_sandbox/health')).json.uptime_seconds).toBe(0)
  })
})

describe('GET /_sandbox/assumptions', () => {
  it('lists every assumption in order, with the value in force', async () => {
    const sandbox = await startSandbox({ assume: { not_found_status: 400, default_page_size: 25 } })
    const { status, json } = await get(sandbox, '/_sandbox/assumptions')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['assumptions'])
    expect(json.assumptions.map(({ id }: { id: string }) => id)).toEqual(assumptionIds)
    expect(json.assumptions).toEqual(sandbox.assumptions())
    const changed = json.assumptions.filter(
      (one: { value: unknown; default: unknown }) => one.value !== one.default,
    )
    expect(changed.map(({ id, value }: { id: string; value: unknown }) => [id, value])).toEqual([
      ['not_found_status', 400],
      ['default_page_size', 25],
    ])
  })

  it('says how many calls of a workspace rest on it', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/rewards/nobody')
    await sandbox.call('GET', '/v2/customers/nobody/rewards_balance')
    await sandbox.call('GET', '/v2/rewards/nobody', { key: `${fullKey}.w1` })
    const usedOf = async (query: string): Promise<(number | undefined)[]> => {
      const { json } = await get(sandbox, `/_sandbox/assumptions${query}`)
      const used = new Map<string, number>(
        json.assumptions.map((one: { id: string; used: number }) => [one.id, one.used]),
      )
      return [used.get('not_found_status'), used.get('create_status')]
    }
    expect(await usedOf('')).toEqual([2, 0])
    expect(await usedOf('?workspace=w1')).toEqual([1, 0])
    expect((await get(sandbox, '/_sandbox/assumptions/not_found_status')).json).toEqual(
      sandbox.assumptions().find(({ id }) => id === 'not_found_status'),
    )
    sandbox.requests.clear()
    expect(await usedOf('')).toEqual([0, 0])
  })

  it('each has a question, the section that leaves it open, its alternatives and its effect', async () => {
    const { json } = await get(await startSandbox(), '/_sandbox/assumptions')
    for (const entry of json.assumptions) {
      expect(entry).toMatchObject({
        id: expect.stringMatching(/^[a-z]+(_[a-z0-9]+)*$/),
        question: expect.stringMatching(/\?$/),
        section: expect.stringMatching(/./),
        alternatives: expect.any(Array),
        effect: expect.stringMatching(/\.$/),
      })
      expect(['string', 'number']).toContain(typeof entry.value)
      expect(entry.observable).toBe(entry.observable_reason === undefined)
      const optional = ['range', 'remedy', 'described_by', 'observable_reason']
      const extra = Object.keys(entry).filter((key) => !optional.includes(key))
      expect(extra.toSorted()).toEqual([
        'alternatives',
        'default',
        'effect',
        'evidence',
        'id',
        'observable',
        'provenance',
        'question',
        'section',
        'used',
        'value',
      ])
    }
  })
})

describe('GET /_sandbox/openapi.json', () => {
  it('is made for --base-url when there is one', async () => {
    const sandbox = await startSandbox({ baseUrl: 'https://gateway.example/rewards/' })
    const { json } = await get(sandbox, '/_sandbox/openapi.json')
    expect(json.servers.map(({ url }: { url: string }) => url)).toEqual(['https://gateway.example/rewards'])
  })

  it('tells the assumptions in force', async () => {
    const sandbox = await startSandbox({ assume: { create_status: 200 } })
    const { json } = await get(sandbox, '/_sandbox/openapi.json')
    expect(Object.keys(json.paths['/v2/transaction_intents'].post.responses)).toContain('200')
    expect(Object.keys(json.paths['/v2/transaction_intents'].post.responses)).not.toContain('201')
  })
})

describe('GET /_sandbox/schemas/{kind}.json', () => {
  it('fixtures: a JSON Schema that takes the built-in fixtures, and a sparse one', async () => {
    const sandbox = await startSandbox()
    const { status, json } = await get(sandbox, '/_sandbox/schemas/fixtures.json')
    expect(status).toBe(200)
    expect(json).toEqual(JSON.parse(JSON.stringify(await sandbox.schema('fixtures'))))
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    formats.default.default(ajv)
    const validate = ajv.compile(json)
    const builtIn: unknown = JSON.parse(readFileSync('fixtures/default.json', 'utf8'))
    expect([validate(builtIn), validate.errors]).toEqual([true, null])
    expect([validate({ customers: [{ id: 'cus_1' }] }), validate.errors]).toEqual([true, null])
    expect(validate({ customers: [{ id: 1 }] })).toBe(false)
    expect(validate({ custommers: [] })).toBe(false)
  })

  it('an unknown kind -> 404', async () => {
    const { status, json } = await get(await startSandbox(), '/_sandbox/schemas/fixture.json')
    expect([status, json.error.type]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('refusals', () => {
  it.each(['/_sandbox/nothing', '/_sandbox/assumptions/', '/_sandbox/schemas', '/_sandbox/__proto__'])(
    '%s -> 404 in the shape of the control plane, whatever the method',
    async (path) => {
      const sandbox = await startSandbox()
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const { status, type, json } = await get(sandbox, path, { method })
        expect([method, status, type]).toEqual([method, 404, 'application/json'])
        expect(json).toEqual({
          error: {
            type: 'NOT_FOUND',
            message: 'Unknown path: GET /_sandbox lists all paths.',
          },
        })
      }
    },
  )

  const wrong = ['/_sandbox', ...resources.map(({ path }) => path)].flatMap((path) => {
    const allowed = methodsOf[path] ?? 'GET, HEAD'
    return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
      .filter((method) => !allowed.split(', ').includes(method))
      .map((method) => [method, path, allowed] as const)
  })

  it.each(wrong)('%s %s -> 405 with Allow: %s', async (method, path, allowed) => {
    const { status, allow, json } = await get(await startSandbox(), path, { method })
    expect([status, allow]).toEqual([405, allowed])
    expect(json).toEqual({
      error: { type: 'METHOD_NOT_ALLOWED', message: `This path has the methods ${allowed}.` },
    })
  })

  it('answers carry no header of the API', async () => {
    const sandbox = await startSandbox()
    for (const path of ['/_sandbox', '/_sandbox/nothing', '/_sandbox/health']) {
      const { headers } = await sandbox.fetch(path)
      expect([...headers.keys()].filter((name) => name.startsWith('x-s') && name !== 'x-sandbox')).toEqual([])
    }
  })

  it.each(['/v2/_sandbox', '/_sandboxes', '/_SANDBOX'])('%s is no control plane -> 401', async (path) => {
    const { call } = await startSandbox()
    expect((await call('GET', path, { key: null })).status).toBe(401)
  })

  it('a document link that was made up -> 403 in the shape of the control plane', async () => {
    const sandbox = await startSandbox()
    const files = '/_sandbox/files/statements'
    expect(await get(sandbox, `${files}/default/stm_unknown.pdf`)).toMatchObject({
      status: 403,
      json: { error: { type: 'FORBIDDEN' } },
    })
    expect(await get(sandbox, `${files}/nowhere/x.pdf`)).toMatchObject({
      status: 403,
      json: { error: { type: 'FORBIDDEN' } },
    })
  })
})
