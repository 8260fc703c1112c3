import { describe, expect, test } from 'vitest'
import type { SandboxOptions } from '../../src/index.ts'
import { headersOf, invalid, jsonHeaders, shapeB, shapeC } from '../helpers/answers.ts'
import { answered, startSandbox, type Answered } from '../helpers/sandbox.ts'

/** Rules end to end: which calls they are for, what their effects do together, and what the answers look like. */

type Rule = Record<string, unknown>

const intents = '/v2/transaction_intents'
const reward = '/v2/rewards/rwd_ada_pending'
const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
const intent = { customer_id: 'cus_ada', amount: 4200, currency: 'USD' }

function scenario(name: string, ...rules: Rule[]): object {
  return { name, description: 'A scenario of a test.', rules }
}

/** A sandbox in which rules are active. Its answers may be off contract, so nothing else checks them. */
async function withRules(rules: Rule[], options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ scenarios: [scenario('armed', ...rules)], ...options })
  return Object.assign(sandbox, { ask: asker(sandbox) })
}

interface RequestOptions {
  key?: string
  headers?: Record<string, string>
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer>
}

type Ask = (method: string, path: string, options?: RequestOptions) => Promise<Answered>

function asker(sandbox: {
  fetch: typeof fetch | ((path: string, init: RequestInit) => Promise<Response>)
}): Ask {
  return async (method, path, { key = 'sk_sandbox_full', headers = {}, json, body } = {}) => {
    const sent = {
      authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const content = json === undefined ? body : JSON.stringify(json)
    const init = { method, headers: sent, ...(content === undefined ? {} : { body: content }) }
    const response = await sandbox.fetch(path, init)
    return answered(response, await response.text())
  }
}

/** The effect that tells most plainly that a rule was used. */
const used = { respond: { status: 299, body: 'used' } }

describe('which calls a rule is for', () => {
  test.each<[string, Rule, [string, string, RequestOptions?], boolean]>([
    ['its operation', { on: 'retrieveReward' }, ['GET', reward], true],
    ['one of several', { on: ['updateReward', 'retrieveReward'] }, ['GET', reward], true],
    ['every one', { on: '*' }, ['GET', reward], true],
    ['another operation', { on: 'updateReward' }, ['GET', reward], false],
    ['HEAD is its GET', { on: 'retrieveReward' }, ['HEAD', reward], true],
    [
      'a parameter',
      { on: 'retrieveReward', when: { params: { reward_id: 'rwd_ada_pending' } } },
      ['GET', reward],
      true,
    ],
    [
      'a glob',
      { on: 'retrieveReward', when: { params: { reward_id: 'rwd_*_pend?ng' } } },
      ['GET', reward],
      true,
    ],
    [
      'another value',
      { on: 'retrieveReward', when: { params: { reward_id: 'rwd_ada' } } },
      ['GET', reward],
      false,
    ],
    [
      'a query',
      { on: 'searchCustomers', when: { query: { limit: 5 } } },
      ['GET', '/v2/customers?limit=5'],
      true,
    ],
    ['no query', { on: 'searchCustomers', when: { query: { limit: '*' } } }, ['GET', '/v2/customers'], false],
    [
      'a header',
      { on: '*', when: { headers: { 'X-Run': 'ci-*' } } },
      ['GET', reward, { headers: { 'x-run': 'ci-7' } }],
      true,
    ],
    ['no header', { on: '*', when: { headers: { 'X-Run': '*' } } }, ['GET', reward], false],
    ['the key', { on: '*', when: { key: 'sk_sandbox_full' } }, ['GET', reward], true],
    ['the key id', { on: '*', when: { key: 'key_f*' } }, ['GET', reward], true],
    ['another key', { on: '*', when: { key: 'key_none' } }, ['GET', reward], false],
    ['the product', { on: '*', when: { product: 'mk_summit' } }, ['GET', reward], true],
    ['another product', { on: '*', when: { product: 'mk_harbor' } }, ['GET', reward], false],
    [
      'part of the body',
      { on: 'createTransactionIntent', when: { body: { amount: 4200 } } },
      ['POST', intents, { json: intent }],
      true,
    ],
    [
      'a glob in the body',
      { on: 'createTransactionIntent', when: { body: { customer_id: 'cus_*' } } },
      ['POST', intents, { json: intent }],
      true,
    ],
    [
      'a nested part',
      { on: 'createTransactionIntent', when: { body: { metadata: { a: [1] } } } },
      ['POST', intents, { json: { ...intent, metadata: { a: [1], b: 2 } } }],
      true,
    ],
    [
      'another body',
      { on: 'createTransactionIntent', when: { body: { amount: 1 } } },
      ['POST', intents, { json: intent }],
      false,
    ],
    [
      'the type counts',
      { on: 'createTransactionIntent', when: { body: { amount: '4200' } } },
      ['POST', intents, { json: intent }],
      false,
    ],
    [
      'a byte order mark',
      { on: 'createTransactionIntent', when: { body: { amount: 4200 } } },
      [
        'POST',
        intents,
        { headers: { 'content-type': 'application/json' }, body: `\ufeff${JSON.stringify(intent)}` },
      ],
      true,
    ],
  ])('%s: %j with %j -> used: %s', async (_, rule, [method, path, options], isUsed) => {
    const { ask } = await withRules([{ ...rule, effect: used }])
    expect((await ask(method, path, options)).status === 299).toBe(isUsed)
  })

  test('a parameter that an assumption calls otherwise is matched under the name that is in force', async () => {
    const rule = { on: 'searchCustomers', when: { query: { limit: '3' } }, effect: used }
    const { ask } = await withRules([rule], { assume: { customers_page_size_parameter: 'page_size' } })
    expect((await ask('GET', '/v2/customers?page_size=3')).status).toBe(299)
    expect((await ask('GET', '/v2/customers?limit=3')).status).toBe(200)
  })

  const json = { 'content-type': 'application/json' }
  const big = JSON.stringify({ ...intent, metadata: { filler: 'x'.repeat(1024 * 1024) } })
  test.each<[string, RequestOptions, number]>([
    ['malformed JSON', { headers: json, body: '{"amount":4200' }, 400],
    [
      'no UTF-8',
      { headers: json, body: new Uint8Array(Buffer.from('{"amount":4200,"x":"\xff"}', 'latin1')) },
      400,
    ],
    ['no body', {}, 400],
    ['too large', { headers: json, body: big }, 413],
    ['another type', { headers: { 'content-type': 'text/plain' }, body: JSON.stringify(intent) }, 415],
    ['compressed', { headers: { ...json, 'content-encoding': 'gzip' }, body: JSON.stringify(intent) }, 415],
  ])(
    'a body that cannot be read (%s) never matches, and is refused in its own place',
    async (_, options, status) => {
      const rule = { on: 'createTransactionIntent', when: { body: { amount: 4200 } }, effect: used }
      const { ask, scenarios } = await withRules([rule])
      const plain = await (await startSandbox()).call('POST', intents, options)
      const refused = await ask('POST', intents, options)
      expect({ status: refused.status, body: refused.text }).toEqual({ status, body: plain.text })
      expect([...refused.headers]).toEqual([...plain.headers])
      expect((await scenarios.get('armed'))?.rules).toEqual([{ id: 'armed#1', calls: 0, hits: 0 }])
      // In its own place: behind the scope.
      const scopeless = await ask('POST', intents, { ...options, key: 'sk_sandbox_none' })
      expect({ status: scopeless.status, assumptions: scopeless.assumptions }).toEqual({
        status: 403,
        assumptions: ['forbidden_type'],
      })
    },
  )
})

describe('several rules', () => {
  test('effects that do not end the call add up', async () => {
    const { ask } = await withRules([
      {
        on: 'retrieveReward',
        effect: [{ latency: 1 }, { change: { rewards: { $reward_id: { amount: 7 } } } }],
      },
      { on: '*', effect: { rewrite: [{ op: 'add', path: '/x', value: 1 }] } },
      { on: '*', effect: { rewrite: 'unknown_fields' } },
    ])
    expect((await ask('GET', reward)).json).toMatchObject({ amount: 7, x: 1, sandbox_unknown_field: {} })
  })

  const ending = (status: number): object =>
    scenario(`end-${status}`, { on: '*', effect: { respond: { status } } })
  test.each([
    [true, true, true, 211],
    [false, true, true, 212],
    [true, false, true, 211],
    [true, true, false, 211],
    [false, false, true, 213],
    [false, true, false, 212],
    [true, false, false, 211],
    [false, false, false, 200],
  ])('header %s, key %s, workspace %s -> %i ends the call', async (byHeader, byKey, byWorkspace, status) => {
    const sandbox = await startSandbox()
    for (const one of [211, 212, 213]) await sandbox.scenarios.register(ending(one))
    if (byKey) sandbox.state.patch('api_keys', 'key_full', { scenarios: ['end-212'] })
    if (byWorkspace) await sandbox.scenarios.activate('end-213')
    const headers: Record<string, string> = byHeader ? { 'x-sandbox-scenario': 'end-211' } : {}
    expect((await asker(sandbox)('GET', reward, { headers })).status).toBe(status)
  })

  test('a header is for its request only', async () => {
    const { call } = await startSandbox()
    expect((await call('GET', reward, { headers: { 'x-sandbox-scenario': 'unavailable' } })).status).toBe(503)
    expect((await call('GET', reward)).status).toBe(200)
  })

  test('an unknown name in the header -> 400 B with a suggestion and the version', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', reward, { headers: { 'x-sandbox-scenario': 'unavailible' } })
    expect({ status: answer.status, version: answer.version, body: answer.json }).toEqual({
      status: 400,
      version: '2026-10-13',
      body: {
        error: {
          type: 'BAD_REQUEST_ERROR',
          message: "x-sandbox-scenario: unknown scenario 'unavailible', did you mean 'unavailable'?",
        },
      },
    })
  })

  test('100 calls at once use up exactly 7', async () => {
    const { ask, scenarios } = await withRules([
      {
        on: 'createTransactionIntent',
        when: { body: { amount: 4200 } },
        calls: '3..9',
        effect: { error: 'SERVICE_UNAVAILABLE_ERROR' },
      },
    ])
    const calls = Array.from({ length: 100 }, () => ask('POST', intents, { json: intent }))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(7)
    expect(statuses.filter((status) => status === 200)).toHaveLength(93)
    expect((await scenarios.get('armed'))?.rules).toEqual([{ id: 'armed#1', calls: 100, hits: 7 }])
  })
})

