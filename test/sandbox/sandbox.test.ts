import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createSandbox,
  DocumentError,
  InvalidError,
  NotFoundError,
  OptionsError,
  type JournalEntry,
  type Sandbox,
  type SandboxOptions,
} from '../../src/index.ts'
import { orderEventRow } from '../helpers/order-event-row.ts'
import { callerFor, fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'
import { bodyOf, newIntent, withKey } from './sandbox.ts'

/** The problems of what must be refused as a document. */
function problemsOf(attempt: () => unknown): string[] {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DocumentError)
      return error.problems.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  throw new Error('it was accepted')
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  await writeFile(join(folder, 'one.json'), JSON.stringify({ customers: [{ id: 'cus_one' }] }))
  await writeFile(join(folder, 'two.yaml'), 'customers:\n  - id: cus_two\n')
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => {
  vi.useRealTimers()
})

describe('createSandbox: options', () => {
  const ids = async (options: SandboxOptions): Promise<string[]> =>
    (await startSandbox(options)).state.list('customers').map((row) => (row as { id: string }).id)

  it('none -> the built-in fixtures, the machine clock, environment sandbox', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-02-03T04:05:06Z') })
    const sandbox = await createSandbox()
    expect(sandbox.state.get('customers', 'cus_ada')).toMatchObject({ first_name: 'Ada' })
    expect(sandbox.clock.read()).toEqual({ now: '2031-02-03T04:05:06.000Z', frozen: false })
    vi.setSystemTime(Date.parse('2031-02-03T04:05:07Z'))
    expect(sandbox.clock.now()).toBe('2031-02-03T04:05:07.000Z')
    expect([sandbox.environment, sandbox.name, sandbox.apiKey]).toEqual(['sandbox', 'default', fullKey])
  })

  it('fixtures: an object, a path, a relative path, a folder, a list of them', async () => {
    expect(await ids({ fixtures: { customers: [{ id: 'cus_1' }] } })).toEqual(['cus_1'])
    expect(await ids({ fixtures: join(folder, 'one.json') })).toEqual(['cus_one'])
    expect(await ids({ fixtures: relative(process.cwd(), join(folder, 'two.yaml')) })).toEqual(['cus_two'])
    expect(await ids({ fixtures: folder })).toEqual(['cus_one', 'cus_two'])
    expect(await ids({ fixtures: [{ customers: [{ id: 'cus_1' }] }, join(folder, 'one.json')] })).toEqual([
      'cus_1',
      'cus_one',
    ])
  })

  it('fixtures: keys and products that they do not name come from the built-in ones', async () => {
    const { call } = await startSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })
    const { status, json } = await call('GET', '/v2/customers')
    expect([status, json.total, json.data[0].id]).toEqual([200, 1, 'cus_1'])
  })

  it('fixtures: later changes to the object given change nothing', async () => {
    const document = { customers: [{ id: 'cus_1', first_name: 'Ada' }] }
    const sandbox = await startSandbox({ fixtures: document })
    const [row] = document.customers
    if (row) row.first_name = 'Changed'
    expect(sandbox.state.get('customers', 'cus_1')).toMatchObject({ first_name: 'Ada' })
  })

  it('seed: the same one makes up the same, another one something else', async () => {
    const email = async (seed?: number): Promise<unknown> =>
      (
        await startSandbox({
          fixtures: { customers: [{ id: 'cus_1' }] },
          ...(seed === undefined ? {} : { seed }),
        })
      ).state.get('customers', 'cus_1')
    expect(await email(7)).toEqual(await email(7))
    expect(await email()).toEqual(await email(1))
    expect(await email(7)).not.toEqual(await email(8))
  })

  it('environment: production takes production keys only, and has its own saved version', async () => {
    const { call, apiKey } = await startSandbox({ environment: 'production' })
    expect(apiKey).toBe('sk_production_full')
    expect((await call('GET', '/v2/customers')).status).toBe(401)
    const answer = await call('GET', '/v2/customers', { key: apiKey })
    expect([answer.status, answer.version]).toEqual([200, '2025-05-05'])
  })

  it('clock and frozen: where it starts, and whether it stands still', async () => {
    const frozen = await createSandbox({ clock: '2026-01-01T00:00:00Z', frozen: true })
    expect(frozen.clock.read()).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true })
    const running = await createSandbox({ clock: '2026-01-01T00:00:00Z' })
    expect(running.clock.read()).toEqual({ now: expect.stringMatching(/^2026-01-01T00:0/), frozen: false })
  })

  it('assume: texts and numbers', async () => {
    const { call } = await startSandbox({ assume: { not_found_status: '400', create_status: 200 } })
    expect((await call('GET', '/v2/rewards/unknown')).status).toBe(400)
    const created = await call('POST', '/v2/transaction_intents', {
      json: { customer_id: 'cus_ada', amount: 100, currency: 'USD' },
    })
    expect(created.status).toBe(200)
  })

  it('baseUrl: links are made for it', async () => {
    const { call } = await startSandbox({ baseUrl: 'https://gateway.example/rewards/' })
    const { json } = await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1')
    expect(json.data[0].pdf_url).toMatch(
      /^https:\/\/gateway\.example\/rewards\/_sandbox\/files\/statements\//,
    )
  })

  it('allowAnyPan: a card number that could be real is refused unless it is set', async () => {
    const payment_methods = [
      {
        id: 'pm_1',
        customer_id: 'cus_1',
        type: 'CARD' as const,
        card: { pci_details: { pan: '4539578763621486' } },
      },
    ]
    const fixtures = { customers: [{ id: 'cus_1' }], payment_methods }
    await expect(createSandbox({ fixtures })).rejects.toThrow(DocumentError)
    const sandbox = await createSandbox({ fixtures, allowAnyPan: true })
    expect(sandbox.state.get('payment_methods', 'pm_1')).toMatchObject({
      card: { pci_details: { pan: '4539578763621486' } },
    })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown one', { sed: 1 }, "createSandbox: unknown option 'sed', did you mean 'seed'?"],
    [
      'one of the command line',
      { port: 4010 },
      "createSandbox: unknown option 'port', expected one of: fixtures, generate, seed, environment, scenarios, scenarioLibrary, clock, frozen, assume, webhooks, webhookSecret, eventsSize, webhookAllow, calibrated, data, store, storePrefix, admin, adminToken, isolation, isolationSecret, allowedHosts, corsOrigin, baseUrl, journalSize, maxBody, maxWorkspaces, workspaceTtl, allowAnyPan",
    ],
    ['a bad seed', { seed: -1 }, 'createSandbox: seed: -1 must be an integer from 0 to 9007199254740991'],
    ['a bad clock', { clock: 'now' }, "createSandbox: clock: 'now' must be an RFC 3339 date-time"],
    [
      'a bad environment',
      { environment: 'staging' },
      "createSandbox: environment: 'staging' must be one of sandbox, production",
    ],
    [
      'fixtures that are none',
      { fixtures: 1 },
      'createSandbox: fixtures: 1 must be a path or a state document',
    ],
    [
      'a token that is needed',
      { admin: 'token' },
      "createSandbox: admin: 'token' needs a token: set --admin-token or SANDBOX_ADMIN_TOKEN",
    ],
  ])('%s -> OptionsError that says which and why', async (_what, options, message) => {
    const attempt = createSandbox(options as SandboxOptions)
    await expect(attempt).rejects.toThrow(OptionsError)
    await expect(attempt).rejects.toMatchObject({ message })
  })

  it('an unknown assumption -> OptionsError with a suggestion and the valid ids', async () => {
    // @ts-expect-error there is no such assumption
    await expect(createSandbox({ assume: { not_found_stats: 400 } })).rejects.toThrow(
      /^createSandbox: assume: unknown assumption 'not_found_stats', did you mean 'not_found_status'\? Valid ids: /,
    )
  })

  it('undefined -> as if left out', async () => {
    const options = { seed: undefined, fixtures: undefined, clock: undefined }
    const sandbox = await createSandbox(options as unknown as SandboxOptions)
    expect(sandbox.state.size('customers')).toBeGreaterThan(20)
  })

  it('bad fixtures -> DocumentError with every problem at its place', async () => {
    const text = '{\n  "customers": [{ "id": "cus_1", "emial": "x" }],\n  "rewards": [{ "id": "r" }]\n}\n'
    const file = join(folder, 'bad.json.txt')
    await writeFile(file, text)
    const error = await createSandbox({ fixtures: file }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DocumentError)
    const { problems } = error as DocumentError
    expect(problems.map(({ path, line }) => [path, line])).toEqual(
      expect.arrayContaining([
        ['customers[0].emial', 2],
        ['rewards[0].customer_id', 3],
      ]),
    )
    for (const problem of problems) expect(problem.source).toBe(file)
  })

  it('a file that is not there -> DocumentError', async () => {
    await expect(createSandbox({ fixtures: join(folder, 'none.json') })).rejects.toThrow(
      /none\.json: there is no such file$/,
    )
  })
})

