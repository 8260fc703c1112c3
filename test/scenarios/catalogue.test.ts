import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { scenarioSchema } from '../../src/scenarios/scenario-schema.ts'
import {
  answered,
  fullKey,
  startSandbox,
  testNow,
  type Answered,
  type CallApi,
  type CallOptions,
} from '../helpers/sandbox.ts'

/** The catalogue of the design, name by name. */
const names = [
  ...['customer', 'account', 'payment-method', 'transaction-intent', 'reward'].map((of) => `not-found-${of}`),
  ...[
    'transaction-intent-write',
    'transaction-intent-read',
    'account-read',
    'order-write',
    'pci-details-read',
    'authorized-user-read',
  ].map((scope) => `scope-missing-${scope}`),
  'version-unsupported',
  'version-sunset-2025-05-05',
  'version-latest-preview',
  'key-revoked',
  ...[
    'empty',
    'one-per-page',
    'exact-multiple',
    'short-last-page',
    'empty-page-with-more',
    'insert-while-walking',
    'delete-while-walking',
    'expired-cursor',
    'repeated-item',
    'missing-cursor',
    'repeated-cursor',
    'wrong-total',
  ].map((edge) => `pagination-${edge}`),
  'reward-settled-before-update',
  'reward-vanishes',
  'commit-but-answer-lost',
  'slow',
  'hang',
  'reset',
  'truncated',
  'rate-limited',
  'unavailable',
  'html-gateway-error',
  'flaky-every-third',
  'unknown-fields',
  'new-enum-values-latest',
  'null-optionals',
]

describe('the files', () => {
  it('one file for each name of the design, and no other', () => {
    const files = readdirSync('scenarios').filter((file) => file !== 'scenario.schema.json')
    expect(files).toEqual(names.map((name) => `${name}.yaml`).toSorted())
  })

  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(scenarioSchema())
  it.each(names)(
    '%s: names its schema and itself, says in one line what it does, and fits the schema',
    (name) => {
      const text = readFileSync(`scenarios/${name}.yaml`, 'utf8')
      expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=scenario.schema.json')
      const document = parse(text) as Record<string, unknown>
      expect(document['name']).toBe(name)
      expect(document['description']).toMatch(/^.{10,110}\.$/)
      validate(document)
      expect(validate.errors).toBeNull()
    },
  )
})

/** What the scenarios are tried on: a sandbox, and the ids that its fixtures give. */
interface World {
  options: SandboxOptions
  ids: { customer: string; account: string; method: string; reward: string; intent: string; order: string }
  statements: string[]
  customers: number
}

const closed = (n: number): object => ({
  statement_id: `stm_${n}`,
  customer_id: 'cus_1',
  account_id: 'acct_1',
  period_start_date: `2026-0${n}-01T00:00:00Z`,
  period_end_date: `2026-0${n}-28T00:00:00Z`,
})

const worlds: [string, World][] = [
  [
    'the default fixtures',
    {
      options: {},
      ids: {
        customer: 'cus_ada',
        account: 'acct_ada',
        method: 'pm_ada_card',
        reward: 'rwd_ada_pending',
        intent: 'int_ada_1',
        order: 'ord_ada_1',
      },
      statements: Array.from({ length: 27 }, (_, place) => `stm_ada_${String(27 - place).padStart(2, '0')}`),
      customers: 26,
    },
  ],
  [
    'a small document',
    {
      options: {
        fixtures: {
          customers: [
            { id: 'cus_1', authorized_users: [{ authorized_user_id: 'au_1' }] },
            { id: 'cus_2' },
            { id: 'cus_3' },
          ],
          accounts: [{ id: 'acct_1', customer_id: 'cus_1' }],
          payment_methods: [{ id: 'pm_1', type: 'CARD', customer_id: 'cus_1', card: { pci_details: {} } }],
          rewards: [{ id: 'rwd_1', customer_id: 'cus_1', status: 'PENDING' }],
          transaction_intents: [{ id: 'int_1', customer_id: 'cus_1' }],
          statements: [1, 2, 3, 4, 5].map(closed),
          order_events: [{ id: 'ord_1', customer_id: 'cus_1' }],
        },
      } as SandboxOptions,
      ids: {
        customer: 'cus_1',
        account: 'acct_1',
        method: 'pm_1',
        reward: 'rwd_1',
        intent: 'int_1',
        order: 'ord_1',
      },
      statements: ['stm_5', 'stm_4', 'stm_3', 'stm_2', 'stm_1'],
      customers: 3,
    },
  ],
]