describe('case 27: injected answers carry the headers of real ones', () => {
  const head = (...assumptions: string[]) => jsonHeaders('req_default_1', assumptions, '2025-05-05')

  test.each<[unknown, number, object, Record<string, string>]>([
    [
      { error: 'SERVICE_UNAVAILABLE_ERROR' },
      503,
      shapeB('SERVICE_UNAVAILABLE_ERROR', 'The service is unavailable.'),
      { ...head(), 'retry-after': '1' },
    ],
    [
      { error: 'INTERNAL_ERROR' },
      500,
      shapeB('INTERNAL_ERROR', 'The sandbox could not complete the request.'),
      head(),
    ],
    [
      { error: 'RATE_LIMIT_ERROR', message: 'Slow down.' },
      429,
      shapeB('RATE_LIMIT_ERROR', 'Slow down.'),
      { ...head(), 'retry-after': '1' },
    ],
    [
      'missing_scope',
      403,
      shapeB('FORBIDDEN_ERROR', 'The API key lacks the scope ACCOUNT_READ.'),
      head('forbidden_type'),
    ],
    [
      { not_found: 'customer_id' },
      404,
      shapeC('CUSTOMER_NOT_FOUND_ERROR', 'customer_id', 'No customer has this customer_id.'),
      head('not_found_status'),
    ],
    [{ invalid: ['limit: must be small'] }, 400, invalid(statements, 'limit: must be small'), head()],
    [
      'unsupported_version',
      400,
      shapeB(
        'BAD_REQUEST_ERROR',
        "Unsupported x-service-version '2025-05-05'. Supported versions: 2026-10-13, latest.",
      ),
      jsonHeaders('req_default_1', [], null),
    ],
  ])('%j -> %i', async (effect, status, body, headers) => {
    const { call } = await withRules([{ on: 'listStatements', effect }])
    const answer = await call('GET', statements, { headers: { 'x-service-version': '2025-05-05' } })
    expect({ status: answer.status, body: answer.json, headers: headersOf(answer) }).toEqual({
      status,
      body,
      headers,
    })
  })

  test('unauthenticated -> the very refusal of an unknown key, without a version', async () => {
    const { call } = await withRules([{ on: '*', effect: 'unauthenticated' }])
    const armed = await call('GET', reward)
    const real = await call('GET', reward, { key: 'sk_nobody' })
    const shown = ({ status, text, headers }: Answered): unknown => [
      status,
      text,
      [...headers].filter(([name]) => !/^x-sandbox-(request-id|assumptions)$/.test(name)),
    ]
    expect(shown(armed)).toEqual(shown(real))
    expect(armed.assumptions).toEqual(real.assumptions)
    expect(armed.version).toBeNull()
  })

  test.each([
    [undefined, 'sandbox', 'unsupported_version', "'2026-10-13'. Supported versions: 2025-05-05, latest."],
    ['latest', 'sandbox', 'unsupported_version', "'latest'. Supported versions: 2025-05-05, 2026-10-13."],
    [
      undefined,
      'sandbox',
      { unsupported_version: { supported: ['latest'] } },
      "'2026-10-13'. Supported versions: latest.",
    ],
    ['latest', 'sandbox', { unsupported_version: { supported: ['latest'] } }, undefined],
    [undefined, 'production', 'unsupported_version', "'2025-05-05'. Supported versions: 2026-10-13."],
    [
      undefined,
      'production',
      { unsupported_version: { supported: ['2026-10-13', 'latest'] } },
      "'2025-05-05'. Supported versions: 2026-10-13.",
    ],
  ] as const)('version %s in %s, %j -> %s', async (version, environment, effect, reported) => {
    const { ask } = await withRules([{ on: '*', effect }], { environment })
    const key = environment === 'production' ? 'sk_production_full' : 'sk_sandbox_full'
    const answer = await ask('GET', reward, { key, headers: version ? { 'x-service-version': version } : {} })
    expect(answer.json.error?.message).toBe(reported && `Unsupported x-service-version ${reported}`)
    expect(answer.version).toBe(reported === undefined ? version : null)
  })

  test('missing_scope leaves out what an omitting scope leaves out', async () => {
    const { call } = await withRules([{ on: '*', effect: 'missing_scope' }])
    expect((await call('GET', '/v2/payment_methods/pm_ada_card')).json.card).not.toHaveProperty('pci_details')
    expect((await call('GET', '/v2/customers')).json.data[0]).not.toHaveProperty('authorized_users')
    expect((await call('GET', reward)).status).toBe(200)
  })
})