describe('the built-in rows among fixtures', () => {
  const mine = { customers: [{ id: 'cus_mine' }] }

  it.each<[string, SandboxOptions, string[], number, string[]]>([
    ['none are named', {}, ['cus_ada'], 28, ['built-in rows']],
    ['they are named', { fixtures: 'default' }, ['cus_ada'], 28, ['built-in rows']],
    [
      'beside a document',
      { fixtures: ['default', mine] },
      ['cus_ada', 'cus_mine'],
      29,
      ['built-in rows', 'fixtures'],
    ],
    ['a document alone', { fixtures: [mine] }, ['cus_mine'], 1, ['fixtures']],
    [
      'with a population',
      { fixtures: 'default', generate: { customers: 2 } },
      ['cus_ada'],
      30,
      ['built-in rows', 'generated (2 customers)'],
    ],
  ])('%s', async (_what, options, there, customers, rowsFrom) => {
    const sandbox = await startSandbox(options)
    for (const id of there) expect(sandbox.state.get('customers', id)).toBeDefined()
    expect([sandbox.state.size('customers'), sandbox.rowsFrom]).toEqual([customers, rowsFrom])
  })

  it('a folder of that name is a path', async () => {
    await expect(startSandbox({ fixtures: './default' })).rejects.toThrow('default: there is no such file')
  })

  it('are the same rows as without their name', async () => {
    const [named, unnamed] = [await startSandbox({ fixtures: ['default', {}] }), await startSandbox()]
    expect(named.state.document()).toEqual(unnamed.state.document())
  })
})