type Sent = [method: string, path: string, options?: CallOptions]

/** A successful call of each operation. */
function callsOf({ ids }: World): Record<string, Sent> {
  return {
    createTransactionIntent: [
      'POST',
      '/v2/transaction_intents',
      { json: { customer_id: ids.customer, payment_method_id: ids.method, amount: 100, currency: 'USD' } },
    ],
    retrieveTransactionIntent: ['GET', `/v2/transaction_intents/${ids.intent}`],
    listPaymentMethods: ['POST', '/v2/payment_methods', { json: { customer_id: ids.customer } }],
    retrievePaymentMethod: ['GET', `/v2/payment_methods/${ids.method}`],
    searchCustomers: ['GET', '/v2/customers?limit=2'],
    linkCustomer: ['POST', `/v2/customers/${ids.customer}/link`, { json: { partner_customer_id: 'p-1' } }],
    listStatements: ['GET', `/v2/customers/${ids.customer}/accounts/${ids.account}/statements?limit=2`],
    retrieveRewardsBalance: ['GET', `/v2/customers/${ids.customer}/rewards_balance`],
    listRewardCategories: ['GET', '/v2/rewards/rewards_categories'],
    retrieveReward: ['GET', `/v2/rewards/${ids.reward}`],
    updateReward: ['PATCH', `/v2/rewards/${ids.reward}`, { json: { amount: 5 } }],
    deleteOrderEvent: ['DELETE', `/v2/order_events/${ids.order}`],
    createApiKey: ['POST', '/v2/keys'],
  }
}

const operations = Object.keys(callsOf({ ids: {} } as World))

/** All of an answer. The request's number and the body's length are checked and left out. */
interface Whole {
  status: number
  headers: Record<string, string>
  body: unknown
}

function whole({ status, headers, text, json }: Answered): Whole {
  const {
    'x-sandbox-request-id': requestId,
    'content-length': length,
    ...rest
  } = Object.fromEntries(headers.entries())
  expect(requestId).toMatch(/^req_default_\d+$/)
  if (text !== '') expect(length).toBe(String(Buffer.byteLength(text)))
  // Differs from read to read, as the contract has it.
  const steady: unknown = JSON.parse(JSON.stringify(json ?? text), (key, value: unknown) =>
    key === 'pdf_url' ? 'a link' : value,
  )
  return { status, headers: rest, body: text === '' ? null : steady }
}

const date = new Date(testNow).toUTCString()
const version = { 'x-service-version': '2026-10-13' }
const json = { 'content-type': 'application/json', date }

const fail = (status: number, body: object, more: Record<string, string> = version): Whole => ({
  status,
  headers: { ...json, ...more },
  body,
})
const shapeB = (type: string, message: string): object => ({ error: { type, message } })

const notFound = (type: string, param: string, message: string, ...assumptions: string[]): Whole =>
  fail(
    404,
    { type, message, param },
    { ...version, 'x-sandbox-assumptions': ['not_found_status', ...assumptions].join(', ') },
  )

const forbidden = (scope: string): Whole =>
  fail(403, shapeB('FORBIDDEN_ERROR', `The API key lacks the scope ${scope}.`), {
    ...version,
    'x-sandbox-assumptions': 'forbidden_type',
  })

const unavailable = fail(503, shapeB('SERVICE_UNAVAILABLE_ERROR', 'The service is unavailable.'))

const versionRefusal = (supported: string): Whole =>
  fail(
    400,
    shapeB(
      'BAD_REQUEST_ERROR',
      `Unsupported x-service-version '2026-10-13'. Supported versions: ${supported}.`,
    ),
    {},
  )

const noCustomer = (...assumptions: string[]): Whole =>
  notFound('CUSTOMER_NOT_FOUND_ERROR', 'customer_id', 'No customer has this customer_id.', ...assumptions)
const noMethod = notFound(
  'PAYMENT_METHOD_NOT_FOUND_ERROR',
  'payment_method_id',
  'No payment method has this payment_method_id.',
)
const noReward = notFound('REWARD_NOT_FOUND_ERROR', 'reward_id', 'No reward has this reward_id.')