describe('change', () => {
  test.each<[string, Rule, Record<string, unknown> | undefined]>([
    [
      'a $parameter',
      { rewards: { $reward_id: { status: 'AVAILABLE' } } },
      { status: 'AVAILABLE', amount: 252 },
    ],
    ['null deletes', { rewards: { $reward_id: null } }, undefined],
    ['a row by its id', { rewards: { rwd_ada_pending: { amount: 9 } } }, { status: 'PENDING', amount: 9 }],
    [
      'an identifier that is taken',
      { customers: { cus_ben: { partner_customer_id: 'partner-ada' } } },
      { status: 'PENDING', amount: 252 },
    ],
    [
      'an owner that there is not',
      { rewards: { $reward_id: { customer_id: 'cus_no' } } },
      { status: 'PENDING', amount: 252 },
    ],
    ['a row that there is not', { rewards: { rwd_no: { amount: 1 } } }, { status: 'PENDING', amount: 252 }],
    ['deleting what there is not', { rewards: { rwd_no: null } }, { status: 'PENDING', amount: 252 }],
  ])('%s, before the read: %j', async (_, change, left) => {
    const { call, state } = await withRules([{ on: 'retrieveReward', effect: { change } }])
    const answer = await call('GET', reward)
    expect(answer.status).toBe(left ? 200 : 404)
    if (left) expect(answer.json).toMatchObject(left)
    expect(state.get('rewards', 'rwd_no')).toBeUndefined()
  })

  test.each([
    ['unavailable', ['unavailable'], 503],
    ['unavailible', undefined, 200],
  ])('the scenarios of a key, to %s -> %j from the next call on', async (name, left, status) => {
    const change = { api_keys: { key_full: { scenarios: [name] } } }
    const { call, state } = await withRules([{ on: 'retrieveReward', effect: { change } }])
    expect((await call('GET', reward)).status).toBe(200)
    expect((state.get('api_keys', 'key_full') as { scenarios?: string[] }).scenarios).toEqual(left)
    expect((await call('GET', '/v2/customers')).status).toBe(status)
  })

  test('after the handler: the answer is of before, the next one of after', async () => {
    const effect = {
      change: { rewards: { $reward_id: { amount: '$amount', metadata: { by: '$status' } } } },
      at: 'after',
    }
    const { call } = await withRules([
      {
        on: 'updateReward',
        effect: { change: { rewards: { rwd_ada_referral: { amount: '$amount' } } }, at: 'after' },
      },
      { on: 'updateReward', effect },
    ])
    const updated = await call('PATCH', reward, { json: { amount: 77 } })
    expect(updated.json).toMatchObject({ amount: 77, status: 'PENDING' })
    // The second rule names $status, which this call does not send: it does nothing.
    const now = await call('GET', reward)
    expect(now.json.metadata).toEqual(updated.json.metadata)
    expect((await call('GET', '/v2/rewards/rwd_ada_referral')).json.amount).toBe(77)
  })

  test('a call that is refused changes nothing after it', async () => {
    const effect = { change: { rewards: { $reward_id: null } }, at: 'after' }
    const { call } = await withRules([{ on: 'updateReward', effect }])
    expect((await call('PATCH', reward, { json: { amount: 1.5 } })).status).toBe(400)
    expect((await call('GET', reward)).status).toBe(200)
  })

  test('a reward that is settled before its update -> 400 B, and it stays settled', async () => {
    const sandbox = await startSandbox({ scenarios: ['reward-settled-before-update'] })
    const update = { json: { status: 'DEDUCTED' } }
    const refused = await sandbox.call('PATCH', reward, update)
    expect({ status: refused.status, type: refused.json.error.type }).toEqual({
      status: 400,
      type: 'BAD_REQUEST_ERROR',
    })
    expect((await sandbox.call('GET', reward)).json.status).toBe('AVAILABLE')
    expect((await sandbox.call('PATCH', '/v2/rewards/rwd_ada_referral', update)).status).toBe(200)
  })
})