describe('fetch', () => {
  it.each<[string, string | URL | Request, RequestInit?]>([
    ['a path', '/v2/rewards/rwd_ada_pending', withKey],
    ['a path without a slash in front', 'v2/rewards/rwd_ada_pending', withKey],
    ['a whole URL as text', 'http://localhost/v2/rewards/rwd_ada_pending', withKey],
    ['a URL of another host', new URL('https://api.example/v2/rewards/rwd_ada_pending?x=1'), withKey],
    ['a Request', new Request('http://localhost/v2/rewards/rwd_ada_pending', withKey)],
    ['a Request, and headers beside it', new Request('http://localhost/v2/rewards/rwd_ada_pending'), withKey],
  ])('%s', async (_what, input, init) => {
    const sandbox = await startSandbox()
    const answer = await sandbox.fetch(input, init)
    expect(answer).toBeInstanceOf(Response)
    expect([answer.status, (await bodyOf(answer)).id]).toEqual([200, 'rwd_ada_pending'])
  })

  it('a Request with a body; a body beside a path; a stream', async () => {
    const sandbox = await startSandbox()
    const url = 'http://localhost/v2/transaction_intents'
    const streamed = {
      ...newIntent,
      body: new Blob([String(newIntent.body)]).stream(),
      duplex: 'half' as const,
    }
    for (const answer of [
      await sandbox.fetch(new Request(url, newIntent)),
      await sandbox.fetch('/v2/transaction_intents', newIntent),
      await sandbox.fetch(url, streamed),
    ]) {
      expect([answer.status, (await bodyOf(answer)).amount]).toEqual([200, 100])
    }
  })

  it('of the sandbox adds no key: it stands for any client', async () => {
    const sandbox = await startSandbox()
    expect((await sandbox.fetch('/v2/customers')).status).toBe(401)
  })

  it.each([{}, { journalSize: 0 }])(
    'tells its listener of each call as the journal shows it: %j',
    async (options) => {
      const entries: JournalEntry[] = []
      const sandbox = await createSandbox(options, { onAnswer: (entry) => entries.push(entry) })
      await sandbox.fetch('/v2/customers?partner_customer_id=sk_sandbox_none', withKey)
      await sandbox.fetch('/v2/rewards/unknown', withKey)
      await sandbox.fetch('/v2/rewards/rwd_ada_pending', {
        ...withKey,
        method: 'PATCH',
        body: 'x'.repeat(70_000),
      })
      await sandbox.fetch('/v2/customers')
      await sandbox.fetch('/_sandbox/health')
      expect(
        entries.map(({ id, method, path, operation, status, outcome }) => [
          id,
          method,
          path,
          operation,
          status,
          outcome,
        ]),
      ).toEqual([
        ['req_default_1', 'GET', '/v2/customers', 'searchCustomers', 200, 'success'],
        ['req_default_2', 'GET', '/v2/rewards/unknown', 'retrieveReward', 404, 'not_found'],
        ['req_default_3', 'PATCH', '/v2/rewards/rwd_ada_pending', 'updateReward', 415, 'invalid'],
        ['req_default_4', 'GET', '/v2/customers', 'searchCustomers', 401, 'unauthenticated'],
      ])
      const [found, missing] = entries
      expect(found?.request).toMatchObject({
        headers: { authorization: '***' },
        query: { partner_customer_id: '***' },
      })
      expect(missing?.response.body).toEqual({
        type: 'REWARD_NOT_FOUND_ERROR',
        message: 'No reward has this reward_id.',
        param: 'reward_id',
      })
      const listed = sandbox.requests.list().toReversed()
      // Created on access, which printing must not reveal; and plain data in a list.
      expect(inspect(missing)).toContain('REWARD_NOT_FOUND_ERROR')
      for (const entry of listed)
        expect(Object.getOwnPropertyDescriptor(entry, 'request')?.value).toBeTypeOf('object')
      expect(JSON.parse(JSON.stringify(listed))).toEqual(
        options.journalSize === 0 ? [] : JSON.parse(JSON.stringify(entries)),
      )
    },
  )
})