/** Scenarios that refuse calls as long as they are active: which, and with what. */
const refusals: [name: string, on: string[], answer: Whole][] = [
  [
    'not-found-customer',
    ['createTransactionIntent', 'linkCustomer', 'listStatements', 'retrieveRewardsBalance'],
    noCustomer(),
  ],
  ['not-found-customer', ['listPaymentMethods'], noCustomer('payment_methods_unknown_customer')],
  [
    'not-found-account',
    ['listStatements'],
    notFound(
      'ACCOUNT_NOT_FOUND_ERROR',
      'account_id',
      'No account of this customer has this account_id.',
      'unknown_account_type',
    ),
  ],
  ['not-found-payment-method', ['createTransactionIntent', 'retrievePaymentMethod'], noMethod],
  [
    'not-found-transaction-intent',
    ['retrieveTransactionIntent'],
    notFound('TRANSACTION_INTENT_FOUND_ERROR', 'intent_id', 'No transaction intent has this intent_id.'),
  ],
  ['not-found-reward', ['retrieveReward', 'updateReward'], noReward],
  [
    'scope-missing-transaction-intent-write',
    ['createTransactionIntent'],
    forbidden('TRANSACTION_INTENT_WRITE'),
  ],
  [
    'scope-missing-transaction-intent-read',
    ['retrieveTransactionIntent'],
    forbidden('TRANSACTION_INTENT_READ'),
  ],
  ['scope-missing-account-read', ['listStatements'], forbidden('ACCOUNT_READ')],
  ['scope-missing-order-write', ['deleteOrderEvent'], forbidden('ORDER_WRITE')],
  ['version-unsupported', operations, versionRefusal('2025-05-05, latest')],
  ['version-latest-preview', operations, versionRefusal('latest')],
  [
    'key-revoked',
    operations,
    fail(401, shapeB('UNAUTHORIZED_ERROR', 'The API key is not usable here.'), {
      'www-authenticate': 'Basic realm="partner-rewards-sandbox", Bearer',
      'x-sandbox-assumptions': 'unauthenticated_status, unauthenticated_type',
    }),
  ],
  ['unavailable', operations, unavailable],
]

/** Calls without looking at the contract, which off-contract answers break. */
async function callUnchecked(sandbox: Sandbox, [method, path, options = {}]: Sent): Promise<Answered> {
  const headers = new Headers({ authorization: `Bearer ${fullKey}`, ...options.headers })
  if (options.json !== undefined) headers.set('content-type', 'application/json')
  const body = options.json === undefined ? null : JSON.stringify(options.json)
  const response = await sandbox.fetch(path, { method, headers, body })
  return answered(response, await response.text())
}

type Statements = { data: { statement_id: string }[]; has_more: boolean; next_page_token?: string }
type Customers = { data: { id: string }[]; has_more: boolean; total: number }

