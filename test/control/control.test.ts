import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as formats from 'ajv-formats'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { assumptionIds } from '../../src/contract/assumptions.ts'
import { nouns } from '../../src/control/index.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { get } from './get.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

describe('declared answers', () => {
  it('every method declares its answer, but for those that answer text', () => {
    const undeclared = nouns.flatMap(({ path, methods, answers = {} }) =>
      Object.keys(methods)
        .filter((method) => !(method in answers))
        .map((method) => `${method} ${path}`),
    )
    expect(undeclared).toEqual(['metrics', 'stream', 'trace', 'ui'].map((name) => `GET /_sandbox/${name}`))
  })
})

describe('GET /_sandbox', () => {
  it('lists what is here', async () => {
    const { status, type, json } = await get(await startSandbox(), '/_sandbox')
    expect([status, type]).toEqual([200, 'application/json'])
    expect(json).toEqual({
      name: 'partner-rewards-sandbox',
      paths: [
        {
          path: '/_sandbox/health',
          methods: 'GET, HEAD',
          about: 'the health of the sandbox; always open',
        },
        {
          path: '/_sandbox/ready',
          methods: 'GET, HEAD',
          about: 'readiness: 503 until the state is loaded, and while the sandbox shuts down; always open',
        },
        {
          path: '/_sandbox/metrics',
          methods: 'GET, HEAD',
          about:
            'numbers of this process for Prometheus: calls, durations, workspaces, rows, journal, store, memory',
        },
        {
          path: '/_sandbox/state',
          methods: 'GET, HEAD, PUT',
          about: 'the state document, or with counts=true its row counts; PUT replaces it',
        },
        {
          path: '/_sandbox/state/account',
          methods: 'GET, HEAD, PUT, PATCH',
          about: 'the settings of the account; PATCH is a JSON Merge Patch',
        },
        {
          path: '/_sandbox/state/stubs',
          methods: 'GET, HEAD, PUT',
          about: 'answers for operations that the contract does not list; PUT replaces them all',
        },
        {
          path: '/_sandbox/state/:collection',
          methods: 'GET, HEAD',
          about: 'the rows of one collection, by ascending id; limit, after, id_prefix select some of them',
        },
        {
          path: '/_sandbox/state/:collection/:id',
          methods: 'GET, HEAD, PUT, PATCH, DELETE',
          about: 'one row; PUT adds or replaces it, PATCH is a JSON Merge Patch',
        },
        {
          path: '/_sandbox/reset',
          methods: 'POST',
          about:
            'POST restores the state right after start: rows, ids, clock, scenarios, counters, journal; snapshots stay; with {"ids": "continue"} ids continue',
        },
        {
          path: '/_sandbox/snapshots',
          methods: 'GET, HEAD',
          about: 'the snapshots of the workspace',
        },
        {
          path: '/_sandbox/snapshots/:name',
          methods: 'GET, HEAD, PUT, DELETE',
          about: 'one snapshot: PUT takes it, GET downloads it as a state document',
        },
        {
          path: '/_sandbox/snapshots/:name/restore',
          methods: 'POST',
          about: 'POST restores rows, ids and a clock that was set',
        },
        {
          path: '/_sandbox/snapshots/:name/diff',
          methods: 'GET, HEAD',
          about: 'the differences to the snapshot, or with ?with=NAME between two snapshots',
        },
        {
          path: '/_sandbox/differences',
          methods: 'GET, HEAD',
          about:
            'what differs from a fresh sandbox: scenarios that are on, the clock, rows edited, assumptions changed',
        },
        {
          path: '/_sandbox/workspaces',
          methods: 'GET, HEAD, POST',
          about:
            'the workspaces: POST {name?, fixtures?, scenarios?, clock?} creates one with its own rows, {name?, from} a copy of another',
        },
        {
          path: '/_sandbox/workspaces/:name',
          methods: 'GET, HEAD, DELETE',
          about: 'one workspace; DELETE deletes it with everything in it',
        },
        {
          path: '/_sandbox/workspaces/:name/rotate',
          methods: 'POST',
          about:
            'POST revokes all keys and the token of the workspace (with --isolation partner), and answers with the new ones',
        },
        {
          path: '/_sandbox/scenarios',
          methods: 'GET, HEAD, POST',
          about:
            'scenarios: the catalogue, with what is active; POST registers one, or {text} of YAML or JSON',
        },
        {
          path: '/_sandbox/scenarios/active',
          methods: 'GET, HEAD, PUT, PATCH, DELETE',
          about:
            'the active list: PUT ["name", …] replaces it, PATCH {on: [name, …], off: [name, …]} switches in one step',
        },
        {
          path: '/_sandbox/scenarios/:name',
          methods: 'GET, HEAD, DELETE',
          about: 'one scenario; DELETE removes one that was registered',
        },
        {
          path: '/_sandbox/scenarios/:name/restart',
          methods: 'POST',
          about: 'POST restarts the scenario: its counters begin at zero',
        },
        {
          path: '/_sandbox/clock',
          methods: 'GET, HEAD, PUT',
          about: 'the clock: PUT {now?, frozen?} moves it forward, freezes it or lets it run',
        },
        {
          path: '/_sandbox/clock/advance',
          methods: 'POST',
          about: 'POST {days?, hours?, minutes?, seconds?} moves the clock forward',
        },
        {
          path: '/_sandbox/simulate/transaction',
          methods: 'POST',
          about:
            'POST {intent_id}, or customer_id, amount, currency, merchant_name: a network transaction arrives',
        },
        {
          path: '/_sandbox/simulate/statement',
          methods: 'POST',
          about: 'POST {account_id}: its cycle closes and becomes the newest statement',
        },
        {
          path: '/_sandbox/events',
          methods: 'GET, HEAD',
          about: 'the webhook events, newest first; filters type, source, since, limit',
        },
        {
          path: '/_sandbox/events/trigger',
          methods: 'POST',
          about: 'POST {type, id, data?} creates an event of an existing resource, without a write',
        },
        {
          path: '/_sandbox/events/drain',
          methods: 'POST',
          about: 'POST makes all attempts that are due',
        },
        {
          path: '/_sandbox/events/wait',
          methods: 'POST',
          about: 'POST {type?, source?, since?, count?, timeout_ms?} waits until there are as many events',
        },
        {
          path: '/_sandbox/events/:id',
          methods: 'GET, HEAD',
          about: 'one event, with its attempts',
        },
        {
          path: '/_sandbox/events/:id/request',
          methods: 'GET, HEAD',
          about:
            'the signed request that delivers an event; at=sandbox or an instant is the signed time, endpoint=ID signs with its secret',
        },
        {
          path: '/_sandbox/events/:id/resend',
          methods: 'POST',
          about: 'POST delivers an event again',
        },
        {
          path: '/_sandbox/events/:id/deliveries/:n',
          methods: 'POST',
          about:
            'POST {status, duration_ms, location?, body?, retry_after?, error?} reports what the receiver of a listener answered',
        },
        {
          path: '/_sandbox/webhook_endpoints',
          methods: 'GET, HEAD, POST',
          about:
            'the endpoints that receive webhook events, with secrets=true with their secrets; POST {url, events?, secret?} adds one, and answers with its secret',
        },
        {
          path: '/_sandbox/webhook_endpoints/:id',
          methods: 'GET, HEAD, PATCH, DELETE',
          about: 'one endpoint; PATCH {url?, events?, enabled?} changes it, DELETE removes it',
        },
        {
          path: '/_sandbox/webhook_endpoints/:id/rotate',
          methods: 'POST',
          about: 'POST replaces the secret of an endpoint, and answers with the new one',
        },
        {
          path: '/_sandbox/requests',
          methods: 'GET, HEAD, DELETE',
          about:
            'the journal, newest first; filters operation, status, outcome, test, text, since, after, before, limit; format=har',
        },
        {
          path: '/_sandbox/timeline',
          methods: 'GET, HEAD',
          about: 'the actions on the workspace from outside the API, newest first, at most 500',
        },
        {
          path: '/_sandbox/requests/verify',
          methods: 'POST',
          about: 'POST a condition on the requests: a matcher with count, at_least, at_most; or in_order',
        },
        {
          path: '/_sandbox/requests/:id',
          methods: 'GET, HEAD',
          about:
            'one request by its x-sandbox-request-id, with the explanation and the rows it read; format=fixture',
        },
        {
          path: '/_sandbox/requests/:id/replay',
          methods: 'POST',
          about:
            'POST {workspace?, method?, path?, headers?, body?} sends it again, edited, to a copy of the workspace or another one',
        },
        {
          path: '/_sandbox/stream',
          methods: 'GET, HEAD',
          about:
            'server-sent events: each call as it is answered, rows changed from elsewhere, resets; endpoint=ID: the deliveries of that endpoint for its listener',
        },
        {
          path: '/_sandbox/contract',
          methods: 'GET, HEAD',
          about: 'the contract points: what a partner can test',
        },
        {
          path: '/_sandbox/coverage',
          methods: 'GET, HEAD, DELETE',
          about:
            'which contract points were exercised; format=json, text, html, junit; only=OPERATION,…; skip=FACET,…',
        },
        {
          path: '/_sandbox/assumptions',
          methods: 'GET, HEAD',
          about: 'the assumptions, their current values, and how many calls in the journal rest on each',
        },
        {
          path: '/_sandbox/assumptions/:id',
          methods: 'GET, HEAD',
          about: 'one assumption',
        },
        {
          path: '/_sandbox/trace',
          methods: 'GET, HEAD',
          about: 'the calls of the workspace as one HTML file: the inspector with its data',
        },
        {
          path: '/_sandbox/stop',
          methods: 'POST',
          about: 'POST stops the sandbox like SIGTERM: calls in flight are answered, and all data is saved',
        },
        {
          path: '/_sandbox/openapi.json',
          methods: 'GET, HEAD',
          about: 'the API as an OpenAPI 3.1 document; with sandbox=true, the headers of the sandbox as well',
        },
        {
          path: '/_sandbox/schemas/fixtures.json',
          methods: 'GET, HEAD',
          about: 'the JSON Schema of fixtures files, for editors',
        },
        {
          path: '/_sandbox/schemas/scenario.json',
          methods: 'GET, HEAD',
          about: 'the JSON Schema of scenario files, for editors',
        },
        {
          path: '/_sandbox/schemas/webhooks.json',
          methods: 'GET, HEAD',
          about: 'the JSON Schema of webhooks files, for editors',
        },
        {
          path: '/_sandbox/ui',
          methods: 'GET, HEAD',
          about: 'the inspector, a page for browsers, with its files below this path',
        },
      ],
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
        '/_sandbox/simulate/statement': { account_id: 'acct_ada' },
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

  /** Every path with what it has, written out; a noun that is missing here fails the test below. */
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
    '/_sandbox/simulate/statement': 'POST',
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
  const wrong = ['/_sandbox', ...nouns.map(({ path }) => path)].flatMap((path) => {
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