describe('workspace', () => {
  it('its fetch adds its key when the request has none', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    expect([w1.name, w1.apiKey]).toEqual(['w1', 'sk_sandbox_full.w1'])
    const answer = await w1.fetch('/v2/customers')
    expect([answer.status, answer.headers.get('x-sandbox-request-id')]).toEqual([200, 'req_w1_1'])
  })

  it('its answers are those that the document describes', async () => {
    const sandbox = await startSandbox()
    const call = callerFor(sandbox.workspace('w1'))
    const { status, requestId } = await call('GET', '/v2/customers', { headers: {}, key: null })
    expect([status, requestId]).toEqual([200, 'req_w1_1'])
  })

  it.each([
    ['sk_sandbox_full', 200, 'req_w1_1'],
    ['sk_sandbox_full.w1', 200, 'req_w1_1'],
    ['sk_sandbox_none', 200, 'req_w1_1'],
    ['sk_sandbox_full.w2', 401, 'req_w1_1'],
    ['sk_sandbox_full.default', 401, 'req_w1_1'],
    ['sk_unknown', 401, 'req_w1_1'],
  ])('its fetch stays in it, whatever the key says: %s -> %i', async (key, status, requestId) => {
    const w1 = (await startSandbox()).workspace('w1')
    const answer = await w1.fetch('/v2/customers', { headers: { authorization: `Bearer ${key}` } })
    expect([answer.status, answer.headers.get('x-sandbox-request-id')]).toEqual([status, requestId])
  })

  it('its fetch leaves the Request of the caller as it is', async () => {
    const sandbox = await startSandbox()
    const request = new Request('http://localhost/v2/customers')
    const answers = [
      await sandbox.workspace('w1').fetch(request),
      await sandbox.workspace('w2').fetch(request),
    ]
    expect(answers.map(({ headers }) => headers.get('x-sandbox-request-id'))).toEqual([
      'req_w1_1',
      'req_w2_1',
    ])
    expect([...request.headers]).toEqual([])
  })

  it('its fetch takes a Request with a body and no key', async () => {
    const sandbox = await startSandbox()
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/v2/transaction_intents', { ...newIntent, headers })
    expect((await sandbox.workspace('w1').fetch(request)).status).toBe(200)
  })

  it('has its own rows, clock, ids and request numbers', async () => {
    const sandbox = await startSandbox()
    const [w1, w2] = [sandbox.workspace('w1'), sandbox.workspace('w2')]
    const before = sandbox.state.document()
    w1.clock.advance({ days: 1 })
    w1.state.patch('rewards', 'rwd_ada_pending', { amount: 1 })
    const first = await bodyOf(w1.fetch('/v2/transaction_intents', newIntent))
    expect(first.created_at).toBe('2026-11-22T12:00:00.000Z')
    expect(w2.state.document()).toEqual(before)
    expect(sandbox.state.document()).toEqual(before)
    expect([sandbox.clock.now(), w2.clock.now()]).toEqual([testNow, testNow])
    const second = await bodyOf(w2.fetch('/v2/transaction_intents', newIntent))
    expect(second.id).not.toBe(first.id)
    expect(second).toEqual({
      ...first,
      id: second.id,
      created_at: testNow,
      ...('updated_at' in first ? { updated_at: testNow } : {}),
    })
  })

  it('asked for twice is the same one', async () => {
    const sandbox = await startSandbox()
    sandbox.workspace('w1').state.delete('order_events', 'ord_ada_1')
    expect(sandbox.workspace('w1').state.get('order_events', 'ord_ada_1')).toBeUndefined()
  })

  it('default is the sandbox itself', async () => {
    const sandbox = await startSandbox()
    const same = sandbox.workspace('default')
    same.state.delete('order_events', 'ord_ada_1')
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
    expect([same.name, same.apiKey]).toEqual(['default', fullKey])
    expect((await same.fetch('/v2/customers')).headers.get('x-sandbox-request-id')).toBe('req_default_1')
  })

  it('is forked from the baseline, not from what became of default', async () => {
    const sandbox = await startSandbox()
    sandbox.state.delete('order_events', 'ord_ada_1')
    expect(sandbox.workspace('w1').state.get('order_events', 'ord_ada_1')).toBeDefined()
  })

  it('its reset leaves the others alone', async () => {
    const sandbox = await startSandbox()
    const [w1, w2] = [sandbox.workspace('w1'), sandbox.workspace('w2')]
    for (const one of [w1, w2]) one.state.delete('order_events', 'ord_ada_1')
    w1.reset()
    expect(w1.state.get('order_events', 'ord_ada_1')).toBeDefined()
    expect(w2.state.get('order_events', 'ord_ada_1')).toBeUndefined()
  })

  it.each(['', '.', 'a.b', 'a b', 'ä', 'a/b', 'x'.repeat(65), '__proto__ ', undefined as never, 5 as never])(
    "a name that is none, '%s' -> InvalidError",
    async (name) => {
      const sandbox = await startSandbox()
      expect(() => sandbox.workspace(name)).toThrow(
        new InvalidError(`workspace '${name}': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -`),
      )
    },
  )

  it.each(['a', 'x'.repeat(64), '__proto__', 'constructor', 'A-b_9'])("a name, '%s'", async (name) => {
    const workspace = (await startSandbox()).workspace(name)
    expect(workspace.apiKey).toBe(`sk_sandbox_full.${name}`)
    expect((await workspace.fetch('/v2/customers')).status).toBe(200)
  })

  it('one too many -> an error that says so; in a request, 503 B without a version', async () => {
    const sandbox = await startSandbox({ maxWorkspaces: 1 })
    sandbox.workspace('w1')
    const message = 'The limit --max-workspaces is reached. Delete a workspace, or raise the limit.'
    expect(() => sandbox.workspace('w2')).toThrow(message)
    const answer = await sandbox.call('GET', '/v2/customers', { key: 'sk_sandbox_full.w2' })
    expect([answer.status, answer.version]).toEqual([503, null])
    expect(answer.json).toEqual({ error: { type: 'SERVICE_UNAVAILABLE_ERROR', message } })
    expect((await sandbox.workspace('w1').fetch('/v2/customers')).status).toBe(200)
    expect((await sandbox.call('GET', '/v2/customers')).status).toBe(200)
  })

  it('its key, when fixtures have none for the environment -> an error that says what to add', async () => {
    const key = { id: 'k', secret: 's', api_key: 'sk_p', scopes: [], environment: 'production' } as const
    const sandbox = await createSandbox({ fixtures: { api_keys: [key] } })
    expect(() => sandbox.apiKey).toThrow('no API key for environment sandbox: add one to api_keys')
  })
})