describe.each(worlds)('on %s', (_world, world) => {
  const calls = callsOf(world)
  const sent = (operation: string): Sent => calls[operation] ?? ['GET', '/']

  async function start(): Promise<Sandbox & { call: CallApi; ask(operation: string): Promise<Whole> }> {
    const sandbox = await startSandbox(world.options)
    return Object.assign(sandbox, {
      ask: async (operation: string) => whole(await sandbox.call(...sent(operation))),
    })
  }

  /** What the operation answers where nothing is active and nothing has happened yet. */
  async function plain(operation: string): Promise<Whole> {
    return (await start()).ask(operation)
  }

  describe.each(refusals)('%s', (name, on, refusal) => {
    it.each(on)('%s is refused, leaves no trace, and works again afterwards', async (operation) => {
      const sandbox = await start()
      const before = sandbox.state.document()
      await sandbox.scenarios.activate(name)
      expect(await sandbox.ask(operation)).toEqual(refusal)
      expect(await sandbox.ask(operation)).toEqual(refusal)
      expect(sandbox.state.document()).toEqual(before)
      await sandbox.scenarios.deactivate()
      expect(await sandbox.ask(operation)).toEqual(await plain(operation))
    })
  })

  /** An active scenario, and what every call of an operation answers from then on. */
  async function under(name: string): Promise<Awaited<ReturnType<typeof start>>> {
    const sandbox = await start()
    await sandbox.scenarios.activate(name)
    return sandbox
  }

  it('version-sunset-2025-05-05: that version is refused, the others work', async () => {
    const sandbox = await under('version-sunset-2025-05-05')
    const [method, path] = sent('retrieveReward')
    const as = async (asked: string): Promise<Whole> =>
      whole(await sandbox.call(method, path, { headers: { 'x-service-version': asked } }))
    expect(await as('2025-05-05')).toEqual(
      fail(
        400,
        shapeB(
          'BAD_REQUEST_ERROR',
          "Unsupported x-service-version '2025-05-05'. Supported versions: 2026-10-13, latest.",
        ),
        {},
      ),
    )
    expect(await as('2026-10-13')).toEqual(await plain('retrieveReward'))
    expect((await as('latest')).headers['x-service-version']).toBe('latest')
    await sandbox.scenarios.deactivate()
    expect((await as('2025-05-05')).headers['x-service-version']).toBe('2025-05-05')
  })

  it('scope-missing-pci-details-read: the details are left out, as for a key without the scope', async () => {
    const sandbox = await start()
    for (const operation of ['listPaymentMethods', 'retrievePaymentMethod']) {
      const [method, path, options] = sent(operation)
      const lacking = whole(
        await sandbox.call(method, path, { ...options, key: 'sk_sandbox_without_pci_details_read' }),
      )
      await sandbox.scenarios.activate('scope-missing-pci-details-read')
      const during = await sandbox.ask(operation)
      expect(during).toEqual(lacking)
      expect(JSON.stringify(during.body)).not.toContain('pci_details')
      await sandbox.scenarios.deactivate()
      expect(await sandbox.ask(operation)).toEqual(await plain(operation))
      expect(JSON.stringify((await plain(operation)).body)).toContain('pci_details')
    }
  })

  it('scope-missing-authorized-user-read: authorized users are left out', async () => {
    const sandbox = await start()
    // Linked already, so that the calls to compare are both repeats.
    await sandbox.ask('linkCustomer')
    for (const operation of ['linkCustomer', 'searchCustomers']) {
      const [method, path, options] = sent(operation)
      const lacking = whole(
        await sandbox.call(method, path, { ...options, key: 'sk_sandbox_without_authorized_user_read' }),
      )
      await sandbox.scenarios.activate('scope-missing-authorized-user-read')
      expect(await sandbox.ask(operation)).toEqual(lacking)
      expect(JSON.stringify(lacking.body)).not.toContain('authorized_users')
      await sandbox.scenarios.deactivate()
      expect((await sandbox.ask(operation)).status).toBe(200)
    }
  })

  const [, statementsPath] = sent('listStatements')
  const basePath = statementsPath.replace('?limit=2', '')

  /** Walks the statements as a client does; at most so many pages, as some scenarios never end. */
  async function walk(sandbox: Sandbox, limit: number, most = 40): Promise<Statements[]> {
    const pages: Statements[] = []
    let after: string | undefined
    do {
      const path = `${basePath}?limit=${limit}${after === undefined ? '' : `&starting_after=${after}`}`
      const answer = await callUnchecked(sandbox, ['GET', path])
      expect([answer.status, answer.version]).toEqual([200, '2026-10-13'])
      pages.push(answer.json as Statements)
      after = pages.at(-1)?.next_page_token
    } while (after !== undefined && pages.length < most)
    return pages
  }

  const idsOf = (pages: Statements[]): string[][] =>
    pages.map(({ data }) => data.map(({ statement_id: id }) => id))

  /** A list cut into pieces of a size. */
  const cut = (rows: string[], size: number): string[][] =>
    Array.from({ length: Math.ceil(rows.length / size) }, (_, place) =>
      rows.slice(place * size, (place + 1) * size),
    )

  const { statements } = world
  const divisor = (most: number): number =>
    Array.from({ length: most }, (_, place) => most - place).find((n) => statements.length % n === 0) ?? 1
  const [first = '', second = '', third = ''] = statements

  it.each<[name: string, limit: number, pages: string[][]]>([
    ['empty', 2, [[]]],
    ['one-per-page', 2, cut(statements, 1)],
    ['exact-multiple', 4, cut(statements, divisor(4))],
    ['short-last-page', 2, cut(statements, 2)],
    ['short-last-page', statements.length, cut(statements, statements.length - 1)],
    ['empty-page-with-more', 2, [[], ...cut(statements, 2)]],
    ['insert-while-walking', 2, cut(statements, 2)],
    ['delete-while-walking', 2, [[first, second], ...cut(statements.slice(3), 2)]],
    ['missing-cursor', 2, [[first, second]]],
  ])(
    'pagination-%s with limit %i: a walk through statements, and one afterwards',
    async (name, limit, pages) => {
      const sandbox = await under(`pagination-${name}`)
      const walked = await walk(sandbox, limit)
      expect(idsOf(walked)).toEqual(pages)
      expect(walked.map(({ has_more: more }) => more)).toEqual(
        pages.map((_, place) => name === 'missing-cursor' || place < pages.length - 1),
      )
      await sandbox.scenarios.deactivate()
      const afterwards = idsOf(await walk(sandbox, 100)).flat()
      if (name === 'insert-while-walking') expect(afterwards.slice(1)).toEqual(statements)
      else if (name === 'delete-while-walking') {
        expect(afterwards).toEqual(statements.filter((id) => id !== third))
      } else expect(afterwards).toEqual(statements)
    },
  )

  it('pagination-repeated-item: each page starts with the last item of the one before', async () => {
    const pages = idsOf(await walk(await under('pagination-repeated-item'), 2))
    expect(pages).toEqual(
      cut(statements, 2).map((page, place) =>
        place === 0 ? page : [statements[place * 2 - 1] ?? '', ...page],
      ),
    )
  })

  it('pagination-repeated-cursor: the walk never gets on', async () => {
    const pages = idsOf(await walk(await under('pagination-repeated-cursor'), 2, 4))
    const [page1, page2] = cut(statements, 2)
    expect(pages).toEqual([page1, page2, page2, page2])
  })

  it('pagination-expired-cursor: the second page is refused once', async () => {
    const sandbox = await under('pagination-expired-cursor')
    const page = await sandbox.call('GET', `${basePath}?limit=2`)
    const next = `${basePath}?limit=2&starting_after=${String(page.json.next_page_token)}`
    expect(whole(await sandbox.call('GET', next))).toEqual(
      fail(
        400,
        {
          path: basePath,
          details: ['starting_after must be the next_page_token of the page before'],
          error: 'Bad Request',
          status: 400,
          timestamp: testNow,
        },
        { ...version, 'x-sandbox-assumptions': 'unknown_cursor, statements_page_size_parameter' },
      ),
    )
    expect(
      (await sandbox.call('GET', next)).json.data.map((row: { statement_id: string }) => row.statement_id),
    ).toEqual(statements.slice(2, 4))
  })

  it.each<[name: string, count: number, more: boolean, total: number, after: number]>([
    ['empty', 0, false, 0, world.customers],
    ['one-per-page', 1, true, world.customers, world.customers],
    ['empty-page-with-more', 0, true, world.customers, world.customers],
    ['insert-while-walking', 2, true, world.customers, world.customers + 1],
    ['delete-while-walking', 2, true, world.customers, world.customers - 1],
    ['wrong-total', 2, true, world.customers + 1, world.customers],
  ])(
    'pagination-%s: the first page of customers, and the total afterwards',
    async (name, count, more, total, after) => {
      const sandbox = await under(`pagination-${name}`)
      const { json: page } = await callUnchecked(sandbox, sent('searchCustomers'))
      const { data, ...rest } = page as Customers
      expect([data.length, rest]).toEqual([count, { has_more: more, total }])
      await sandbox.scenarios.deactivate()
      expect((await sandbox.call('GET', '/v2/customers')).json.total).toBe(after)
    },
  )

  it('reward-settled-before-update: the first update is refused, and the reward is AVAILABLE', async () => {
    const sandbox = await under('reward-settled-before-update')
    const pending = (await plain('retrieveReward')).body as Record<string, unknown>
    expect(pending['status']).toBe('PENDING')
    expect(await sandbox.ask('updateReward')).toEqual(
      fail(400, shapeB('BAD_REQUEST_ERROR', 'Only a pending reward can be updated.'), {
        ...version,
        'x-sandbox-assumptions': 'reward_not_pending',
      }),
    )
    const settled = (await sandbox.ask('retrieveReward')).body as Record<string, unknown>
    expect(settled).toMatchObject({ ...pending, status: 'AVAILABLE' })
    sandbox.state.patch('rewards', world.ids.reward, { status: 'PENDING' })
    expect((await sandbox.ask('updateReward')).status).toBe(200)
  })

  it('reward-vanishes: readable once, then gone, until the scenario ends', async () => {
    const sandbox = await under('reward-vanishes')
    const answers = [
      await sandbox.ask('retrieveReward'),
      await sandbox.ask('retrieveReward'),
      await sandbox.ask('retrieveReward'),
    ]
    expect(answers).toEqual([await plain('retrieveReward'), noReward, noReward])
    await sandbox.scenarios.deactivate()
    expect(await sandbox.ask('retrieveReward')).toEqual(await plain('retrieveReward'))
  })

  it.each([
    ['commit-but-answer-lost', 'createTransactionIntent', 1],
    ['hang', 'createTransactionIntent', 0],
    ['reset', 'createTransactionIntent', 0],
    ['truncated', 'createTransactionIntent', 1],
  ])(
    '%s: the first call is lost, and %s has made %i rows; the second works',
    async (name, operation, made) => {
      const sandbox = await under(name)
      const rows = sandbox.state.size('transaction_intents')
      const [method, path, options] = sent(operation)
      const gone = new AbortController()
      const lost = sandbox.fetch(path, {
        method,
        signal: gone.signal,
        headers: { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(options?.json),
      })
      if (name === 'hang') gone.abort()
      await expect(lost.then((response) => response.text())).rejects.toThrow()
      expect(sandbox.state.size('transaction_intents')).toBe(rows + made)
      expect((await sandbox.ask(operation)).status).toBe(201)
      expect(sandbox.state.size('transaction_intents')).toBe(rows + made + 1)
    },
  )

  it('rate-limited: twice 429 with Retry-After, then as ever', async () => {
    const sandbox = await under('rate-limited')
    const refused = fail(429, shapeB('RATE_LIMIT_ERROR', 'Too many requests.'), {
      ...version,
      'retry-after': '1',
    })
    expect(await sandbox.ask('createTransactionIntent')).toEqual(refused)
    expect(await sandbox.ask('createTransactionIntent')).toEqual(refused)
    expect(await sandbox.ask('createTransactionIntent')).toEqual(await plain('createTransactionIntent'))
  })

  it('flaky-every-third: the third and the sixth call fail', async () => {
    const sandbox = await under('flaky-every-third')
    const good = await plain('retrieveReward')
    const answers: Whole[] = []
    while (answers.length < 7) answers.push(await sandbox.ask('retrieveReward'))
    expect(answers).toEqual([good, good, unavailable, good, good, unavailable, good])
  })

  it('html-gateway-error: one page of HTML without a version, then as ever', async () => {
    const sandbox = await under('html-gateway-error')
    expect(whole(await callUnchecked(sandbox, sent('retrieveReward')))).toEqual({
      status: 502,
      headers: { 'content-type': 'text/html', date },
      body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
    })
    expect(await sandbox.ask('retrieveReward')).toEqual(await plain('retrieveReward'))
  })

  it('unknown-fields: every version, every object; nothing else changes', async () => {
    const sandbox = await under('unknown-fields')
    for (const asked of ['2025-05-05', '2026-10-13', 'latest']) {
      const [method, path] = sent('retrieveReward')
      const { body, headers } = whole(
        await callUnchecked(sandbox, [method, path, { headers: { 'x-service-version': asked } }]),
      )
      expect(headers).toEqual({ ...json, 'x-service-version': asked })
      expect(body).toEqual({
        ...((await plain('retrieveReward')).body as object),
        sandbox_unknown_field: { added: 'in a later release' },
      })
    }
  })

  it('new-enum-values-latest: under latest only', async () => {
    const sandbox = await under('new-enum-values-latest')
    const good = (await plain('retrieveReward')).body as object
    const [method, path] = sent('retrieveReward')
    for (const asked of ['2025-05-05', '2026-10-13', 'latest']) {
      const { body } = whole(
        await callUnchecked(sandbox, [method, path, { headers: { 'x-service-version': asked } }]),
      )
      const news = { type: 'SANDBOX_NEW_VALUE', status: 'SANDBOX_NEW_VALUE' }
      expect(body).toEqual(asked === 'latest' ? { ...good, ...news } : good)
    }
  })

  it('null-optionals: what is absent is null', async () => {
    const sandbox = await under('null-optionals')
    const [method, path] = sent('retrieveReward')
    const { body } = whole(await callUnchecked(sandbox, [method, path]))
    const nulls = { transaction_event_id: null, currency: null, updated_at: null, metadata: null }
    expect(body).toEqual({ ...nulls, ...((await plain('retrieveReward')).body as object) })
  })

  it('slow: the answer is the same, only later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const sandbox = await under('slow')
      const asked = sandbox.ask('retrieveReward')
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1 })
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await asked).toEqual(await plain('retrieveReward'))
    } finally {
      vi.useRealTimers()
    }
  })
})