describe('pages, walked as a client does', () => {
  /** Walks a list to its end, at most 60 pages; a page by the ids in it. */
  async function walk(ask: Ask, path: string, limit: number): Promise<string[][]> {
    const pages: string[][] = []
    let cursor: string | undefined
    while (pages.length < 60) {
      const after = cursor === undefined ? '' : `&starting_after=${encodeURIComponent(cursor)}`
      const { json, status } = await ask('GET', `${path}?limit=${limit}${after}`)
      if (status !== 200) return [...pages, [`${status}`]]
      const ids = json.data.map((row: { id?: string; statement_id?: string }) => row.statement_id ?? row.id)
      pages.push(ids)
      if (!json.has_more) return pages
      cursor = json.next_page_token ?? (path === statements ? undefined : (ids.at(-1) ?? cursor))
      if (path === statements && cursor === undefined) return [...pages, ['no cursor']]
    }
    return pages
  }

  const lists = [
    ['customers', '/v2/customers', 26],
    ['statements', statements, 27],
  ] as const
  const sizes = (pages: string[][]): number[] => pages.map(({ length }) => length)
  const times = (count: number, size: number): number[] => Array.from({ length: count }, () => size)

  test.each(
    lists.flatMap(([name, path, count]) => [
      { name, path, page: 'empty', expected: [0], count },
      { name, path, page: { size: 1 }, expected: times(count, 1), count },
      { name, path, page: 'exact_multiple', expected: count === 26 ? times(13, 2) : times(3, 9), count },
      { name, path, page: 'short_last', expected: [10, 10, count - 20], count },
    ]),
  )('$name, $page -> $expected', async ({ path, page, expected }) => {
    const { ask } = await withRules([{ on: ['searchCustomers', 'listStatements'], effect: { page } }])
    expect(sizes(await walk(ask, path, 10))).toEqual(expected)
  })

  test.each(lists)('%s: an empty page with more -> the walk goes on and misses nothing', async (_, path) => {
    const whole = await walk(asker(await startSandbox()), path, 10)
    const { ask } = await withRules([
      { on: ['searchCustomers', 'listStatements'], calls: '1', effect: { page: 'empty_with_more' } },
    ])
    expect(await walk(ask, path, 10)).toEqual([[], ...whole])
  })

  test.each(lists)('%s: insert and delete_next while walking', async (_, path, count) => {
    const whole = (await walk(asker(await startSandbox()), path, 10)).flat()
    expect(whole).toHaveLength(count)
    const on = ['searchCustomers', 'listStatements']
    const inserting = await withRules([{ on, calls: '1', effect: { page: 'insert' } }])
    expect((await walk(inserting.ask, path, 10)).flat()).toEqual(whole)
    const again = (await walk(inserting.ask, path, 10)).flat()
    expect(again).toEqual([expect.any(String), ...whole])
    const deleting = await withRules([{ on, calls: '1', effect: { page: 'delete_next' } }])
    expect((await walk(deleting.ask, path, 10)).flat()).toEqual(whole.toSpliced(10, 1))
  })

  test.each(lists)('%s: an expired cursor -> 400 A once, and a new walk is whole', async (_, path, count) => {
    const on = ['searchCustomers', 'listStatements']
    const { ask } = await withRules([{ on, calls: '2', effect: { page: 'expired_cursor' } }])
    expect((await walk(ask, path, 10)).at(-1)).toEqual(['400'])
    expect(sizes(await walk(ask, path, 10))).toEqual([10, 10, count - 20])
  })

  test.each([
    ['repeated_item', '/v2/customers', [10, 11, 7]],
    ['repeated_item', statements, [10, 11, 8]],
    ['missing_cursor', statements, [10, 1]],
    ['repeated_cursor', statements, [10, ...times(59, 10)]],
  ])('off contract, %s of %s -> %j', async (page, path, expected) => {
    const on = path === statements ? 'listStatements' : 'searchCustomers'
    const { ask } = await withRules([{ on, effect: { page } }])
    expect(sizes(await walk(ask, path, 10))).toEqual(expected)
  })

  test('the total of a page is that of its moment; wrong_total is one more', async () => {
    const inserting = await withRules([{ on: 'searchCustomers', calls: '1', effect: { page: 'insert' } }])
    expect((await inserting.ask('GET', '/v2/customers')).json.total).toBe(26)
    expect((await inserting.ask('GET', '/v2/customers')).json.total).toBe(27)
    const wrong = await withRules([{ on: 'searchCustomers', effect: { page: 'wrong_total' } }])
    expect((await wrong.ask('GET', '/v2/customers')).json.total).toBe(27)
  })
})