describe('state', () => {
  it('get, list, size and document show the rows, as copies', async () => {
    const { state } = await startSandbox()
    const reward = state.get('rewards', 'rwd_ada_pending') as { amount: number }
    const { amount } = reward
    reward.amount = -1
    expect(state.get('rewards', 'rwd_ada_pending')).toMatchObject({ amount })
    const [first] = state.list('rewards') as { id: string; amount: number }[]
    if (first) first.amount = -1
    const document = state.document() as { rewards: { id: string; amount: number }[] }
    expect(document.rewards).toHaveLength(state.size('rewards'))
    expect(document.rewards.map(({ id }) => id)).toEqual(document.rewards.map(({ id }) => id).toSorted())
    expect(document.rewards.every((row) => row.amount !== -1)).toBe(true)
    expect(state.list('rewards')).toEqual(document.rewards)
  })

  it('get of what is not there -> undefined', async () => {
    const { state } = await startSandbox()
    for (const id of ['unknown', '', '__proto__', 'constructor']) {
      expect(state.get('rewards', id)).toBeUndefined()
    }
  })

  it('document is a state document: loaded again, it is the same', async () => {
    const sandbox = await startSandbox()
    await sandbox.fetch('/v2/transaction_intents', newIntent)
    const document = sandbox.state.document() as Record<string, unknown>
    expect(Object.keys(document)).toEqual([
      'schema_version',
      'account',
      'products',
      'api_keys',
      'customers',
      'accounts',
      'payment_methods',
      'rewards',
      'transaction_intents',
      'statements',
      'orders',
      'order_events',
      'transactions',
      'sandbox',
    ])
    expect(document['schema_version']).toBe(1)
    const again = await createSandbox({ fixtures: document })
    expect(again.state.document()).toEqual(document)
    // The next id follows on in both.
    expect((await bodyOf(again.fetch('/v2/transaction_intents', newIntent))).id).toBe(
      (await bodyOf(sandbox.fetch('/v2/transaction_intents', newIntent))).id,
    )
  })

  it('put adds a row, gaps filled, and the API shows it at once', async () => {
    const { state, call } = await startSandbox()
    const row = state.put('rewards', 'rwd_new', {
      customer_id: 'cus_ada',
      amount: 5,
      type: 'OFFER',
      status: 'AVAILABLE',
      created_at: testNow,
    })
    expect(row).toEqual(state.get('rewards', 'rwd_new'))
    expect((await call('GET', '/v2/rewards/rwd_new')).json).toEqual({
      id: 'rwd_new',
      customer_id: 'cus_ada',
      amount: 5,
      type: 'OFFER',
      status: 'AVAILABLE',
      created_at: testNow,
    })
    const customer = state.put('customers', 'cus_new', {}) as Record<string, unknown>
    expect(Object.keys(customer)).toEqual(
      expect.arrayContaining(['id', 'first_name', 'last_name', 'email', 'statuses', 'created_at']),
    )
  })

  it('put replaces a whole row', async () => {
    const { state } = await startSandbox()
    const row = orderEventRow('ord_ada_1', 'cus_ben')
    expect(state.get('order_events', 'ord_ada_1')).toHaveProperty('order_lines')
    state.put('order_events', 'ord_ada_1', row)
    expect(state.get('order_events', 'ord_ada_1')).toEqual(row)
    expect(state.size('order_events')).toBe(5)
  })

  it('patch lays fields over a row; null removes one', async () => {
    const { state, call } = await startSandbox()
    state.patch('customers', 'cus_ada', { first_name: 'Grace', phone: null, metadata: { tier: null, x: 1 } })
    const { data } = (await call('GET', '/v2/customers?partner_customer_id=partner-ada')).json
    expect(data[0]).toMatchObject({ first_name: 'Grace', last_name: 'Lindqvist' })
    expect(data[0]).not.toHaveProperty('phone')
    expect(data[0].metadata).toEqual({ campaigns: ['spring', 'welcome'], x: 1 })
  })

  it('delete removes a row, once', async () => {
    const { state, call } = await startSandbox()
    expect(state.delete('rewards', 'rwd_ada_offer')).toBe(true)
    expect(state.delete('rewards', 'rwd_ada_offer')).toBe(false)
    expect((await call('GET', '/v2/rewards/rwd_ada_offer')).status).toBe(404)
  })

  it('account is one row', async () => {
    const { state, call } = await startSandbox()
    expect(state.get('account', 'account')).toEqual({
      saved_version: { sandbox: '2026-10-13', production: '2025-05-05' },
    })
    expect([state.size('account'), state.list('account')]).toEqual([1, [state.get('account', 'account')]])
    state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
    expect((await call('GET', '/v2/customers')).version).toBe('2025-05-05')
    expect(
      // @ts-expect-error there is no such version
      problemsOf(() => state.patch('account', 'account', { saved_version: { sandbox: '1.0' } })),
    ).toHaveLength(1)
    expect(() => state.delete('account', 'account')).toThrow(RangeError)
    expect((await call('GET', '/v2/customers')).version).toBe('2025-05-05')
  })

  it('ids are those of the format: products by merchant key, statements by statement id', async () => {
    const { state } = await startSandbox()
    expect(state.get('products', 'mk_summit')).toMatchObject({ merchant_key: 'mk_summit' })
    const [statement] = state.list('statements') as { statement_id: string }[]
    expect(state.get('statements', statement?.statement_id ?? '')).toEqual(statement)
    state.patch('products', 'mk_summit', { name: 'Renamed' })
    expect(state.get('products', 'mk_summit')).toMatchObject({ merchant_key: 'mk_summit', name: 'Renamed' })
  })

  const good = {
    customer_id: 'cus_ada',
    amount: 5,
    type: 'OFFER',
    status: 'PENDING',
    created_at: testNow,
  }

  it.each<[string, string, object, string]>([
    ['an unknown field', 'rewards', { ...good, ammount: 1 }, 'ammount'],
    ['a value of no enum', 'rewards', { ...good, status: 'GONE' }, 'status'],
    ['a value of another type', 'rewards', { ...good, amount: '5' }, 'amount'],
    ['a time that is none', 'rewards', { ...good, created_at: 'yesterday' }, 'created_at'],
    ['an owner who is not there', 'rewards', { ...good, customer_id: 'cus_none' }, 'customer_id'],
    ['no owner', 'order_events', {}, 'customer_id'],
    ['another id than its own', 'rewards', { ...good, id: 'rwd_other' }, 'id'],
    [
      'a partner id of another customer',
      'customers',
      { partner_customer_id: 'partner-ada' },
      'partner_customer_id',
    ],
    ['an API key of another key', 'api_keys', { secret: 's', api_key: fullKey, scopes: [] }, 'api_key'],
    ['an unknown scope', 'api_keys', { secret: 's', api_key: 'sk_n', scopes: ['ALL'] }, 'scopes[0]'],
    [
      'a card number that could be real',
      'payment_methods',
      {
        customer_id: 'cus_ada',
        type: 'CARD' as const,
        card: { pci_details: { pan: '4539578763621486' } },
      },
      'card.pci_details.pan',
    ],
    [
      'what JSON cannot write',
      'order_events',
      { customer_id: 'cus_ada', metadata: { at: new Date(0) } },
      'metadata.at',
    ],
  ])('put of %s -> DocumentError at the field, nothing changed', async (_what, collection, row, path) => {
    const { state } = await startSandbox()
    const before = state.document()
    const problems = problemsOf(() => state.put(collection as 'rewards', 'new', row))
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toContain(path)
    expect(state.document()).toEqual(before)
  })

  it('put with several problems -> all of them at once', async () => {
    const { state } = await startSandbox()
    const row = { ...good, amount: '5', status: 'GONE', created_at: 'now', customer_id: 'cus_none', x: 1 }
    // @ts-expect-error none of these fits
    const problems = problemsOf(() => state.put('rewards', 'new', row))
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':'))).toSorted()).toEqual([
      'amount',
      'created_at',
      'customer_id',
      'status',
      'x',
    ])
  })

  it('patch that would move the id, or makes no sense -> refused, nothing changed', async () => {
    const { state } = await startSandbox()
    const before = state.document()
    expect(problemsOf(() => state.patch('rewards', 'rwd_ada_pending', { id: 'other' }))).toEqual([
      "id: must be 'rwd_ada_pending', or be omitted",
    ])
    expect(
      // @ts-expect-error an amount is a number
      problemsOf(() => state.patch('rewards', 'rwd_ada_pending', { status: null, amount: 'x' })),
    ).not.toEqual([])
    expect(() => state.patch('rewards', 'unknown', {})).toThrow(
      new NotFoundError("rewards: no row has the id 'unknown'"),
    )
    expect(state.document()).toEqual(before)
  })

  it('delete of a row that another one names -> DocumentError that names it', async () => {
    const { state } = await startSandbox()
    const problems = problemsOf(() => state.delete('customers', 'cus_ada'))
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toMatch(/^: cannot be deleted: \w+ \w+ refers to it in customer_id$/)
    expect(state.get('customers', 'cus_ada')).toBeDefined()
    expect(state.delete('customers', 'cus_ben')).toBe(true)
  })

  it.each([
    ['reward' as 'rewards', "unknown collection 'reward', did you mean 'rewards'?"],
    ['__proto__' as 'rewards', /^unknown collection '__proto__', expected one of: products, api_keys, /],
  ])('an unknown collection, %s -> RangeError', async (collection, message) => {
    const { state } = await startSandbox()
    for (const attempt of [
      () => state.get(collection, 'x'),
      () => state.list(collection),
      () => state.size(collection),
      () => state.put(collection, 'x', {}),
      () => state.patch(collection, 'x', {}),
      () => state.delete(collection, 'x'),
    ]) {
      expect(attempt).toThrow(RangeError)
      expect(attempt).toThrow(message)
    }
  })
})

describe('clock', () => {
  it('moves what the API calls now', async () => {
    const sandbox = await startSandbox()
    sandbox.clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4 })
    expect(sandbox.clock.now()).toBe('2026-11-22T14:03:04.000Z')
    expect((await bodyOf(sandbox.fetch('/v2/transaction_intents', newIntent))).created_at).toBe(
      '2026-11-22T14:03:04.000Z',
    )
    sandbox.clock.set('2027-01-01T00:00:00+01:00')
    expect(sandbox.clock.read()).toEqual({ now: '2026-12-31T23:00:00.000Z', frozen: true })
  })

  it('runs when it is not frozen, from where it was frozen', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { clock } = await startSandbox({ frozen: false, clock: testNow })
    const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
    pass(1_000)
    clock.freeze()
    pass(60_000)
    expect(clock.read()).toEqual({ now: '2026-11-21T12:00:01.000Z', frozen: true })
    clock.unfreeze()
    expect(clock.read()).toEqual({ now: '2026-11-21T12:00:01.000Z', frozen: false })
    pass(1_000)
    expect(clock.read()).toEqual({ now: '2026-11-21T12:00:02.000Z', frozen: false })
  })

  it.each<[string, (clock: Sandbox['clock']) => void, RegExp]>([
    ['a step back', (clock) => clock.set('2026-01-01T00:00:00Z'), /only moves forward/],
    ['a negative distance', (clock) => clock.advance({ days: -1 }), /cannot be negative/],
    ['no time', (clock) => clock.set('tomorrow'), /is not an RFC 3339 date-time/],
    ['a time without a zone', (clock) => clock.set('2027-01-01T00:00:00'), /is not an RFC 3339 date-time/],
    ['a date', (clock) => clock.set('2027-01-01'), /is not an RFC 3339 date-time/],
    ['a day that is not there', (clock) => clock.set('2027-02-30T00:00:00Z'), /is not an RFC 3339 date-time/],
    ['a year of five digits', (clock) => clock.advance({ days: 4_000_000 }), /past the year 9999/],
  ])('%s -> refused, unmoved', async (_what, move, message) => {
    const { clock } = await startSandbox()
    expect(() => move(clock)).toThrow(message)
    expect(clock.read()).toEqual({ now: testNow, frozen: true })
  })
})