describe('case 29: drift', () => {
  test.each([
    ['2025-05-05', 'PENDING'],
    ['2026-10-13', 'PENDING'],
    ['latest', 'SANDBOX_NEW_VALUE'],
  ])('new enum values: a client of %s sees %s', async (version, status) => {
    const ask = asker(await startSandbox({ scenarios: ['new-enum-values-latest'] }))
    const answer = await ask('GET', reward, { headers: { 'x-service-version': version } })
    expect(answer.json.status).toBe(status)
    expect(answer.version).toBe(version)
  })

  test.each(['2025-05-05', '2026-10-13', 'latest'])(
    'unknown fields: version %s has them',
    async (version) => {
      const ask = asker(await startSandbox({ scenarios: ['unknown-fields'] }))
      const headers = { 'x-service-version': version }
      const plain = await ask('GET', reward, { headers })
      expect(plain.json).toMatchObject({
        id: 'rwd_ada_pending',
        sandbox_unknown_field: { added: 'in a later release' },
      })
      expect((await ask('GET', '/v2/customers', { headers })).json.data[0]).toHaveProperty(
        'sandbox_unknown_field',
      )
    },
  )

  test('null_optionals: what is there stays, and what is absent is null', async () => {
    const ask = asker(await startSandbox({ scenarios: ['null-optionals'] }))
    const plain = (await (await startSandbox()).call('GET', '/v2/rewards/rwd_ada_referral')).json
    const shown = (await ask('GET', '/v2/rewards/rwd_ada_referral')).json
    expect(shown).toMatchObject(plain)
    expect(Object.values(shown)).toContain(null)
  })
})