describe('reset', () => {
  const steps = async (sandbox: Sandbox): Promise<[number, string, [string, string][]][]> => {
    const json = { 'content-type': 'application/json' }
    const calls: [string, RequestInit][] = [
      ['/v2/transaction_intents', newIntent],
      ['/v2/keys', { method: 'POST' }],
      ['/v2/rewards/rwd_ada_pending', { method: 'PATCH', body: '{"status":"AVAILABLE"}', headers: json }],
      ['/v2/customers/cus_ben/link', { method: 'POST', body: '{"partner_customer_id":"b"}', headers: json }],
      ['/v2/order_events/ord_ada_1', { method: 'DELETE' }],
      ['/v2/customers/cus_ada/accounts/acct_ada/statements', {}],
      ['/v2/customers', {}],
    ]
    const answers: [number, string, [string, string][]][] = []
    for (const [path, init] of calls) {
      const headers = { ...withKey.headers, ...(init.headers as Record<string, string> | undefined) }
      const answer = await sandbox.fetch(path, { ...init, headers })
      answers.push([answer.status, await answer.text(), [...answer.headers]])
    }
    return answers
  }

  it('equals a fresh start: the same calls get the same bytes and leave the same rows', async () => {
    const [fresh, used] = [await startSandbox(), await startSandbox()]
    await steps(used)
    used.clock.advance({ days: 40 })
    used.state.delete('rewards', 'rwd_ada_offer')
    used.state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
    await steps(used)
    used.reset()
    expect(used.state.document()).toEqual(fresh.state.document())
    expect(used.clock.read()).toEqual(fresh.clock.read())
    expect(await steps(used)).toEqual(await steps(fresh))
    expect(used.state.document()).toEqual(fresh.state.document())
  })

  it('takes a clock that runs back to where it began, and a new workspace begins there too', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const sandbox = await createSandbox({ clock: testNow })
    onTestFinished(() => sandbox.close())
    const own = await sandbox.workspaces.create({ name: 'own', clock: '2020-01-01T00:00:00Z' })
    const still = await sandbox.workspaces.create({ name: 'still', clock: { frozen: true } })
    vi.setSystemTime(Date.now() + 60_000)
    expect(sandbox.clock.now()).toBe('2026-11-21T12:01:00.000Z')
    expect(sandbox.workspace('new').clock.now()).toBe(testNow)
    for (const workspace of [sandbox, own, still]) workspace.reset()
    expect([sandbox, own, still].map(({ clock }) => clock.read())).toEqual([
      { now: testNow, frozen: false },
      { now: '2020-01-01T00:00:00.000Z', frozen: false },
      { now: testNow, frozen: true },
    ])
  })

  it('the members of the sandbox go on working', async () => {
    const sandbox = await startSandbox()
    const { state, clock } = sandbox
    sandbox.reset()
    state.delete('order_events', 'ord_ada_1')
    clock.advance({ days: 1 })
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
    expect(sandbox.clock.now()).toBe('2026-11-22T12:00:00.000Z')
  })

  it('takes back keys that were made', async () => {
    const sandbox = await startSandbox()
    const { key } = await bodyOf(sandbox.fetch('/v2/keys', { ...withKey, method: 'POST' }))
    expect((await sandbox.call('GET', '/v2/customers', { key })).status).toBe(200)
    sandbox.reset()
    expect((await sandbox.call('GET', '/v2/customers', { key })).status).toBe(401)
  })
})

describe('the seed', () => {
  it.each([
    ['nobody chose one -> 1', {}, 1],
    ['a dump among the fixtures -> its own', { fixtures: { sandbox: { seed: 7 } } }, 7],
    ['an option beside a dump -> the option', { fixtures: { sandbox: { seed: 7 } }, seed: 1 }, 1],
  ])('%s', async (_situation, options, seed) => {
    expect((await startSandbox(options)).seed).toBe(seed)
  })
})
